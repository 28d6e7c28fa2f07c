package dev.numera.azure.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.maintain.restore.BackupReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** A backup is read back unchanged. A file that is truncated or changed anywhere is refused with the reason. */
class BackupFileTest {
    private static final Instant STARTED_AT = Instant.parse("2026-11-23T02:00:00Z");
    private static final InstantSource CLOCK = InstantSource.fixed(STARTED_AT);
    private static final BackupRow ROW = new BackupRow(
            "numeracounters",
            "shop:invoice",
            "counter:2026",
            new TreeMap<>(Map.of(
                    "next",
                    Long.MAX_VALUE,
                    "small",
                    7L,
                    "count",
                    7,
                    "cycle",
                    true,
                    "text",
                    "\u2028 \u6570 \uD83D\uDE00 \" \\ \n 42",
                    "empty",
                    "")));

    private static byte[] backup(BackupRow... rows) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BackupWriter writer = new BackupWriter(bytes, "account", CLOCK);
        for (BackupRow row : rows) {
            writer.take(row);
        }
        assertEquals(rows.length, writer.finish());
        return bytes.toByteArray();
    }

    private static String unpacked(byte[] backup) throws IOException {
        return new String(new GZIPInputStream(new ByteArrayInputStream(backup)).readAllBytes(), UTF_8);
    }

    private static List<BackupRow> read(byte[] backup) throws IOException {
        List<BackupRow> rows = new ArrayList<>();
        BackupReader.Contents contents = BackupReader.read("it", new ByteArrayInputStream(backup), rows::add);
        assertEquals("account", contents.account());
        assertEquals(STARTED_AT, contents.startedAt());
        assertEquals(rows.size(), contents.rows());
        assertEquals(64, contents.checksum().length());
        return rows;
    }

    private static String refused(byte[] backup) {
        return assertThrows(IOException.class, () -> read(backup)).getMessage();
    }

    private static String refused(String lines) {
        return refused(lines.getBytes(UTF_8));
    }

    @Test
    void restoresEveryKindOfValue() throws IOException {
        BackupRow bare = new BackupRow("numerasequences", "shop", "invoice", new TreeMap<>());

        assertEquals(List.of(ROW, bare), read(backup(ROW, bare)));
        assertEquals(List.of(), read(backup()));
    }

    /** The format that docs/operations.md describes. */
    @Test
    void hasTheFormOfThePage() throws Exception {
        String hash = HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256")
                        .digest(
                                """
                                {"format":"numera-backup","version":1,"account":"account","startedAt":"2026-11-23T02:00:00Z"}
                                {"table":"t","partitionKey":"p","rowKey":"r","properties":{"a":"x","b":1,"c":true,"d":{"int64":"42"}}}
                                """
                                        .getBytes(UTF_8)));
        BackupRow row = new BackupRow("t", "p", "r", new TreeMap<>(Map.of("a", "x", "b", 1, "c", true, "d", 42L)));

        assertEquals(
                """
                {"format":"numera-backup","version":1,"account":"account","startedAt":"2026-11-23T02:00:00Z"}
                {"table":"t","partitionKey":"p","rowKey":"r","properties":{"a":"x","b":1,"c":true,"d":{"int64":"42"}}}
                {"rows":1,"sha256":"HASH","finishedAt":"2026-11-23T02:00:00Z"}
                """
                        .replace("HASH", hash),
                unpacked(backup(row)));
    }

    @Test
    void unpackedFileIsReadToo() throws IOException {
        assertEquals(List.of(ROW), read(unpacked(backup(ROW)).getBytes(UTF_8)));
    }

    @Test
    void refusesATruncatedFile() throws IOException {
        byte[] whole = backup(ROW, ROW);
        for (int length = 0; length < whole.length; length++) {
            refused(Arrays.copyOf(whole, length));
        }
        String lines = unpacked(whole);
        for (int length = 0; length < lines.length() - 1; length++) {
            refused(lines.substring(0, length));
        }
    }

    @Test
    void aLineThatIsChangedTakenAwayOrAddedIsRefused() throws IOException {
        String lines = unpacked(backup(ROW, ROW));
        String row = lines.lines().toList().get(1) + "\n";

        assertTrue(refused(lines.replace("\"7\"", "\"8\"")).startsWith("Line 4 of it has another checksum"));
        assertTrue(refused(lines.replaceFirst("startedAt\":\"2026", "startedAt\":\"2025"))
                .startsWith("Line 4 of it has another checksum"));
        assertEquals("Line 3 of it counts 2 rows, but there are 1.", refused(lines.replace(row + row, row)));
        assertEquals("Line 5 of it comes after the last line.", refused(lines + row));
    }

    /** The checksum does not cover the last line, and other line ends were once read as line feeds. */
    @Test
    void refusesOtherLineEndsAndWhatSurroundsTheLastLine() throws IOException {
        String lines = unpacked(backup(ROW));
        String trailer = lines.lines().toList().get(2);

        for (String changed : List.of(
                lines.replace("\n", "\r\n"),
                lines.replaceFirst("\n", "\r\n"),
                lines.replace(trailer + "\n", trailer + "\r\n"))) {
            assertTrue(refused(changed).contains(" has a carriage return, but each line ends with a line feed alone"));
        }
        assertTrue(refused(lines.replace("\n", "\r")).startsWith("Line 1 of it has no line feed at its end"));
        assertTrue(
                refused(lines.replace(trailer, trailer + " ")).startsWith("Line 3 of it is not a single JSON object"));
        assertTrue(
                refused(lines.replace(trailer, " " + trailer)).startsWith("Line 3 of it is not a single JSON object"));
        assertEquals(
                "Line 3 of it has no line feed at its end: the backup is cut off.",
                refused(lines.substring(0, lines.length() - 1)));
        for (String more : List.of("\n", "\0", " ", "\r", "{}")) {
            assertEquals("Line 4 of it comes after the last line.", refused(lines + more));
        }
    }

    @Test
    void refusesBytesAfterThePackedFile() throws IOException {
        byte[] whole = backup(ROW);
        ByteArrayOutputStream empty = new ByteArrayOutputStream();
        new GZIPOutputStream(empty).close();

        for (byte[] more : List.of(new byte[1], new byte[100], "\n".getBytes(UTF_8), empty.toByteArray())) {
            byte[] longer = Arrays.copyOf(whole, whole.length + more.length);
            System.arraycopy(more, 0, longer, whole.length, more.length);
            assertTrue(refused(longer).startsWith("it has bytes after its end"), () -> more.length + " bytes");
        }
        byte[] twice = Arrays.copyOf(whole, 2 * whole.length);
        System.arraycopy(whole, 0, twice, whole.length, whole.length);
        assertEquals("Line 4 of it comes after the last line.", refused(twice));
    }

    @Test
    void refusesALineThatIsNotUtf8() throws IOException {
        byte[] lines = unpacked(backup(ROW)).getBytes(UTF_8);
        lines[lines.length / 2] = (byte) 0xff;

        assertTrue(refused(lines).contains(" is not in UTF-8"));
    }

    @Test
    void namesTheFlawOfAnInvalidFile() throws IOException {
        String lines = unpacked(backup(ROW));

        assertEquals("Line 1 of it is not the first line of a backup of Numera.", refused("{\"table\":\"t\"}\n"));
        assertTrue(refused(lines.replace("\"version\":1", "\"version\":2"))
                .startsWith("Line 1 of it has version 2, but this program reads version 1"));
        assertEquals(
                "Line 2 of it is no row: its property count has a value of no known kind.",
                refused(lines.replace("\"count\":7", "\"count\":7.5")));
        assertEquals("Line 2 of it is no row: it has no rowKey.", refused(lines.replace("\"rowKey\"", "\"row\"")));
        assertEquals(
                "Line 2 of it is neither a row nor the last line, which counts the rows.",
                refused(lines.replace("\"table\"", "\"chair\"")));
    }

    @Test
    void refusesAnAccountThatIsNoString() throws IOException {
        String text = unpacked(backup()).replace("\"account\":\"account\"", "\"account\":[]");
        String message = refused(text.getBytes(UTF_8));
        assertTrue(message.startsWith("Line 1 of it names the storage account by a value that is no string"), message);
    }

    /** Another program may write such values into the tables, and a backup without them would be incomplete. */
    @Test
    void namesAValueOfAnotherType() throws IOException {
        BackupWriter writer = new BackupWriter(new ByteArrayOutputStream(), "account", CLOCK);
        BackupRow odd = new BackupRow("t", "p", "r", new TreeMap<>(Map.of("weight", 1.5)));

        String message = assertThrows(IllegalArgumentException.class, () -> writer.take(odd))
                .getMessage();
        assertTrue(message.startsWith("The property weight of the row r of p in table t has the type Double"), message);
    }
}
