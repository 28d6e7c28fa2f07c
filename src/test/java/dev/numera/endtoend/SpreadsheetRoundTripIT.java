package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.fixtures.ForeignFile;
import dev.numera.fixtures.LibreOffice;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.SharedHost;
import dev.numera.functions.http.CsvCell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that were written for a spreadsheet, opened and saved by LibreOffice Calc, and read again. */
@Tag("long")
class SpreadsheetRoundTripIT {
    private static final Path CELLS = Path.of("src/test/resources/dev/numera/functions/csv-cells.json");
    private static final String[] CREATE = {"If-None-Match", "*"};
    private static final String[] CSV = {"Content-Type", "text/csv"};
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final int RANDOM_CELLS = 20_000;

    /** Fragments of numbers, dates, times and amounts in both languages; a bar stands for a space. */
    private static final List<String> FRAGMENTS = List.of(
            ("0 1 3 12 25 31 2025 0047 1234567890123456 . , - / : + ( ) % € $ E e T Z AM pm Mar März mai May Dez Dec"
                            + " Sept Mo Fri Montag Monday TRUE wahr EUR DM Uhr st x # ' \" = h W Q | \u00A0")
                    .split(" "));

    private static final List<String> KEYS = List.of(
            ("0047 1-2 3/4 1.2 31.03.2025 +491234567 12345678901234567 1E5 TRUE WAHR =A1 '0047 '=A1 cart-5cb1 Müller;|Söhne"
                            + " 4711 2025-11 1,5 5|EUR")
                    .replace(" ", "\n")
                    .replace('|', ' ')
                    .split("\n"));

    @TempDir
    private Path folder;

    private final NumeraClient client = SharedHost.client();

    @BeforeAll
    static void requireSpreadsheet() {
        LibreOffice.requireInstalled();
    }

    @ParameterizedTest
    @EnumSource
    void everyCellComesBack(LibreOffice spreadsheet) throws Exception {
        List<String> texts = new ArrayList<>(new ObjectMapper()
                .readValue(CELLS.toFile(), new TypeReference<Map<String, Object>>() {})
                .keySet());
        Random random = new Random(58);
        for (int i = 0; i < RANDOM_CELLS; i++) {
            texts.add(IntStream.rangeClosed(0, random.nextInt(6))
                    .mapToObj(part -> FRAGMENTS.get(random.nextInt(FRAGMENTS.size())))
                    .collect(Collectors.joining())
                    .replace('|', ' '));
        }
        // A spreadsheet keeps no carriage return within a cell.
        texts.removeIf(text -> text.isEmpty() || text.indexOf('\r') >= 0);
        CSVFormat format = CSVFormat.RFC4180.builder().get();
        String csv = texts.stream()
                .map(text -> format.format("k", CsvCell.preserved(text)) + "\r\n")
                .collect(Collectors.joining());

        List<CSVRecord> saved = records(spreadsheet.saved(csv, ',', folder), ',');

        assertEquals(texts.size(), saved.size());
        List<String> changed = IntStream.range(0, texts.size())
                .filter(row -> !CsvCell.meant(saved.get(row).get(1)).equals(texts.get(row)))
                .mapToObj(row -> texts.get(row) + " -> " + saved.get(row).get(1))
                .toList();
        assertEquals(List.of(), changed);
    }

    /** The ledger of one sequence, saved by a spreadsheet, is the import of another: both ledgers are then equal. */
    @ParameterizedTest
    @EnumSource
    void aLedgerComesBack(LibreOffice spreadsheet) throws Exception {
        String from = "/api/sequences/sheets/from-" + spreadsheet.ordinal();
        String to = "/api/sequences/sheets/to-" + spreadsheet.ordinal();
        String definition = "{\"guarantee\": \"gapless\", \"format\": \"{yyyy}-{n:5}\", \"resetEvery\": \"year\","
                + " \"timeZone\": \"Europe/Berlin\"}";
        List.of(from, to)
                .forEach(path -> client.send("PUT", path, definition, CREATE).expect(201));
        StringBuilder rows = new StringBuilder("key,number,date,status,reason\n");
        for (int i = 0; i < KEYS.size(); i++) {
            rows.append('"')
                    .append(KEYS.get(i))
                    .append("\",")
                    .append(i + 1)
                    .append(",2025-03-")
                    .append("%02d".formatted(i + 1))
                    .append(i % 3 == 0 ? ",void,1-2\n" : ",,\n");
        }
        assertEquals(
                "imported", imported(from, "", rows.toString()).get("status").textValue());
        String sheet = wholeLedger(from, "&for=spreadsheet&bom=true&separator=semicolon");

        String saved = spreadsheet.saved(sheet, ';', folder);

        JsonNode done = imported(to, "?ignore=text", saved);
        assertEquals("imported", done.get("status").textValue(), () -> done + "\n" + saved);
        assertEquals(ledger(from), ledger(to));
        assertEquals(KEYS.size() + 1, ledger(to).size());
    }

    /** A file of another program is imported once, and its ledger, saved by a spreadsheet, once more. */
    @ParameterizedTest
    @EnumSource
    void whatOtherProgramsWroteComesBack(LibreOffice spreadsheet) throws Exception {
        for (ForeignFile file : ForeignFile.values()) {
            String name = file.name().toLowerCase(Locale.ROOT) + "-" + spreadsheet.ordinal();
            String from = "/api/sequences/sheets/" + name;
            String to = from + "-again";
            List.of(from, to).forEach(path -> client.send("PUT", path, file.definition(), CREATE)
                    .expect(201));
            String[] base64 = {"Content-Type", "text/csv", "Content-Transfer-Encoding", "base64"};
            client.awaitUpload(
                    client.send(
                                    "POST",
                                    from + "/imports?" + ForeignFile.query(file.meant()),
                                    ForeignFile.base64(file.file()),
                                    base64)
                            .expect(202)
                            .location(),
                    TIMEOUT,
                    SharedHost.process()::output);
            String sheet = wholeLedger(from, "&for=spreadsheet&bom=true&separator=semicolon");
            // A number that the file lacks has no key, so its line is not imported again.
            String keyed = sheet.replaceAll("(?m)^advance;.*\r\n", "");

            String saved = spreadsheet.saved(keyed, ';', Files.createDirectory(folder.resolve(name)));

            JsonNode done = imported(to, "?ignore=text", saved);
            assertEquals("imported", done.get("status").textValue(), () -> file + " " + done + "\n" + saved);
            assertEquals(ledger(from), ledger(to), file::toString);
        }
    }

    /** Refused rows are corrected in a spreadsheet, and results of uploads sent again: each key stays the same. */
    @ParameterizedTest
    @EnumSource
    void resultsComeBack(LibreOffice spreadsheet) throws Exception {
        String path = "/api/sequences/sheets/again-" + spreadsheet.ordinal();
        client.send("PUT", path, "{\"guarantee\": \"gapless\"}", CREATE).expect(201);
        String list = "order,note\n"
                + KEYS.stream().map(key -> "\"" + key + "\",0815\n").collect(Collectors.joining());
        String location =
                client.send("POST", path + "/batches", list, CSV).expect(202).location();
        client.awaitUpload(location, TIMEOUT, SharedHost.process()::output);

        String saved = spreadsheet.saved(csv(location + "?for=spreadsheet&separator=tab"), '\t', folder);

        String again =
                client.send("POST", path + "/batches", saved, CSV).expect(202).location();
        JsonNode done =
                client.awaitUpload(again, TIMEOUT, SharedHost.process()::output).body();
        assertEquals(KEYS, texts(done.get("allocations"), "key"));
        assertEquals(
                KEYS.size() + 1L,
                client.send("POST", path + "/next?key=after", null).expect(200).first());
        String refused =
                "key,number\n" + KEYS.stream().map(key -> "\"" + key + "\",x\n").collect(Collectors.joining());
        JsonNode first = imported(path, "", refused);
        String corrected = spreadsheet.saved(
                csv(path + "/imports/" + first.get("id").textValue() + "?outcome=refused&for=spreadsheet"),
                ',',
                Files.createDirectory(folder.resolve("refused")));
        JsonNode second = imported(path, "?dryRun=true", corrected);
        assertEquals(KEYS, texts(second.get("rows"), "key"));
    }

    private static List<String> texts(JsonNode rows, String field) {
        List<String> texts = new ArrayList<>();
        rows.forEach(row -> texts.add(row.get(field).textValue()));
        return texts;
    }

    private JsonNode imported(String path, String query, String file) {
        String location = client.send("POST", path + "/imports" + query, file, CSV)
                .expect(202)
                .location();
        return client.awaitUpload(location, TIMEOUT, SharedHost.process()::output)
                .body();
    }

    private String csv(String path) {
        return client.send("GET", path, null, "Accept", "text/csv")
                .expect(200)
                .raw()
                .body();
    }

    /** Returns at most 2,000 numbers of the year 2025, or of a sequence that never resets. */
    private String wholeLedger(String path, String query) {
        String page = path + "/ledger?date=2025-01-01&limit=1000" + query;
        String next = csv(page + "&from=1001");
        return csv(page) + next.substring(next.indexOf('\n') + 1);
    }

    /** Returns the lines of a ledger without the times and the ids of imports. */
    private List<String> ledger(String path) throws IOException {
        return records(wholeLedger(path, ""), ',').stream()
                .map(line -> String.join("|", line.toList().subList(0, 7)) + "|" + line.get(8) + "|"
                        + line.get(9).replaceFirst("^import \\p{XDigit}{32}$", "import"))
                .toList();
    }

    private static List<CSVRecord> records(String csv, char separator) throws IOException {
        try (CSVParser parser = CSVParser.parse(
                csv, CSVFormat.RFC4180.builder().setDelimiter(separator).get())) {
            return parser.getRecords();
        }
    }
}
