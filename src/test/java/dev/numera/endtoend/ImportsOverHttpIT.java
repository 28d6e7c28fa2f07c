package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.Effort;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.SharedHost;
import java.nio.charset.Charset;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Imports of a company's old numbers, on the packaged app and a real Azurite. */
class ImportsOverHttpIT {
    private static final String[] CREATE = {"If-None-Match", "*"};
    private static final String[] CSV = {"Content-Type", "text/csv; charset=utf-8"};
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    /**
     * Invoices per year. {@code -Dinvoices=1700} imports the file of a whole company, which takes the emulator two
     * minutes.
     */
    private static final int INVOICES_A_YEAR = Effort.times(400);

    private static final int CALLERS = 64;

    private final NumeraClient client = SharedHost.client();

    /** Imports three years of a spreadsheet, with yearly resets, under the printed texts. */
    @Test
    @Tag("long")
    void importsThreeYearsOfInvoices() {
        define(
                "years",
                "{\"guarantee\": \"gapless\", \"format\": \"RE-{yyyy}/{n:5}\", \"resetEvery\": \"year\", \"timeZone\":"
                        + " \"UTC\"}");
        List<String> lines = new ArrayList<>();
        for (int year = 2024; year <= 2026; year++) {
            for (int number = 1; number <= INVOICES_A_YEAR; number++) {
                boolean isVoid = number == 17;
                lines.add("Rechnung %d-%d;\"Müller; Söhne \"\"GmbH\"\"\";RE-%d/%05d;%s;%s;%s"
                        .formatted(
                                year,
                                number,
                                year,
                                number,
                                LocalDate.ofYearDay(year, 1 + number / 6),
                                isVoid ? "void" : "",
                                isVoid ? "Storno" : ""));
            }
        }
        String file = "\uFEFFBeleg;Kunde;Nummer;Tag;Stand;Grund\r\n" + String.join("\r\n", lines) + "\r\n";
        String columns = "?keyColumn=Beleg&textColumn=Nummer&dateColumn=Tag&statusColumn=Stand&reasonColumn=Grund";

        JsonNode done = imported("years", columns, file);

        assertEquals("imported", done.get("status").textValue());
        assertEquals(3 * INVOICES_A_YEAR, done.at("/counts/imported").intValue());
        JsonNode old = allocate("years", "?key=Rechnung%202024-399").expect(200).body();
        assertEquals(399, old.get("first").longValue());
        assertEquals("RE-2024/00399", old.at("/texts/0").textValue());
        assertTrue(old.get("replayed").booleanValue());
        allocate("years", "?key=Rechnung%202025-17").expectProblem(409, "key-void");
        assertEquals(
                "RE-2025/%05d".formatted(INVOICES_A_YEAR + 1),
                allocate("years", "?key=new&date=2025-12-31")
                        .expect(200)
                        .body()
                        .at("/texts/0")
                        .textValue());
        JsonNode check = get("years", "/check?date=2024-05-05");
        assertEquals(0, check.get("gaps").size(), check::toString);
        assertEquals(INVOICES_A_YEAR, check.get("allocated").intValue());
        assertEquals(1, check.get("void").intValue());
        JsonNode entry = get("years", "/ledger?text=RE-2026/00042").at("/entries/0");
        assertEquals("import", entry.get("kind").textValue());
        assertEquals(
                entry, get("years", "/ledger?date=2026-01-01&from=42&to=42").at("/entries/0"));
        assertEquals("Rechnung 2026-42", entry.get("key").textValue());
        assertEquals(
                List.of("created", "imported"), texts(get("years", "/changes").get("changes"), "kind"));

        JsonNode again = imported("years", columns, file);
        assertEquals(3 * INVOICES_A_YEAR, again.at("/counts/alreadyThere").intValue());
        assertEquals("imported", again.get("status").textValue());
    }

    @Test
    void rowsThatCannotBeUnderstoodAreReportedWithTheirLinesAndTheOthersImported() {
        define("dates", "{}");
        String file = "Kunde;key;number;Tag\nx;A;1;2026-01-31\ny;B;2;2026-02-30\n\"z;1\";;three;\nw;D;4;\n";

        JsonNode done = imported("dates", "?dateColumn=Tag", file);

        assertEquals("partial", done.get("status").textValue());
        assertEquals(List.of("2 imported", "5 imported", "3 refused", "4 refused"), lines(done), done::toString);
        assertEquals("date", done.at("/rows/2/problem/errors/0/field").textValue(), done::toString);
        assertEquals(
                "Kunde;key;number;Tag;line;outcome;problem\r\n"
                        + "y;B;2;2026-02-30;3;refused;date must be a date such as 2026-11-21, but is '2026-02-30' in the"
                        + " column 'Tag'.\r\n"
                        + "\"z;1\";;three;;4;refused;key must have 1 to 255 characters.\r\n",
                csvOfRefused("dates", done));
    }

    private static List<String> lines(JsonNode done) {
        return StreamSupport.stream(done.get("rows").spliterator(), false)
                .map(row ->
                        row.get("line").intValue() + " " + row.get("outcome").textValue())
                .toList();
    }

    private String csvOfRefused(String name, JsonNode done) {
        return csv(name, done, "?outcome=refused");
    }

    private String csv(String name, JsonNode done, String query) {
        return client.send(
                        "GET",
                        path(name) + "/imports/" + done.get("id").textValue() + query,
                        null,
                        "Accept",
                        "text/csv")
                .expect(200)
                .raw()
                .body();
    }

    @Test
    void dryRunReportsWhatAnImportWouldDoAndDoesNothing() {
        define("tried", "{\"guarantee\": \"gapless\"}");
        assertEquals(1, allocate("tried", "?key=own").expect(200).first());
        String file = "key,number\nold-5,5\nown,1\nother,1\nagain,5\nbad,x\nold-7,7\n";

        JsonNode tried = imported("tried", "?dryRun=true", file);

        assertEquals("partial", tried.get("status").textValue());
        assertTrue(tried.get("dryRun").booleanValue());
        assertEquals(
                List.of("3 already-there", "4 refused", "2 refused", "5 refused", "7 would-import", "6 refused"),
                lines(tried));
        assertEquals(1, tried.at("/counts/wouldImport").intValue());
        assertEquals(0, tried.at("/counts/imported").intValue());
        assertEquals(2, get("tried", "/state").get("next").longValue());
        assertEquals(List.of("created"), texts(get("tried", "/changes").get("changes"), "kind"));
        assertEquals(
                List.of("already-there", "refused", "refused", "refused", "imported", "refused"),
                outcomes(imported("tried", "", file)));
    }

    /** The rows are spread over several parts, so only a pass over the whole file finds the contradictions. */
    @Test
    void rowsThatContradictOneAnotherAreRefusedInADryRunAndAnImportAlike() {
        define("duplicates", "{\"guarantee\": \"gapless\", \"timeZone\": \"UTC\", \"resetEvery\": \"year\"}");
        StringBuilder file = new StringBuilder("key,number,date\n");
        for (int number = 1; number <= 1_500; number++) {
            file.append("o-" + number + "," + number + ",2025-01-" + (10 + number / 100) + "\n");
        }
        file.append("o-9,1501,2025-12-30\no-1502,700,2025-12-31\no-20,20,2025-01-10\n");

        for (String query : List.of("?dryRun=true", "")) {
            JsonNode done = imported("duplicates", query, file.toString());

            assertEquals(1, done.at("/counts/alreadyThere").intValue(), query);
            assertEquals(
                    1_498,
                    done.at("/counts/imported").intValue()
                            + done.at("/counts/wouldImport").intValue());
            List<String> refused = new ArrayList<>();
            get("duplicates", done, "?outcome=refused")
                    .get("rows")
                    .forEach(row -> refused.add(row.get("line") + " and " + row.at("/problem/line")));
            assertEquals(List.of("10 and 1502", "701 and 1503", "1502 and 10", "1503 and 701"), refused, query);
            JsonNode equal = StreamSupport.stream(done.get("rows").spliterator(), false)
                    .filter(row -> row.get("line").intValue() == 1_504)
                    .findFirst()
                    .orElseThrow();
            assertEquals("already-there 21", equal.get("outcome").textValue() + " " + equal.get("equalLine"));
        }
    }

    /** Each row of the result shows the values in the ledger, so that the user notices an ignored column. */
    @Test
    void datesAndStatusesAreReadWhateverTheCaseOfTheirHeaders() {
        define("capitals", "{\"guarantee\": \"gapless\"}");
        String file = "Key, NUMBER ,Date,Status,Reason\na,1,2024-01-02,,\nb,2,2024-01-03,void,Wrong address\nc,x,,,\n";

        for (String query : List.of("?dryRun=true", "")) {
            JsonNode done = imported("capitals", query, file);

            assertEquals("2024-01-02", done.at("/rows/0/date").textValue(), done::toString);
            assertEquals("issued", done.at("/rows/0/status").textValue());
            assertEquals("2024-01-03", done.at("/rows/1/date").textValue());
            assertEquals("void", done.at("/rows/1/status").textValue());
            assertEquals("c", done.at("/rows/2/key").textValue());
            assertEquals(
                    "Key,\" NUMBER \",Date,Status,Reason,line,outcome,problem,stored_date,stored_status,stored_text",
                    csv("capitals", done, "").lines().findFirst().orElse(""));
        }
        JsonNode entry = get("capitals", "/ledger?key=b").at("/entries/0");
        assertEquals("2024-01-03", entry.get("date").textValue());
        assertEquals("void", entry.get("status").textValue());
        allocate("capitals", "?key=b").expectProblem(409, "key-void");
    }

    @Test
    void columnsThatLookLikeDatesOrStatusesAreNamedOrIgnored() {
        define("unused", "{\"guarantee\": \"gapless\"}");
        String file = "Key , Number,Tag,Storno\nA-1,1,2024-01-02,\nA-2,2,2024-01-03,x\n";

        Reply refused = send("unused", "", file, CSV).expectProblem(400, "invalid-request");

        assertEquals(List.of("dateColumn", "statusColumn"), texts(refused.body().get("errors"), "field"));
        assertEquals(0, get("unused", "/imports").get("imports").size());
        JsonNode done = imported("unused", "?dateColumn=tag&ignore=STORNO", file);
        assertEquals(List.of("A-1 imported", "A-2 imported"), rows(done));
        assertEquals("2024-01-03", done.at("/rows/1/date").textValue());
        send("unused", "?ignore=Tag,Storno,Betrag", file, CSV).expectProblem(400, "invalid-request");
    }

    /** If the key changed with the correction, one document would get two numbers. */
    @Test
    void correctedRefusedRowsKeepTheirKeys() {
        define("phones", "{}");
        JsonNode done =
                imported("phones", "", "key,number,date\n+49-1,1,5 January\n=A1,2,6 January\n'=A1,3,7 January\n");
        String corrected = csv("phones", done, "?outcome=refused").replaceAll("([5-7]) January", "2026-01-0$1");

        JsonNode again = imported("phones", "", corrected);

        assertEquals(List.of("+49-1 imported", "=A1 imported", "'=A1 imported"), rows(again));
        assertEquals(1, allocate("phones", "?key=%2B49-1").expect(200).first());
        assertEquals(3, allocate("phones", "?key='%3DA1").expect(200).first());
    }

    @Test
    void aSpreadsheetsGuardIsNoPartOfAKey() {
        define("guards", "{}");

        JsonNode done = imported("guards", "", "key,number,size\n=\"00123\",=\"7\",19\" x\n");

        assertEquals(List.of("00123 imported"), rows(done));
        assertEquals(7, allocate("guards", "?key=00123").expect(200).first());
        Reply refused = send("guards", "", "key,number\n4\"x,8\n", CSV).expectProblem(400, "invalid-request");
        assertEquals("line 2", refused.body().at("/errors/0/field").textValue());
        JsonNode checked = imported("guards", "?dryRun=true", "key,number\n\"=\"\"00124\"\"\",8\nx,9\n");
        assertEquals(
                "The key begins with =, as formulas of spreadsheets do: check that it is meant.",
                checked.at("/rows/0/warning").textValue());
        assertFalse(checked.at("/rows/1").has("warning"));
    }

    @Test
    void dryRunAndImportNeedKeysOfTheirOwn() {
        define("keyed", "{}");
        String file = "key,number\na,1\n";
        String[] headers = {CSV[0], CSV[1], "Idempotency-Key", "one"};
        send("keyed", "?dryRun=true", file, headers).expect(202);

        send("keyed", "", file, headers).expectProblem(422, "key-reused");
        send("keyed", "?dryRun=true", file, headers).expect(202);
    }

    /** Once, the second request got the answer to the first one, and the wrongly read keys stayed in the ledger. */
    @Test
    void aFileWithAnotherEncodingIsAnotherImport() {
        define("encoded", "{}");
        String file =
                Base64.getEncoder().encodeToString("key,number\n\u20AC1,1\n".getBytes(Charset.forName("windows-1252")));
        send("encoded", "", file, encoded("iso-8859-1")).expect(202);

        send("encoded", "", file, encoded("windows-1252")).expectProblem(422, "key-reused");
        send("encoded", "", file, encoded("iso-8859-1")).expect(202);
    }

    private static String[] encoded(String charset) {
        return new String[] {
            "Content-Type",
            "text/csv; charset=" + charset,
            "Content-Transfer-Encoding",
            "base64",
            "Idempotency-Key",
            "encoded"
        };
    }

    /** Accepts numbers that the old system allocated between two files, and refuses numbers of the sequence itself. */
    @Test
    void onlyNumbersThatWereNeverAllocatedAreImported() {
        define("proved", "{\"guarantee\": \"gapless\"}");
        assertEquals(List.of("imported"), outcomes(imported("proved", "", "key,number\nold-5,5\n")));
        assertEquals(6, allocate("proved", "?key=own").expect(200).first());

        JsonNode done = imported("proved", "", "key,number\nold-5,5\nold-3,3\nthief,6\nold-5,7\nold-9,9\nlow,0\n");

        assertEquals("partial", done.get("status").textValue());
        assertEquals(
                List.of(
                        "low refused invalid-request",
                        "old-3 imported",
                        "old-5 already-there",
                        "thief refused number-taken",
                        "old-5 refused key-reused",
                        "old-9 imported"),
                rows(done));
        JsonNode taken = get("proved", done, "?outcome=refused").at("/rows/1/problem");
        assertEquals("own", taken.get("key").textValue());
        assertEquals(10, allocate("proved", "?key=own-2").expect(200).first());
        assertEquals(
                List.of(
                        "advance 1 2",
                        "import 3 3",
                        "advance 4 4",
                        "import 5 5",
                        "allocation 6 6",
                        "advance 7 8",
                        "import 9 9",
                        "allocation 10 10"),
                entries("proved"));
    }

    @Test
    void strictSequenceTreatsUnrecordedNumbersAsPossiblyAllocated() {
        define("strict", "{\"start\": 100}");
        assertEquals(100, allocate("strict", "").expect(200).first());
        assertEquals(101, allocate("strict", "").expect(200).first());

        JsonNode done = imported("strict", "", "key,number\na,42\nb,99\nc,100\nd,101\ne,105\n");

        assertEquals(
                List.of("a imported", "b imported", "c refused number-taken", "d refused number-taken", "e imported"),
                rows(done));
        assertFalse(
                get("strict", done, "?outcome=refused").at("/rows/0/problem").has("key"));
        assertEquals(106, allocate("strict", "").expect(200).first());
        assertEquals(
                List.of("unrecorded 43 98", "unrecorded 100 101", "unimported 102 104", "unrecorded 106 106"),
                gaps("strict"));
    }

    @Test
    void numbersCountDownToo() {
        define(
                "down",
                "{\"guarantee\": \"gapless\", \"increment\": -2, \"start\": 100, \"minValue\": 0, \"maxValue\": 200}");

        JsonNode done = imported("down", "", "key,number\na,110\nb,96\nc,90\nd,91\n");

        assertEquals(List.of("c imported", "d refused invalid-request", "b imported", "a imported"), rows(done));
        assertEquals(88, allocate("down", "?key=own").expect(200).first());
        assertEquals(List.of("unimported 94 92", "unimported 100 98", "unrecorded 108 102"), gaps("down"));
    }

    /** Imports under the old format, then changes it. Each text stays as printed on paper. */
    @Test
    void oldTextsStayUnderANewFormat() {
        define("formats", "{\"start\": 500, \"format\": \"ALT{n}\"}");
        imported("formats", "", "key,text\nold,ALT77\n");
        client.send("PATCH", path("formats"), "{\"format\": \"NEU-{n:6}\"}", "If-Match", "*")
                .expect(200);

        assertEquals(
                "ALT77",
                allocate("formats", "?key=old")
                        .expect(200)
                        .body()
                        .at("/texts/0")
                        .textValue());
        assertEquals(
                "NEU-000500",
                allocate("formats", "?key=own")
                        .expect(200)
                        .body()
                        .at("/texts/0")
                        .textValue());
        assertEquals(
                77,
                client.send("POST", path("formats") + "/parse", "{\"text\": \"ALT77\"}")
                        .expect(200)
                        .body()
                        .get("number")
                        .longValue());
        assertEquals(List.of("later imported"), rows(imported("formats", "", "key,text\nlater,ALT78\n")));
        client.send("PATCH", path("formats"), "{\"format\": \"ALT{n:2}0\"}", "If-Match", "*")
                .expectProblem(409, "texts-could-repeat");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'key,number\n'                    | body",
                "'a,b\n1,2\n'                      | keyColumn",
                "'key,b\n1,2\n'                    | numberColumn",
                "'key,number\na,1,2\n'             | line 2",
                "'key,number\na,1\nb\n'            | line 3",
                "'key,number\na,1\nb,\"2\n'        | line 3",
                "'key,number;date\na,1;2\n'        | header",
                "'key,key,number\na,b,1\n'         | keyColumn",
            })
    void malformedImportIsReportedAndNothingIsStored(String file, String field) {
        define("wrong", "{}");

        Reply refused = send("wrong", "", file, CSV).expectProblem(400, "invalid-request");

        assertEquals(field, refused.body().at("/errors/0/field").textValue(), refused.body()::toString);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'key,number\na,x\n'               | number",
                "'key,number\na,1.5\n'             | number",
                "'key,number\na,\n'                | number",
                "'key,number\n,1\n'                | key",
                "'key,number,text\na,1,1\n'        | number",
                "'key,number,status\na,1,lost\n'   | status",
                "'key,number,status\na,1,void\n'   | reason",
                "'key,number,reason\na,1,why\n'    | reason",
            })
    void rowThatCannotBeUnderstoodIsRefusedAlone(String file, String field) {
        define("cells", "{}");

        JsonNode done = imported("cells", "", file);

        assertEquals("rejected", done.get("status").textValue());
        assertEquals(field, done.at("/rows/0/problem/errors/0/field").textValue(), done::toString);
        assertEquals(2, done.at("/rows/0/line").intValue());
    }

    @Test
    void allMalformedRowsAreReportedAtOnce() {
        define("malformed", "{}");

        Reply refused =
                send("malformed", "", "key,number\na\nb,2\nc,3,x\n", CSV).expectProblem(400, "invalid-request");

        assertEquals(List.of("line 2", "line 4"), texts(refused.body().get("errors"), "field"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                                 | rows",
                "{\"rows\": {}}                                     | rows",
                "{\"rows\": []}                                     | body",
                "{\"rows\": [{\"key\": \"a\", \"number\": \"1\"}]}  | rows[0]",
                "{\"rows\": [{\"key\": \"a\", \"number\": 1.5}]}    | rows[0]",
                "{\"rows\": [{\"key\": \"a\", \"other\": 1}]}       | rows[0]",
                "{\"rows\": [1]}                                    | rows[0]",
                "{\"numbers\": []}                                  | numbers",
            })
    void soIsWrongJson(String body, String field) {
        define("wrong", "{}");

        Reply refused = send("wrong", "", body).expectProblem(400, "invalid-request");

        assertEquals(field, refused.body().at("/errors/0/field").textValue(), refused.body()::toString);
    }

    /** Imports the old system's file while a shop allocates, and no number is allocated twice. */
    @Test
    @Tag("long")
    void anImportBesideManyCallers() {
        define("beside", "{\"guarantee\": \"gapless\"}");
        ConcurrentLinkedQueue<Long> results = new ConcurrentLinkedQueue<>();
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        List<CompletableFuture<Void>> callers = IntStream.range(0, CALLERS)
                .mapToObj(caller -> CompletableFuture.runAsync(
                        () -> IntStream.range(0, 4)
                                .forEach(call -> results.add(allocate("beside", "?key=own-" + caller + "-" + call)
                                        .expect(200)
                                        .first())),
                        threads))
                .toList();
        String file = IntStream.rangeClosed(1, 300)
                .mapToObj(number -> "old-" + number + "," + number)
                .reduce("key,number", (one, other) -> one + "\n" + other);
        JsonNode one = imported("beside", "", file);
        JsonNode other = imported("beside", "", file.replace("old-", "other-"));
        callers.forEach(CompletableFuture::join);
        threads.shutdown();

        List<Long> all = new ArrayList<>(results);
        Stream.of(one, other).forEach(done -> StreamSupport.stream(
                        get("beside", done, "?limit=1000").get("rows").spliterator(), false)
                .filter(row -> row.has("first"))
                .forEach(row -> all.add(row.get("first").longValue())));
        assertEquals(all.size(), all.stream().distinct().count(), "nothing twice");
        assertEquals(0, holesOfKind("beside", "missing"));
        assertEquals(0, holesOfKind("beside", "twice"));
    }

    private void define(String name, String definition) {
        client.send("PUT", path(name), definition, CREATE);
    }

    private Reply allocate(String name, String query) {
        return client.send("POST", path(name) + "/next" + query, null);
    }

    private Reply send(String name, String query, String body, String... headers) {
        return client.send("POST", path(name) + "/imports" + query, body, headers);
    }

    private JsonNode imported(String name, String query, String file) {
        String location = send(name, query, file, CSV).expect(202).location();
        return client.awaitUpload(location, TIMEOUT, SharedHost.process()::output)
                .body();
    }

    private JsonNode get(String name, JsonNode done, String query) {
        return get(name, "/imports/" + done.get("id").textValue() + query);
    }

    private JsonNode get(String name, String call) {
        return client.get(path(name) + call).expect(200).body();
    }

    private static String path(String name) {
        return "/api/sequences/moving/" + name;
    }

    private static List<String> outcomes(JsonNode done) {
        return texts(done.get("rows"), "outcome");
    }

    private static List<String> rows(JsonNode done) {
        List<String> rows = new ArrayList<>();
        done.get("rows")
                .forEach(row -> rows.add(row.get("key").textValue() + " "
                        + row.get("outcome").textValue()
                        + row.at("/problem/type").asText().replace("urn:problem-type:numera:", " ")));
        return rows;
    }

    private List<String> entries(String name) {
        List<String> entries = new ArrayList<>();
        get(name, "/ledger")
                .get("entries")
                .forEach(entry -> entries.add(
                        entry.get("kind").textValue() + " " + entry.get("first").longValue() + " "
                                + entry.get("last").longValue()));
        return entries;
    }

    private List<String> gaps(String name) {
        List<String> gaps = new ArrayList<>();
        get(name, "/check")
                .get("gaps")
                .forEach(gap -> gaps.add(gap.get("kind").textValue() + " "
                        + gap.get("first").longValue() + " " + gap.get("last").longValue()));
        return gaps;
    }

    private long holesOfKind(String name, String kind) {
        return gaps(name).stream().filter(gap -> gap.startsWith(kind)).count();
    }

    private static List<String> texts(JsonNode array, String field) {
        List<String> texts = new ArrayList<>();
        array.forEach(each -> texts.add(each.get(field).textValue()));
        return texts;
    }
}
