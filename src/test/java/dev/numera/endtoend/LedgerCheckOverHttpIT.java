package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.Program;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.SharedHost;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs {@code tools/check-ledger.mjs} on complete and on damaged ledgers. */
class LedgerCheckOverHttpIT {
    private static final String[] CREATE = {"If-None-Match", "*"};

    private final NumeraClient client = SharedHost.client();
    private final TableClient counters = new TableClientBuilder()
            .connectionString(SharedAzurite.connectionString())
            .tableName("numeracounters")
            .buildClient();

    @Test
    void aWholeLedgerIsCompletePageByPage() throws Exception {
        define("whole", "{\"guarantee\": \"gapless\"}");
        assertEquals(new Program(0, "complete: no number is allocated yet"), check("whole"));
        String keys = IntStream.range(0, 1_200).mapToObj(i -> "\"k" + i + "\"").collect(Collectors.joining(","));
        String location = client.send("POST", "/api/sequences/checked/whole/batches", "{\"keys\": [" + keys + "]}")
                .expect(202)
                .location();
        client.awaitUpload(location + "?limit=1", Duration.ofMinutes(5), SharedHost.process()::output);

        assertEquals(new Program(0, "complete 1 to 1200"), check("whole"));
        assertEquals(new Program(0, "complete 700 to 1200"), check("whole", "--from", "700"));
    }

    @Test
    void theDocumentsOfAMonthAreCheckedByTheirDates() throws Exception {
        define("months", "{\"guarantee\": \"gapless\", \"resetEvery\": \"year\", \"timeZone\": \"UTC\"}");
        List.of("2026-11-30", "2026-11-02", "2026-12-01", "2026-11-30", "2027-01-01")
                .forEach(date -> client.next(
                                "checked/months",
                                "?date=" + date,
                                UUID.randomUUID().toString())
                        .expect(200));
        String[] november = {"--dateFrom", "2026-11-01", "--dateTo", "2026-11-30"};
        assertEquals(new Program(0, "2026: complete 1 to 4"), check("months", november));

        counters.deleteEntity("checked:months", numberRow("2026", 2));
        Program torn = check("months", november);
        assertEquals(1, torn.exit());
        assertTrue(torn.output().startsWith("2026: gap: 2 to 2 are missing between the key "), torn::toString);
    }

    @Test
    void listsAdvancedNumbers() throws Exception {
        define("advanced", "{\"guarantee\": \"gapless\", \"increment\": 5, \"start\": 10}");
        take("advanced", 2);
        advance("advanced", 50);
        client.next("checked/advanced", "", "last").expect(200);

        assertEquals(
                new Program(0, "advanced: 20 to 45 were skipped by an advance\ncomplete 10 to 50"), check("advanced"));

        define("advanced-down", "{\"guarantee\": \"gapless\", \"increment\": -5, \"start\": 100}");
        take("advanced-down", 2);
        advance("advanced-down", 52);
        client.next("checked/advanced-down", "", "last").expect(200);
        assertEquals(
                new Program(0, "advanced: 90 to 55 were skipped by an advance\ncomplete 50 to 100"),
                check("advanced-down"));
    }

    @Test
    void numbersThatAnImportLeftOutAreReportedUntilTheOwnerAcceptsThem() throws Exception {
        define("left-out", "{\"guarantee\": \"gapless\"}");
        String rows = "{\"rows\": [{\"key\": \"a\", \"number\": 5}, {\"key\": \"b\", \"number\": 9}]}";
        String location = client.send("POST", "/api/sequences/checked/left-out/imports", rows)
                .expect(202)
                .location();
        client.awaitUpload(location, Duration.ofMinutes(1), SharedHost.process()::output);
        String id = location.substring(location.lastIndexOf('/') + 1);

        assertEquals(
                new Program(
                        1,
                        "advanced: 1 to 4 were skipped: before the import\nunimported: 6 to 8 were left out by import "
                                + id + ": import them, or accept the gap with POST .../gaps"),
                check("left-out"));
        accept("{\"first\": 5, \"last\": 8, \"reason\": \"Torn.\"}").expectProblem(409, "number-taken");
        accept("{\"first\": 6, \"last\": 10, \"reason\": \"Torn.\"}").expectProblem(409, "number-taken");
        accept("{\"first\": 10, \"last\": 11, \"reason\": \"Torn.\"}").expectProblem(400, "invalid-request");
        accept("{\"first\": 6, \"last\": 8}").expectProblem(400, "invalid-request");
        assertEquals(
                "{\"first\":6,\"last\":8,\"kind\":\"advanced\",\"reason\":\"Torn.\",\"actor\":\"anna\"}",
                accept("{\"first\": 6, \"last\": 8, \"reason\": \"Torn.\"}")
                        .expect(200)
                        .raw()
                        .body());
        assertEquals(
                new Program(
                        0,
                        "advanced: 1 to 4 were skipped: before the import\nadvanced: 6 to 8 were skipped: Torn.\n"
                                + "complete 1 to 9"),
                check("left-out"));
        JsonNode changes = client.get("/api/sequences/checked/left-out/changes")
                .expect(200)
                .body();
        assertEquals("6 to 8", changes.at("/changes/2/fields/0/after").textValue(), changes::toString);
    }

    private Reply accept(String body) {
        return client.send("POST", "/api/sequences/checked/left-out/gaps", body, "Numera-Actor", "anna");
    }

    @Test
    void everyGapIsReportedWithItsNeighbors() throws Exception {
        define("gaps", "{\"guarantee\": \"gapless\"}");
        take("gaps", 9);
        remove("gaps", 4);
        remove("gaps", 5);
        remove("gaps", 8);

        assertEquals(
                new Program(
                        1,
                        "gap: 4 to 5 are missing between the key key-3 and the key key-6\n"
                                + "gap: 8 to 8 are missing between the key key-7 and the key key-9"),
                check("gaps"));
        assertEquals(
                new Program(1, "gap: 8 to 8 are missing between the key key-7 and the key key-9"),
                check("gaps", "--from", "6"));
        remove("gaps", 9);
        assertEquals(new Program(1, "gap: 8 to 9 are missing after the key key-7"), check("gaps", "--from", "6"));
        assertEquals(new Program(0, "complete 6 to 7"), check("gaps", "--from", "6", "--to", "7"));
        remove("gaps", 1);
        assertEquals(new Program(1, "gap: 1 to 1 are missing before the key key-2"), check("gaps", "--to", "3"));
    }

    /** Another program may write such a row into the ledger; the app never does. */
    @Test
    void numberStoredTwiceIsReportedWithBothKeys() throws Exception {
        define("twice", "{\"guarantee\": \"gapless\"}");
        take("twice", 4);
        TableEntity row = counters.getEntity("checked:twice", numberRow(3));
        counters.upsertEntity(new TableEntity("checked:twice", numberRow(3))
                .setProperties(row.getProperties())
                .addProperty("first", 2L)
                .addProperty(
                        "entries",
                        "[[\"intruder\",2,2,1,\"2026-11-21\"],"
                                + row.getProperty("entries").toString().substring(1)));

        assertEquals(
                new Program(1, "twice: 2 to 2 are under the key key-2 and under the key intruder"), check("twice"));
    }

    @Test
    @Tag("long")
    void aSequenceThatCountsDownAndOneOfManyYearsAreCheckedToo() throws Exception {
        define(
                "down",
                "{\"guarantee\": \"gapless\", \"increment\": -1, \"start\": 3999999999999999999, \"maxValue\": 4000000000000000000}");
        take("down", 4);
        assertEquals(new Program(0, "complete 3999999999999999996 to 3999999999999999999"), check("down"));
        remove("down", 3999999999999999998L);
        assertEquals(
                new Program(
                        1,
                        "gap: 3999999999999999998 to 3999999999999999998 are missing between the key key-1 and the key key-3"),
                check("down"));

        define("yearly", "{\"guarantee\": \"gapless\", \"resetEvery\": \"year\", \"timeZone\": \"UTC\"}");
        client.next("checked/yearly", "?date=2025-06-01", "old").expect(200);
        client.next("checked/yearly", "?date=2026-06-01", "new").expect(200);
        assertEquals(new Program(0, "2025: complete 1 to 1"), check("yearly", "--date", "2025-12-31"));
        assertEquals(new Program(0, "2025: complete 1 to 1\n2026: complete 1 to 1"), check("yearly"));
        assertEquals(new Program(0, "complete: no number is allocated yet"), check("yearly", "--date", "2024-12-31"));
    }

    @Test
    void unkeyedNumbersOfAStrictSequenceAreNoError() throws Exception {
        define("strict", "{}");
        client.next("checked/strict", "?count=3", null).expect(200);
        client.next("checked/strict", "", "a").expect(200);
        assertEquals(
                new Program(
                        0,
                        "unrecorded: 1 to 3 were allocated without a key, skipped, or advanced over\ncomplete 1 to 4"),
                check("strict"));
    }

    @Test
    @Tag("long")
    void anUncheckableSequenceHasItsOwnExitCode() throws Exception {
        define("cached", "{\"guarantee\": \"cached\"}");
        assertTrue(check("cached").output().contains("keeps no ledger"), check("cached")::toString);
        assertEquals(2, check("cached").exit());
        assertTrue(check("none").output().contains("404"), check("none")::toString);
        assertEquals(2, check("none").exit());
        assertEquals(2, run("http://127.0.0.1:1/api/sequences/a/b").exit());
        assertEquals(2, run("nonsense").exit());
        assertEquals(2, run().exit());
        assertEquals(2, check("cached", "--from", "x").exit());
        assertEquals(2, check("cached", "--nonsense").exit());
    }

    @Test
    void severalSequencesAreCheckedAndTheWorstResultCounts() throws Exception {
        define("several", "{\"guarantee\": \"gapless\"}");
        take("several", 2);
        String sequences = SharedHost.process().baseUri() + "/api/sequences/checked/";

        Program both = run(sequences + "several", sequences + "several");
        Program one = run(sequences + "absent", sequences + "several");

        String line = sequences + "several: complete 1 to 2";
        assertEquals(new Program(0, line + "\n" + line), both);
        assertEquals(2, one.exit());
        assertTrue(one.output().contains(line), one::toString);
        assertTrue(one.output().contains("absent/check answered 404. There is no sequence"), one::toString);
    }

    @Test
    void aWrongAddressIsNotBlamedOnTheKey() throws Exception {
        Program wrong = run(SharedHost.process().baseUri() + "/sequences/checked/whole");

        assertEquals(2, wrong.exit());
        assertTrue(wrong.output().contains("No Numera answers there: the address is as http://"), wrong::toString);
    }

    /** Exit code 1 would say that numbers are missing. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json | ''",
                "application/json | {\"message\": \"please log in\"}",
                "application/json | {\"gaps\": [{\"kind\": \"of a later version\"}]}",
                "application/problem+json | no JSON"
            })
    void anAnswerOfAnotherProgramIsNoResult(String type, String body) throws Exception {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", exchange -> {
            byte[] answer = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        other.start();
        try {
            Program program = run("http://127.0.0.1:" + other.getAddress().getPort() + "/api/sequences/a/b");
            assertEquals(2, program.exit(), program::toString);
            assertTrue(program.output().contains("The answer is not Numera's"), program::toString);
        } finally {
            other.stop(0);
        }
    }

    @Test
    void helpIsShownOnRequest() throws Exception {
        Program help = run("--help");

        assertEquals(0, help.exit());
        assertTrue(help.output().startsWith("usage: node tools/check-ledger.mjs SEQUENCE_URL..."), help::toString);
    }

    @Test
    void thePageShowsTheCommandAndItsAnswers() throws Exception {
        String page = Files.readString(Path.of("docs/ledger.md"));
        assertTrue(
                page.contains("node tools/check-ledger.mjs http://127.0.0.1:7071/api/sequences/App1/invoice --from 1"));
        assertTrue(page.contains("gap: 1043 to 1047 are missing between the key order-41 and the key order-42"));
    }

    private void define(String name, String definition) {
        client.send("PUT", "/api/sequences/checked/" + name, definition, CREATE).expect(201);
    }

    private void take(String name, int numbers) {
        IntStream.rangeClosed(1, numbers)
                .forEach(i -> client.next("checked/" + name, "", "key-" + i).expect(200));
    }

    private void advance(String name, long nextAtLeast) {
        client.send("POST", "/api/sequences/checked/" + name + "/advance", "{\"nextAtLeast\": " + nextAtLeast + "}")
                .expect(200);
    }

    private void remove(String name, long number) {
        counters.deleteEntity("checked:" + name, numberRow(number));
    }

    private static String numberRow(long number) {
        return numberRow("", number);
    }

    private static String numberRow(String period, long number) {
        return "number:" + period + ":" + (number + 5_000_000_000_000_000_000L);
    }

    private static Program check(String name, String... options) throws Exception {
        List<String> arguments =
                new ArrayList<>(List.of(SharedHost.process().baseUri() + "/api/sequences/checked/" + name));
        arguments.addAll(List.of(options));
        return run(arguments.toArray(String[]::new));
    }

    private static Program run(String... arguments) throws IOException, InterruptedException {
        return Program.node(Path.of("tools/check-ledger.mjs"), List.of(arguments));
    }
}
