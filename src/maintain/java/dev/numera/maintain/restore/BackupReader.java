package dev.numera.maintain.restore;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.azure.backup.BackupRow;
import dev.numera.azure.backup.BackupWriter;
import dev.numera.json.Json;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.function.Consumer;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a backup, compressed or not. Only its last line shows whether it is complete, so a caller that must not restore
 * half a backup reads it twice. Holds one row in memory at a time. Not thread-safe.
 */
public final class BackupReader {
    private static final int GZIP_MAGIC = 0x1f8b;
    private static final int BUFFER_BYTES = 64 * 1024;

    private final String name;
    private final InputStream plain;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    /** The index of the next unread byte in the buffer, which is filled up to {@link #filled}. */
    private int at;

    private int filled;
    private final MessageDigest digest = BackupWriter.digest();
    /**
     * The latest line. It enters the checksum only when the next line is read, because the checksum does not cover the
     * last line.
     */
    private byte[] before = {};
    /** The number of the latest line, counted from 1. */
    private long line;

    /**
     * The summary of a complete backup.
     *
     * @param account the name of the storage account that was backed up; empty in backups that do not name it
     * @param startedAt when the backup was started, before it read its first row
     * @param checksum the SHA-256 of all lines but the last, in hexadecimal digits
     */
    public record Contents(String account, Instant startedAt, long rows, String checksum) {}

    private BackupReader(String name, InputStream plain) {
        this.name = name;
        this.plain = plain;
    }

    /**
     * Passes every row to the sink, in the order of the file, and returns the summary.
     *
     * @param name the name of the backup, for messages
     * @throws IOException the backup cannot be read, is truncated, was changed, or has a newer version; or the file is
     *     not a backup
     */
    public static Contents read(String name, InputStream in, Consumer<BackupRow> rows) throws IOException {
        try {
            return new BackupReader(name, plain(in)).read(rows);
        } catch (EOFException | ZipException e) {
            throw new IOException(name + " is cut off or damaged: " + e.getMessage() + ".", e);
        }
    }

    private static InputStream plain(InputStream in) throws IOException {
        BufferedInputStream buffered = new BufferedInputStream(in, BUFFER_BYTES);
        buffered.mark(2);
        int magic = buffered.read() << 8 | buffered.read();
        buffered.reset();
        return magic == GZIP_MAGIC ? new OneGzip(buffered, BUFFER_BYTES) : buffered;
    }

    private Contents read(Consumer<BackupRow> sink) throws IOException {
        JsonNode header = next();
        Instant startedAt = startedAt(header);
        String account = account(header);
        long rows = 0;
        JsonNode json = next();
        while (json.has("table")) {
            sink.accept(row(json));
            rows++;
            json = next();
        }
        String checksum = HexFormat.of().formatHex(digest.digest());
        requireTrailer(json, rows, checksum);
        return new Contents(account, startedAt, rows, checksum);
    }

    private JsonNode next() throws IOException {
        digest.update(before);
        line++;
        before = line();
        try {
            return Json.read(text(before));
        } catch (JsonProcessingException e) {
            throw unusable("is not JSON: the backup is cut off, or the file is not a backup of Numera", e);
        }
    }

    /** Reads the next line, including its line feed. */
    private byte[] line() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        do {
            if (!fill()) {
                throw unusable(
                        bytes.size() == 0
                                ? "is missing, and so is the last line, which counts the rows: the backup is cut off"
                                : "has no line feed at its end: the backup is cut off");
            }
            int from = at;
            while (at < filled && buffer[at] != '\n') {
                at++;
            }
            at = Math.min(at + 1, filled);
            bytes.write(buffer, from, at - from);
        } while (buffer[at - 1] != '\n');
        return bytes.toByteArray();
    }

    /** Refills the buffer if it is empty. Returns whether at least one more byte exists. */
    private boolean fill() throws IOException {
        if (at == filled) {
            at = 0;
            filled = Math.max(0, plain.read(buffer, 0, BUFFER_BYTES));
        }
        return filled > 0;
    }

    /**
     * Returns the JSON text of a line. The checksum does not cover the last line, so this method refuses any line that
     * is not in its original form: UTF-8, one object, and a single line feed at the end.
     */
    private String text(byte[] bytes) throws IOException {
        String text;
        try {
            text = UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, bytes.length - 1))
                    .toString();
        } catch (CharacterCodingException e) {
            throw unusable("is not in UTF-8: the backup is damaged, or the file is not a backup of Numera", e);
        }
        if (text.indexOf('\r') >= 0) {
            throw unusable("has a carriage return, but each line ends with a line feed alone: another program changed"
                    + " the file. Use the original file");
        }
        if (!text.startsWith("{") || !text.endsWith("}")) {
            throw unusable("is not a single JSON object: the backup is cut off, or the file is not a backup of Numera");
        }
        return text;
    }

    private Instant startedAt(JsonNode header) throws IOException {
        if (!header.path("format").asText().equals(BackupWriter.FORMAT)) {
            throw unusable("is not the first line of a backup of Numera");
        }
        JsonNode version = header.path("version");
        if (!version.isInt() || version.intValue() != BackupWriter.VERSION) {
            throw unusable("has version " + version.asText() + ", but this program reads version "
                    + BackupWriter.VERSION + ": use the release that wrote the backup, or a newer one");
        }
        try {
            return Instant.parse(header.path("startedAt").asText());
        } catch (DateTimeException e) {
            throw unusable("does not say when the backup was started", e);
        }
    }

    private String account(JsonNode header) throws IOException {
        JsonNode account = header.path("account");
        if (!account.isMissingNode() && !account.isTextual()) {
            throw unusable("names the storage account by a value that is no string");
        }
        return account.asText();
    }

    private BackupRow row(JsonNode json) throws IOException {
        try {
            return BackupRow.read(json);
        } catch (IllegalArgumentException e) {
            throw unusable("is no row: " + e.getMessage(), e);
        }
    }

    private void requireTrailer(JsonNode trailer, long rows, String checksum) throws IOException {
        if (!trailer.path("rows").isIntegralNumber() || !trailer.path("rows").canConvertToLong()) {
            throw unusable("is neither a row nor the last line, which counts the rows");
        }
        if (trailer.get("rows").longValue() != rows) {
            throw unusable("counts " + trailer.get("rows") + " rows, but there are " + rows);
        }
        if (!trailer.path("sha256").asText().equals(checksum)) {
            throw unusable("has another checksum than the lines before it: one of them was changed");
        }
        if (fill()) {
            line++;
            throw unusable("comes after the last line");
        }
        if (plain instanceof OneGzip gzip && !gzip.isAll()) {
            throw new IOException(
                    name + " has bytes after its end, which another program added. Use the original" + " file.");
        }
    }

    private IOException unusable(String why) {
        return unusable(why, null);
    }

    private IOException unusable(String why, @Nullable Throwable cause) {
        return new IOException("Line " + line + " of " + name + " " + why + ".", cause);
    }
}
