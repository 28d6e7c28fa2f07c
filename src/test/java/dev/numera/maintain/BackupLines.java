package dev.numera.maintain;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.numera.core.model.Sha256;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Reads and writes backups as any program can: gzip and lines. */
final class BackupLines {
    private BackupLines() {}

    static List<String> of(Path file) throws IOException {
        return of(Files.readAllBytes(file));
    }

    static List<String> of(byte[] backup) throws IOException {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(backup))) {
            return new String(in.readAllBytes(), UTF_8).lines().toList();
        }
    }

    /** Returns the lines except the first and the last. */
    static List<String> rowsOf(Path file) throws IOException {
        List<String> lines = of(file);
        return lines.subList(1, lines.size() - 1);
    }

    static byte[] packed(List<String> lines) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write((String.join("\n", lines) + "\n").getBytes(UTF_8));
        }
        return bytes.toByteArray();
    }

    /** Writes a backup of these lines to a file, with a last line that fits them; returns the file. */
    static Path closed(List<String> lines, Path file) throws IOException {
        List<String> rows = lines.subList(0, lines.size() - 1);
        String checksum = checksum(String.join("\n", rows) + "\n");
        List<String> all = new ArrayList<>(rows);
        all.add("{\"rows\":" + (rows.size() - 1) + ",\"sha256\":\"" + checksum
                + "\",\"finishedAt\":\"2026-11-28T00:00:00Z\"}");
        return Files.write(file, packed(all));
    }

    private static String checksum(String text) {
        Sha256 sha256 = new Sha256();
        sha256.add(text);
        return sha256.hex();
    }
}
