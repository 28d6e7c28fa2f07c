package dev.numera.azure.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a compressed backup: a first line with its format, a line for each row, and a last line with the count and the
 * checksum of everything before it. Readers refuse a file without the last line, so an interrupted backup is never
 * restored. Keeps one row in memory. Not thread-safe.
 */
public final class BackupWriter {
    /** The name of the format, in the first line. */
    public static final String FORMAT = "numera-backup";

    public static final int VERSION = 1;

    private static final int BUFFER_BYTES = 64 * 1024;

    private final MessageDigest digest = digest();
    private final GZIPOutputStream out;
    private final InstantSource clock;
    private long rows;

    /**
     * Starts a backup with its first line.
     *
     * @param out stays open in any case
     * @param account the name of the storage account that the rows are read from
     */
    public BackupWriter(OutputStream out, String account, InstantSource clock) throws IOException {
        this.out = new GZIPOutputStream(out, BUFFER_BYTES);
        this.clock = clock;
        write(Json.object()
                .put("format", FORMAT)
                .put("version", VERSION)
                .put("account", account)
                .put("startedAt", clock.instant().toString()));
    }

    public void take(BackupRow row) throws IOException {
        write(row.json());
        rows++;
    }

    /** Writes the last line, and returns the number of rows. Nothing may be written after it. */
    public long finish() throws IOException {
        write(Json.object()
                .put("rows", rows)
                .put("sha256", HexFormat.of().formatHex(digest.digest()))
                .put("finishedAt", clock.instant().toString()));
        out.finish();
        return rows;
    }

    private void write(ObjectNode json) throws IOException {
        byte[] line = (json + "\n").getBytes(UTF_8);
        digest.update(line);
        out.write(line);
    }

    /** Returns a new digest for the checksum of all lines except the last, which contains it. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }
}
