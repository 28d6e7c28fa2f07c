package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.azure.StorageAccount;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.Result;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.PlainNumbers;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.SharedHost;
import dev.numera.fixtures.SharedQueues;
import dev.numera.fixtures.TestAccount;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.ListWork;
import dev.numera.sequences.lists.OldUploads;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.Uploads;
import dev.numera.sequences.numbering.Allocator;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists that are uploaded, numbered through the queue and read back, on the packaged app and a real Azurite. */
class UploadsOverHttpIT {
    private static final String[] CREATE = {"If-None-Match", "*"};
    private static final String CSV = "text/csv; charset=utf-8";
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final long POLLING_MILLIS = 50;
    /** The number of orders. Each has its own date and so needs its own write. */
    private static final int ORDERS = 1_000;

    private final NumeraClient client = SharedHost.client();

    @Test
    void csvHasACallOfItsOwnForTheSameUploads() {
        String list = "/api/sequences/Files/csv/batches";
        String[] headers = {"Content-Type", CSV, "Idempotency-Key", "file"};

        Reply own = client.send("POST", list + "/csv", "key\na\n", headers).expect(202);
        Reply shared = client.send("POST", list, "key\na\n", headers).expect(202);

        assertEquals(list + "/" + own.body().get("id").textValue(), own.location());
        assertEquals(own.location(), shared.location());
        // The host matches paths without regard to case, which the document cannot describe.
        Reply capitals = NumeraClient.ofAnyVersion(SharedHost.process().baseUri())
                .send("POST", list + "/CSV", "key\na\n", headers)
                .expect(202);
        assertEquals(own.location(), capitals.location());
        client.send("POST", list + "/csv", "a\n", "Content-Type", "text/plain")
                .expectProblem(415, "unsupported-media-type");
        client.send("POST", list + "/csv", "{\"keys\": [\"a\"]}").expectProblem(415, "unsupported-media-type");
    }

    @Test
    void aFileOfAThousandOrdersIsNumberedInItsOrder() {
        client.send(
                        "PUT",
                        "/api/sequences/Files/order",
                        "{\"guarantee\": \"gapless\", \"format\": \"ORD-{yyyy}-{n:6}\","
                                + " \"resetEvery\": \"year\", \"timeZone\": \"UTC\"}",
                        CREATE)
                .expect(201);
        List<String> lines = IntStream.rangeClosed(1, ORDERS)
                .mapToObj(UploadsOverHttpIT::order)
                .toList();
        String file = "\uFEFFday,order,\"customer, with city\",note\r\n" + String.join("\r\n", lines) + "\r\n";

        Reply accepted = upload("Files/order", "?keyColumn=order&dateColumn=day", file, "Content-Type", CSV)
                .expect(202);
        assertEquals(ORDERS, accepted.body().get("keys").intValue());
        String location = accepted.location();
        Reply done = awaitDone(location);

        assertEquals("numbered", done.body().get("status").textValue());
        assertEquals(ORDERS, done.body().get("done").intValue());
        List<String> expected =
                new ArrayList<>(List.of("day,order,\"customer, with city\",note,number,text,problem,stored_date"));
        int[] next = {0, 0};
        for (int i = 0; i < lines.size(); i++) {
            int year = 2025 + (i + 1) % 2;
            int number = ++next[year - 2025];
            expected.add(lines.get(i) + "," + number + ",ORD-" + year + "-%06d,,".formatted(number)
                    + lines.get(i).split(",")[0]);
        }
        Reply csv = client.send("GET", location, null, "Accept", "text/csv, application/problem+json")
                .expect(200);
        assertEquals(
                "text/csv",
                csv.raw().headers().firstValue("Content-Type").orElseThrow().replaceFirst(";.*", ""));
        assertEquals(String.join("\r\n", expected) + "\r\n", csv.raw().body());
        assertEquals(
                ORDERS / 2 + 1,
                client.next("Files/order", "?date=2025-07-01", "last")
                        .expect(200)
                        .first());
    }

    /**
     * Returns a row with quotes, commas, line breaks or other scripts, as spreadsheets may contain. Every second order
     * is dated in the year before.
     */
    private static String order(int i) {
        String customer =
                switch (i % 4) {
                    case 0 -> "\"Müller, Köln\"";
                    case 1 -> "\"Said \"\"hi\"\"\"";
                    case 2 -> "\"two\r\nlines\"";
                    default -> "数 " + i;
                };
        return LocalDate.of(2025 + i % 2, 1 + i % 12, 1 + i % 28) + ",order-" + i + "," + customer + ",";
    }

    @Test
    void pagesFollowOneAnother() {
        List<String> keys = IntStream.range(0, 1_203).mapToObj(i -> "key-" + i).toList();
        String location = upload("Files/paged", "", String.join("\n", keys), "Content-Type", "text/plain")
                .expect(202)
                .location();
        awaitDone(location);

        List<String> read = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        String continuation = "";
        int pages = 0;
        do {
            JsonNode page = client.get(location + "?limit=401" + continuation)
                    .expect(200)
                    .body();
            page.get("allocations").forEach(allocation -> {
                read.add(allocation.get("key").textValue());
                numbers.add(allocation.get("first").longValue());
            });
            continuation = page.has("continuation")
                    ? "&continuation=" + page.get("continuation").textValue()
                    : "";
            pages++;
        } while (!continuation.isEmpty());

        assertEquals(3, pages, "three full pages end with the last key");
        assertEquals(keys, read);
        assertEquals(LongStream.rangeClosed(1, 1_203).boxed().toList(), numbers);
        assertEquals(
                100, client.get(location).expect(200).body().get("allocations").size());
        client.get(location + "?continuation=AAAA").expectProblem(400, "invalid-request");
        assertEquals(List.of(), SharedQueues.unexpectedAnswers("paged"), "uploads are not answered through the queue");
    }

    @Test
    void theSameIdempotencyKeyNamesTheSameUpload() {
        String[] named = {"Idempotency-Key", "list-1"};
        Reply first =
                upload("Files/again", "", "{\"keys\": [\"a\", \"b\"]}", named).expect(202);
        awaitDone(first.location());
        Reply again =
                upload("Files/again", "", "{\"keys\": [\"a\", \"b\"]}", named).expect(202);

        assertEquals(first.location(), again.location());
        assertEquals("numbered", again.body().get("status").textValue());
        upload("Files/again", "", "{\"keys\": [\"a\", \"c\"]}", named).expectProblem(422, "key-reused");
        assertNotEquals(
                first.location(),
                upload("Files/again", "", "{\"keys\": [\"a\", \"b\"]}")
                        .expect(202)
                        .location());
        String byId = "{\"id\": \"list-1\", \"scope\": \"Files\", \"name\": \"again\", \"keys\": [\"z\"]}";
        upload("Files/again", "", byId).expectProblem(422, "key-reused");
        String other = byId.replace("list-1", "list-2");
        assertEquals(
                upload("Files/again", "", other).expect(202).location(),
                upload("Files/again", "", other).expect(202).location());
    }

    @Test
    void aCountIsNumberedUnderItsIdWithItsTexts() {
        client.send("PUT", "/api/sequences/Files/count", "{\"format\": \"C{n:4}\"}", CREATE)
                .expect(201);
        String location = upload("Files/count", "", "{\"id\": \"roll\", \"count\": 3}")
                .expect(202)
                .location();

        assertEquals(
                "[{\"key\":\"roll\",\"first\":1,\"last\":3,\"count\":3,\"increment\":1,\"texts\":[\"C0001\",\"C0002\",\"C0003\"]}]",
                awaitDone(location).body().get("allocations").toString());
        assertEquals(
                "key,number,text,problem,stored_date\r\nroll,1,C0001,,\r\nroll,2,C0002,,\r\nroll,3,C0003,,\r\n",
                client.send("GET", location, null, "Accept", "text/csv").raw().body());
        assertEquals(
                1, client.next("Files/count", "?count=3", "roll").expect(200).first());
    }

    @Test
    void anUploadBeyondTheRangeIsPartialThenRejected() {
        client.send("PUT", "/api/sequences/Files/short", "{\"maxValue\": 2}", CREATE)
                .expect(201);

        Reply partial = awaitDone(upload("Files/short", "", "a\nb\nc\n", "Content-Type", "text/plain")
                .expect(202)
                .location());
        Reply rejected = awaitDone(upload("Files/short", "", "d\ne\n", "Content-Type", "text/plain")
                .expect(202)
                .location());

        assertEquals("partial", partial.body().get("status").textValue());
        assertEquals(2, partial.body().get("allocations").get(1).get("first").longValue());
        JsonNode refused = partial.body().get("allocations").get(2);
        assertEquals("c", refused.get("key").textValue());
        assertEquals(
                "urn:problem-type:numera:exhausted",
                refused.get("problem").get("type").textValue());
        assertEquals(0, refused.get("problem").get("left").longValue());
        assertEquals("rejected", rejected.body().get("status").textValue());
        assertEquals(
                List.of("urn:problem-type:numera:exhausted", "urn:problem-type:numera:exhausted"),
                rejected.body().get("allocations").findValuesAsText("type"));
    }

    /** A list must show a status that changed after its numbering, so that no one prints a void document. */
    @Test
    void aListShowsWhatBecameOfItsNumbers() {
        String location = upload("Files/kept", "?reserve=true", "a\nb\nc\n", "Content-Type", "text/plain")
                .expect(202)
                .location();
        assertEquals(
                List.of("reserved", "reserved", "reserved"),
                awaitDone(location).body().get("allocations").findValuesAsText("status"));
        setStatus("{\"key\": \"a\", \"status\": \"issued\"}");
        setStatus("{\"key\": \"c\", \"status\": \"void\", \"reason\": \"spoilt\"}");

        Reply read = client.send("GET", location, null).expect(200);

        assertEquals("numbered", read.body().get("status").textValue());
        JsonNode rows = read.body().get("allocations");
        assertEquals(
                "{\"key\":\"a\",\"first\":1,\"last\":1,\"count\":1,\"increment\":1}",
                rows.get(0).toString());
        assertEquals("reserved", rows.get(1).get("status").textValue());
        assertEquals("c", rows.get(2).get("key").textValue());
        assertEquals(
                "urn:problem-type:numera:key-void",
                rows.get(2).get("problem").get("type").textValue());
        assertEquals("spoilt", rows.get(2).at("/problem/allocation/reason").textValue());
        assertEquals(
                "key,number,text,problem,stored_date\r\na,1,,,\r\nb,2,,,\r\nc,,,The numbers of the key 'c' of Files/kept are void. Take another"
                        + " key. The reason: spoilt,\r\n",
                client.send("GET", location, null, "Accept", "text/csv").raw().body());
    }

    private void setStatus(String body) {
        client.send("POST", "/api/sequences/Files/kept/status", body).expect(200);
    }

    @Test
    void numbersThatWereConfirmedBeforeShowWhenButNotThatTheyAreReplayed() {
        client.next("Files/known", "?reserve=true", "a").expect(200);
        client.send("POST", "/api/sequences/Files/known/status", "{\"key\": \"a\", \"status\": \"issued\"}")
                .expect(200);
        JsonNode next = client.next("Files/known", "", "a").expect(200).body();

        String location = upload("Files/known", "", "a\n", "Content-Type", "text/plain")
                .expect(202)
                .location();
        JsonNode row = awaitDone(location).body().at("/allocations/0");

        assertEquals("issued", row.path("status").textValue());
        assertEquals(next.get("statusAt"), row.get("statusAt"));
        assertTrue(next.get("replayed").booleanValue());
        assertFalse(row.has("replayed"));
    }

    /** Each row is refused for a different reason. */
    @Test
    void everyRowOfAListThatIsRejectedHasItsProblem() {
        client.send("PUT", "/api/sequences/Files/full", "{\"maxValue\": 2}", CREATE)
                .expect(201);
        client.next("Files/full", "?count=2", "a").expect(200);

        String location = upload("Files/full", "", "key,note\na,1\nb,2\n", "Content-Type", CSV)
                .expect(202)
                .location();
        Reply rejected = awaitDone(location);

        assertEquals("rejected", rejected.body().get("status").textValue());
        assertEquals(
                List.of("urn:problem-type:numera:key-reused", "urn:problem-type:numera:exhausted"),
                rejected.body().get("allocations").findValuesAsText("type"));
        String csv =
                client.send("GET", location, null, "Accept", "text/csv").raw().body();
        assertEquals(
                "key,note,number,text,problem,stored_date",
                csv.lines().findFirst().orElseThrow());
        assertTrue(csv.contains("\r\na,1,,,\"") && csv.contains("\r\nb,2,,,"), csv);
    }

    /**
     * Spreadsheets write other separators where a comma is part of a number, and the result must open in the same
     * spreadsheet.
     */
    @ParameterizedTest
    @CsvSource({"';', ''", "'\t', ''", "';', &separator=semicolon"})
    void columnsArePartedAsTheyWere(String separator, String query) {
        String file = "order;number;note\r\nsep-1;5;\"a;b\"\r\n".replace(";", separator);
        String location = upload("Files/separated", "?keyColumn=order" + query, file, "Content-Type", CSV)
                .expect(202)
                .location();
        awaitDone(location);

        String csv =
                client.send("GET", location, null, "Accept", "text/csv").raw().body();

        assertEquals(
                "order;number;note;numera_number;text;problem;stored_date\r\nsep-1;5;\"a;b\";1;;;\r\n"
                        .replace(";", separator),
                csv);
    }

    @Test
    void aSequenceThatKnowsNoKeysRejectsAnUpload() {
        client.send("PUT", "/api/sequences/Files/cached", "{\"guarantee\": \"cached\"}", CREATE)
                .expect(201);

        Reply rejected = awaitDone(upload("Files/cached", "", "a\nb\n", "Content-Type", "text/plain")
                .expect(202)
                .location());

        assertEquals(
                List.of("urn:problem-type:numera:key-refused", "urn:problem-type:numera:key-refused"),
                rejected.body().get("allocations").findValuesAsText("type"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "text/csv||'order,note\r\na,1\r\n\r\nb,2'|line 3 has 1 columns",
                "text/csv||'key\na\n\nb'|line 3 must have 1 to 255",
                "text/csv||'order-1\norder-2'|keyColumn is required for a list of one column",
                "text/csv|?keyColumn=key|'id;note\na;1'|keyColumn must be the name of exactly one column in the header line; it has 2 columns",
                "text/csv||'id;note,day\na;1,2'|header contains several separators",
                "text/csv|?separator=x|'id,note\na,1'|separator must be a comma",
                "text/plain|?separator=comma|'a'|separator is for text/csv only",
                "text/csv|?keyColumn=id|'order,note\na,1'|keyColumn must be the name of exactly one column",
                "text/csv|?keyColumn=a|'a,a\na,1'|keyColumn must be the name of exactly one column",
                "text/csv|?dateColumn=day|'order,note\na,1'|dateColumn must be the name of exactly one column",
                "text/csv|?dateColumn=day|'order,day\na,2026-02-30'|line 2 must be a date",
                "text/csv|?dateColumn=day|'order,day\na,'|line 2 must be a date",
                "text/csv||'order,note\na,\"open\nb,2'|line 2 is no CSV",
                "text/csv||'order,note\na,\"x\"y\nb,2'|line 2 is no CSV",
                "text/csv||'order,note\na,1\nb,2\na,3'|line 4 repeats the key of line 2",
                "text/csv||'order,note\na,1\nb,\"2\n2\"\na,3'|line 5 repeats the key of line 2",
                "text/csv||'order,note\na,1,x'|line 2 has 3 columns, but the header has 2",
                "text/csv||'order,note\n'|body must hold at least one key",
                "text/csv||''|body must begin with a header line",
                "text/plain||'a\n\nb'|line 2 is empty",
                "text/plain||'a\nb \n'|line 2 must not begin or end with a blank",
                "text/plain||'a\nb\na'|line 3 repeats the key of line 1",
                "text/plain||''|body must hold at least one key",
                "text/plain|?keyColumn=a|'a'|keyColumn is for text/csv only",
                "application/json||'{\"keys\": [\"a\", \"b\", \"a\"]}'|keys[2] repeats keys[0]",
                "application/json||'{\"keys\": []}'|keys must hold at least one key",
                "application/json||'{\"scope\": \"Other\", \"keys\": [\"a\"]}'|scope must be as in the path",
                "application/json||'{\"count\": 5}'|id is missing",
                "application/json||'{\"keys\": [\"a\"], \"x\": 1}'|x is no field",
                "application/json||'[\"a\"]'|body must be a JSON object",
                "application/json|?limit=5|'{\"keys\": [\"a\"]}'|limit is no parameter",
            })
    void aBadListIsRefusedByLineAndNothingIsStored(String type, String query, String body, String detail) {
        Reply refused = upload("Files/bad", query == null ? "" : query, body, "Content-Type", type)
                .expectProblem(400, "invalid-request");

        assertTrue(
                refused.body().get("detail").textValue().startsWith(detail),
                refused.raw().body());
        client.get("/api/sequences/Files/bad/state").expectProblem(404, "unknown-sequence");
    }

    @Test
    void otherBytesThanUtf8AreRefused() {
        Reply refused = client.send(client.request("/api/sequences/Files/bytes/batches")
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofByteArray(new byte[] {'M', (byte) 0xFC, 'l'})));

        refused.expectProblem(400, "invalid-request");
        assertEquals(
                "body must be UTF-8, without U+FFFD, which replaces bytes that are not: JSON writes that character as \\ufffd.",
                refused.body().get("detail").textValue());
    }

    @Test
    void unknownUploadIsNotFound() {
        for (String id : Set.of("0".repeat(32), "none", "A".repeat(32))) {
            client.get("/api/sequences/Files/order/batches/" + id).expectProblem(404, "unknown-batch");
        }
        upload("~/order", "", "{\"keys\": [\"a\"]}").expectProblem(400, "invalid-request");
        String message = "{\"upload\":\"" + "0".repeat(32) + "\",\"scope\":\"Files\",\"name\":\"order\",\"part\":1}";
        SharedQueues.send(message);
        SharedQueues.awaitPoison(message);
    }

    @Test
    void anUploadThatWasKeptLongEnoughIsRemovedByTheTimersFunction() throws InterruptedException {
        StorageAccount account = TestAccount.at(SharedAzurite.connectionString());
        Allocator allocator = mock();
        when(allocator.next(any(), any(), any()))
                .thenReturn(new CallResult<>(
                        List.of(Result.of(PlainNumbers.of("a", 1, 1, 1, 1, null, false))), false, 1, 1));
        Upload.Id[] ids = new Upload.Id[2];
        for (int i = 0; i < ids.length; i++) {
            Instant done = Instant.now().minus(Duration.ofDays(29 + 2 * i));
            ids[i] = Upload.Id.random(new SequenceName("Files", "kept"), Upload.Kind.BATCH);
            Uploads then = new Uploads(
                    account.uploads(),
                    new ListWork(allocator, null),
                    new OldUploads(account.uploads(), () -> done, Duration.ofDays(30)),
                    () -> done);
            then.accept(
                    ids[i],
                    "fingerprint",
                    () -> new Upload.Content(ListColumns.ofKeys(null, 1), List.of(List.of("a"))),
                    null);
            then.work(ids[i], 1);
        }
        String old = "/api/sequences/Files/kept/batches/" + ids[1].id();
        client.get(old).expect(200);

        assertEquals(202, SharedHost.process().setOff("RemoveBatches"));

        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (client.get(old).status() == 200) {
            assertTrue(System.nanoTime() - deadline < 0, "still there");
            TimeUnit.MILLISECONDS.sleep(POLLING_MILLIS);
        }
        client.get(old).expectProblem(404, "unknown-batch");
        client.get("/api/sequences/Files/kept/batches/" + ids[0].id()).expect(200);
    }

    private Reply upload(String sequence, String query, String body, String... headers) {
        return client.send("POST", "/api/sequences/" + sequence + "/batches" + query, body, headers);
    }

    private Reply awaitDone(String location) {
        return client.awaitUpload(location, TIMEOUT, SharedHost.process()::output);
    }
}
