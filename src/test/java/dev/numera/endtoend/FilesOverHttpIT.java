package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.ForeignFile;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.SharedHost;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files as accounting programs and spreadsheets write them, each imported by one call. */
class FilesOverHttpIT {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final String YEARLY = "\"guarantee\": \"gapless\", \"resetEvery\": \"year\", \"timeZone\": \"UTC\"";

    private final NumeraClient client = SharedHost.client();

    @Test
    void anErpWritesWindows1252() {
        define("erp", ForeignFile.ERP_DE);

        JsonNode done = imported("erp", ForeignFile.ERP_DE);

        assertEquals("imported", done.get("status").textValue(), done::toString);
        assertEquals(
                List.of(
                        "A-1001 1 2025-01-02 issued null",
                        "A-1002 2 2025-01-02 issued null",
                        "A-1003 3 2025-01-07 void storniert",
                        "A-1005 5 2025-01-09 issued null",
                        "A-1006 6 2025-01-31 issued null"),
                ledger("erp", "date=2025-06-01"));
        JsonNode gap = get("erp", "/check?date=2025-06-01").at("/gaps/0");
        assertEquals(
                "4 4 unimported",
                "%s %s %s"
                        .formatted(
                                gap.get("first"),
                                gap.get("last"),
                                gap.get("kind").textValue()));
        assertTrue(csv("erp", done).contains("A-1003;Café Olé;"), () -> csv("erp", done));
    }

    @Test
    void aSpreadsheetLeavesAnEmptyTail() {
        define("tail", ForeignFile.EXCEL_DE);

        imported("tail", ForeignFile.EXCEL_DE);

        assertEquals(
                List.of(
                        "K-1 1 2025-03-31 issued null",
                        "K-2 2 2025-04-01 void storniert",
                        "K-3 3 2025-04-01 issued null"),
                ledger("tail", "from=1"));
    }

    @Test
    void numbersHaveGroupsOnlyAsStated() {
        define("groups", ForeignFile.EXCEL_US);
        Map<String, String> withoutGroups = new TreeMap<>(ForeignFile.EXCEL_US.meant());
        withoutGroups.remove("grouping");

        JsonNode refused = imported("groups", "03-excel-us.csv", withoutGroups);
        assertEquals("rejected", refused.get("status").textValue());
        assertTrue(
                refused.at("/rows/0/problem/detail").textValue().contains("'1,041' in the column 'Invoice No'"),
                refused::toString);
        imported("groups", ForeignFile.EXCEL_US);

        assertEquals(
                List.of(
                        "SO-77 1041 2025-01-31 issued null",
                        "SO-78 1042 2025-02-01 void voided",
                        "SO-79 1043 2025-12-02 issued null"),
                ledger("groups", "from=1"));
    }

    @ParameterizedTest
    @CsvSource({"day, dd.MM.yyyy, 2025-04-03, 2025-06-05", "month, MM.dd.yyyy, 2025-03-04, 2025-05-06"})
    void anAmbiguousDateIsStated(String name, String format, String first, String second) {
        define(name + "-first", "{\"timeZone\": \"UTC\"}");

        String refused = refused(name + "-first", "04-ambiguous.csv", Map.of());
        assertTrue(refused.startsWith("line 2 has the date '03.04.2025' in the column 'date'"), refused);
        assertTrue(refused.contains("dateFormat"), refused);
        imported(name + "-first", "04-ambiguous.csv", Map.of("dateFormat", format));

        assertEquals(
                List.of("a 1 " + first + " issued null", "b 2 " + second + " issued null"),
                ledger(name + "-first", "from=1"));
    }

    @Test
    void aColumnWithSeveralNotationsIsRefused() {
        define("mixed", "{}");

        JsonNode errors = send("mixed", "05-mixed.csv", Map.of("dateFormat", "dd.MM.yyyy"))
                .expectProblem(400, "invalid-request")
                .body()
                .get("errors");

        assertEquals(List.of("line 4", "line 3"), texts(errors, "field"), errors::toString);
        assertTrue(errors.at("/0/reason").textValue().contains("'2025-03-01'"), errors::toString);
        assertEquals(List.of(), ledger("mixed", "from=1"));
    }

    @Test
    void cellsThatASpreadsheetChangedAreRefusedByName() {
        define("damaged", "{}");

        JsonNode done = imported("damaged", "06-damaged.csv", Map.of());

        assertEquals(0, done.at("/counts/imported").intValue());
        List<String> details = StreamSupport.stream(done.get("rows").spliterator(), false)
                .map(row -> row.get("line") + " " + row.at("/problem/detail").textValue())
                .sorted()
                .toList();
        assertTrue(details.get(0).startsWith("2 key is '4,70012E+12' in the column 'key', because a spreadsheet"));
        assertTrue(details.get(1).contains("'45679' in the column 'date', which is how a spreadsheet counts days"));
        assertTrue(details.get(2).contains("'#NV' in the column 'date', an error value"));
    }

    @Test
    void unicodeTextOfASpreadsheetIsUtf16() {
        define("utf16", "{\"timeZone\": \"UTC\"}");

        JsonNode refused = imported("utf16", "07-unicode-text.txt", Map.of());
        assertEquals("3", refused.at("/rows/1/line").asText(), refused::toString);
        assertEquals("reason", refused.at("/rows/1/problem/errors/0/field").textValue(), refused::toString);
        Reply asText = client.send(client.request(path("utf16") + "/imports?ignore=Reason")
                .header("Content-Type", "text/csv")
                .POST(BodyPublishers.ofByteArray(ForeignFile.bytes("07-unicode-text.txt"))));
        await(asText.expect(202).location());

        assertEquals(
                List.of("π-1 1 2025-01-02 issued null", "π-2 2 2025-01-03 issued null"), ledger("utf16", "from=1"));
    }

    @Test
    void spanishInvoicesHaveTwoDigitYears() {
        define("spain", ForeignFile.ES);

        imported("spain", ForeignFile.ES);

        assertEquals(
                List.of(
                        "P-1 1 2025-01-02 issued null",
                        "P-2 2 2025-01-15 void Error en el NIF",
                        "P-3 3 2025-02-28 issued null"),
                ledger("spain", "date=2025-06-01"));
    }

    @ParameterizedTest
    @CsvSource({"true, would-import", "false, imported"})
    void rowsThatContradictOneAnotherNameTheOtherLine(String dryRun, String outcome) {
        define("twice-" + dryRun, "{\"timeZone\": \"UTC\"}");

        JsonNode done = imported("twice-" + dryRun, "09-duplicates.csv", Map.of("dryRun", dryRun));

        assertEquals(4, done.at("/counts/refused").intValue(), done::toString);
        List<String> refused = new ArrayList<>();
        StreamSupport.stream(
                        get("twice-" + dryRun, "/imports/" + done.get("id").textValue() + "?outcome=refused")
                                .get("rows")
                                .spliterator(),
                        false)
                .forEach(row -> refused.add(row.get("line") + "-" + row.at("/problem/line")));
        assertEquals(
                List.of("10-1502", "1502-10", "1503-701", "701-1503"),
                refused.stream().sorted().toList());
        assertEquals(outcome, done.at("/rows/0/outcome").textValue(), done::toString);
    }

    @Test
    void aColumnThatLooksLikeAStatusIsMappedOrIgnored() {
        define("headers", "{\"timeZone\": \"UTC\"}");

        String refused = refused("headers", "10-headers.csv", Map.of());
        assertTrue(refused.startsWith("statusColumn is required, or ignore with the column 'Storno'"), refused);
        Map<String, String> mapped = Map.of("statusColumn", "storno", "statusMap", "x=void");
        String without = refused("headers", "10-headers.csv", mapped);
        assertTrue(without.startsWith("reason is required, because the row in line 3 is void"), without);
        imported("headers", ForeignFile.HEADERS);

        assertEquals(
                List.of("A-1 1 2024-01-02 issued null", "A-2 2 2024-01-03 void Storno"), ledger("headers", "from=1"));
    }

    @Test
    void aReportHasATitleAndATotal() {
        define("report", "{\"timeZone\": \"UTC\"}");
        Map<String, String> meant = ForeignFile.REPORT.meant();

        String refused = refused("report", "11-report.csv", Map.of());
        assertTrue(refused.contains("line 1 is read as the header line, unless headerLine states another"), refused);
        imported("report", ForeignFile.REPORT);

        assertEquals(
                List.of("A-1 1 2025-01-02 issued null", "A-2 2 2025-01-03 issued null"), ledger("report", "from=1"));
        String absent = refused("report", "11-report.csv", with(meant, "until", "Total"));
        assertEquals("until must be the first cell of a row, but no row begins with 'Total'.", absent);
        assertTrue(refused("report", "11-report.csv", with(meant, "headerLine", "40"))
                .startsWith("headerLine must be a line of the file"));
    }

    @Test
    void ourOwnRefusedRowsComeBackFromASpreadsheet() {
        define("own", "{\"timeZone\": \"UTC\"}");

        imported("own", ForeignFile.OURS_SAVED_BY_EXCEL);

        assertEquals(
                List.of("+49-1 2 2026-01-05 issued null", "=A1 3 2026-01-06 issued null"), ledger("own", "from=1"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "01-erp-de.csv | encoding=utf-8       | line 2 has the byte 0xFC",
                "01-erp-de.csv |                      | line 2 has the byte 0xFC",
                "01-erp-de.csv | encoding=utf-16      | encoding is utf-16, but the file has no byte order mark",
                "01-erp-de.csv | encoding=ebcdic      | encoding must be one of utf-8, windows-1252",
                "02-excel-de.csv | encoding=iso-8859-1 | encoding is iso-8859-1, but the file begins with the byte order",
                "04-ambiguous.csv | dateFormat=yyyy   | dateFormat must have exactly one month",
                "04-ambiguous.csv | dateFormat=dd.MM.yy | century is required with yy",
                "04-ambiguous.csv | century=1950      | century is for a dateFormat with yy only",
                "04-ambiguous.csv | grouping=.&decimal=. | decimal must be another character than grouping",
                "04-ambiguous.csv | grouping=1        | grouping must be one character",
                "04-ambiguous.csv | statusMap=ja      | statusMap must have pairs such as",
                "04-ambiguous.csv | statusMap=ja=void,JA=issued | statusMap must have the word 'ja' only once",
                "04-ambiguous.csv | dateFormat=dd.MM.yyyy&maxNumber=1 | line 3 has the number 2, which is beyond maxNumber 1",
                "04-ambiguous.csv | ignore=none       | ignore must have names of columns only",
            })
    void aWrongStatementIsRefusedByName(String file, String query, String detail) {
        define("wrong-files", "{\"timeZone\": \"UTC\"}");

        String found = sendQuery("wrong-files", file, query == null ? "" : query)
                .expectProblem(400, "invalid-request")
                .body()
                .get("detail")
                .textValue();

        assertTrue(found.startsWith(detail), found);
        assertEquals(List.of(), ledger("wrong-files", "from=1"));
    }

    @Test
    void aTextBodyInAnotherEncodingIsRefused() {
        define("text-body", "{}");
        Reply refused = client.send(client.request(path("text-body") + "/imports?encoding=windows-1252")
                .header("Content-Type", "text/csv")
                .POST(BodyPublishers.ofByteArray(ForeignFile.bytes("01-erp-de.csv"))));

        assertTrue(refused.expectProblem(400, "invalid-request")
                .body()
                .get("detail")
                .textValue()
                .endsWith("Content-Transfer-Encoding: base64."));
        Reply contradiction = client.send(client.request(path("text-body") + "/imports?encoding=windows-1252")
                .header("Content-Type", "text/csv; charset=UTF-8")
                .POST(BodyPublishers.ofString("key,number\na,1\n")));
        assertEquals(
                "encoding is windows-1252, but the Content-Type has the charset utf-8: state one of them.",
                contradiction
                        .expectProblem(400, "invalid-request")
                        .body()
                        .get("detail")
                        .textValue());
    }

    /** A list whose dates are overlooked gets numbers of the day of the upload, forever. */
    @Test
    void aListToNumberNamesItsDatesToo() {
        define("list", "{" + YEARLY + ", \"format\": \"{yyyy}-{n}\"}");
        String list = "key;Belegdatum\na;31.12.2024\n";

        String detail = upload("list", "", list)
                .expectProblem(400, "invalid-request")
                .body()
                .get("detail")
                .textValue();
        assertTrue(detail.startsWith("dateColumn is required, or ignore with the column 'Belegdatum'"), detail);
        await(upload("list", "?dateColumn=belegdatum&dateFormat=dd.MM.yyyy", list)
                .expect(202)
                .location());
        await(upload("list", "?ignore=Belegdatum", list.replace("a;", "b;"))
                .expect(202)
                .location());

        assertEquals(List.of("a 1 2024-12-31 issued null"), ledger("list", "date=2024-01-01"));
    }

    @Test
    void inspectionShowsHowAFileIsReadAndStoresNothing() {
        define("look", "{" + YEARLY + ", \"format\": \"RE-{yyyy}-{n:5}\"}");

        JsonNode open = inspected("look", "01-erp-de.csv", Map.of());

        assertEquals("windows-1252", open.get("encoding").textValue(), open::toString);
        assertEquals(";", open.get("separator").textValue());
        assertEquals(5, open.get("rows").intValue());
        assertEquals(
                List.of("texts", "dates", "keys", "keys", "keys", "statuses"),
                texts(open.get("columns"), "looksLike"),
                open::toString);
        assertEquals("[\"dd.MM.yyyy\"]", open.at("/columns/1/dateFormats").toString());
        assertEquals(
                "{\"dateColumn\":\"Belegdatum\",\"dateFormat\":\"dd.MM.yyyy\",\"encoding\":\"windows-1252\",\"textColumn\":\"Belegnr\"}",
                open.get("parameters").toString());
        assertEquals(List.of("keyColumn"), texts(open.get("problems"), "field"), open::toString);
        assertTrue(open.path("samples").isMissingNode(), open::toString);
        Map<String, String> meant = Map.of(
                "keyColumn", "Auftrag", "statusColumn", "Storniert", "statusMap", "ja=void,nein=issued", "reason", "S");

        JsonNode whole = inspected("look", "01-erp-de.csv", meant);

        assertEquals(0, whole.get("problems").size(), whole::toString);
        assertEquals(
                "{\"line\":2,\"key\":\"A-1001\",\"number\":1,\"text\":\"RE-2025-00001\",\"date\":\"2025-01-02\",\"status\":\"issued\"}",
                whole.at("/samples/0").toString());
        assertEquals("void", whole.at("/samples/2/status").textValue());
        assertEquals(
                "{\"count\":1,\"first\":[{\"period\":\"2025\",\"first\":4,\"last\":4}]}",
                whole.get("gaps").toString());
        assertEquals(
                "{\"numbers\":5,\"firstDate\":\"2025-01-02\",\"lastDate\":\"2025-01-31\",\"firstNumber\":1,\"lastNumber\":6,"
                        + "\"firstText\":\"RE-2025-00001\",\"lastText\":\"RE-2025-00006\"}",
                whole.get("range").toString());
        assertEquals(List.of(), ledger("look", "date=2025-06-01"));
        assertEquals(0, get("look", "/imports").get("imports").size());
    }

    @Test
    void inspectionSuggestsNoReadingThatIsInDoubt() {
        define("doubt", "{\"timeZone\": \"UTC\"}");

        JsonNode ambiguous = inspected("doubt", "04-ambiguous.csv", Map.of());
        assertEquals("ambiguous-dates", ambiguous.at("/columns/2/looksLike").textValue(), ambiguous::toString);
        assertEquals(
                "[\"dd.MM.yyyy\",\"MM.dd.yyyy\"]",
                ambiguous.at("/columns/2/dateFormats").toString());
        assertEquals("{}", ambiguous.get("parameters").toString());
        JsonNode mixed = inspected("doubt", "05-mixed.csv", Map.of());
        assertEquals("keys", mixed.at("/columns/2/looksLike").textValue(), mixed::toString);
        JsonNode us = inspected("doubt", "03-excel-us.csv", Map.of("keyColumn", "Order", "numberColumn", "Invoice No"));
        assertEquals("M/d/yyyy", us.at("/parameters/dateFormat").textValue(), us::toString);
        JsonNode twice = inspected("doubt", "09-duplicates.csv", Map.of());
        assertEquals(
                "{\"line\":10,\"otherLine\":1502,\"kind\":\"same-key\"}",
                twice.at("/repeated/first/0").toString(),
                twice::toString);
        assertEquals(4, twice.at("/repeated/contradicting").intValue());
        assertEquals(4, twice.at("/refused/count").intValue());
        assertEquals(1_498, twice.at("/range/numbers").intValue());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3/2/2025 9:05 | 3/14/2025 13:59 | M/d/yyyy H:mm",
                "3/2/2025 9:05 AM | 3/14/2025 1:59 PM | M/d/yyyy h:mm a"
            })
    void inspectionSuggestsTheTimesOfAnAmericanFile(String morning, String afternoon, String format) {
        String name = "times-" + morning.length();
        define(name, "{\"timeZone\": \"UTC\"}");
        String list = "key,number,when\nO-1,1," + morning + "\nO-2,2," + afternoon + "\n";

        JsonNode inspected = client.send("POST", path(name) + "/imports/inspect", list, "Content-Type", "text/csv")
                .expect(200)
                .body();

        assertEquals(format, inspected.at("/parameters/dateFormat").textValue(), inspected::toString);
    }

    private JsonNode inspected(String name, String file, Map<String, String> query) {
        return sendTo(name, "/imports/inspect", file, ForeignFile.query(query))
                .expect(200)
                .body();
    }

    private Reply upload(String name, String query, String list) {
        return client.send("POST", path(name) + "/batches" + query, list, "Content-Type", "text/csv");
    }

    private void define(String name, String definition) {
        client.send("PUT", path(name), definition, "If-None-Match", "*");
    }

    private void define(String name, ForeignFile file) {
        define(name, file.definition());
    }

    private JsonNode imported(String name, ForeignFile file) {
        return imported(name, file.file(), file.meant());
    }

    private JsonNode imported(String name, String file, Map<String, String> query) {
        return await(send(name, file, query).expect(202).location());
    }

    private String refused(String name, String file, Map<String, String> query) {
        return send(name, file, query)
                .expectProblem(400, "invalid-request")
                .body()
                .get("detail")
                .textValue();
    }

    private JsonNode await(String location) {
        return client.awaitUpload(location, TIMEOUT, SharedHost.process()::output)
                .body();
    }

    private Reply send(String name, String file, Map<String, String> query) {
        return sendQuery(name, file, ForeignFile.query(query));
    }

    private Reply sendQuery(String name, String file, String query) {
        return sendTo(name, "/imports", file, query);
    }

    private Reply sendTo(String name, String call, String file, String query) {
        return client.send(
                "POST",
                path(name) + call + (query.isEmpty() ? "" : "?" + query),
                ForeignFile.base64(file),
                "Content-Type",
                "text/csv",
                "Content-Transfer-Encoding",
                "base64");
    }

    private List<String> ledger(String name, String query) {
        return StreamSupport.stream(get(name, "/ledger?" + query).get("entries").spliterator(), false)
                .filter(entry -> entry.has("key"))
                .map(entry -> String.join(
                        " ",
                        entry.get("key").textValue(),
                        entry.get("first").asText(),
                        entry.path("date").asText(),
                        entry.path("status").asText("issued"),
                        String.valueOf(entry.path("reason").textValue())))
                .toList();
    }

    private String csv(String name, JsonNode done) {
        return client.send(
                        client.request(path(name) + "/imports/" + done.get("id").textValue())
                                .header("Accept", "text/csv"))
                .expect(200)
                .raw()
                .body();
    }

    private JsonNode get(String name, String call) {
        return client.get(path(name) + call).expect(200).body();
    }

    private static List<String> texts(JsonNode array, String field) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(item -> item.get(field).textValue())
                .toList();
    }

    private static Map<String, String> with(Map<String, String> some, String name, String value) {
        Map<String, String> all = new TreeMap<>(some);
        all.put(name, value);
        return all;
    }

    private static String path(String name) {
        return "/api/sequences/files/" + name;
    }
}
