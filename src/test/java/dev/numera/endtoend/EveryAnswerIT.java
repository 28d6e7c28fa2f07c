package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.azure.TableNames;
import dev.numera.core.model.SequenceName;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.OpenApiDocument;
import dev.numera.fixtures.OpenApiDocument.Operation;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.SharedHost;
import dev.numera.fixtures.SharedQueues;
import dev.numera.fixtures.proxy.ErrorBody;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.Nth;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.functions.Queues;
import dev.numera.localhost.Azurite;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.Uploads;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every status and problem that the document lists for a call is an answer that the call returns. */
@Tag("long")
class EveryAnswerIT {
    private static final OpenApiDocument DOCUMENT = OpenApiDocument.OF_THE_APP;
    private static final String[] CREATE = {"If-None-Match", "*"};
    private static final String[] ANY = {"If-Match", "*"};
    private static final String[] NONE = {};
    private static final String[] CSV = {"Content-Type", "text/csv"};
    private static final String GAP = "{\"first\": 4, \"last\": 4, \"reason\": \"never issued\"}";
    private static final String VOIDING = "{\"key\": \"a\", \"status\": \"void\", \"reason\": \"lost\"}";
    /** Limits that make a call end soon, and that admit one call at a time. */
    private static final Map<String, String> SMALL_LIMITS = Map.of(
            "Numera_DeadlineMillis", "5000", "Numera_MaxWaitingCalls", "1", "Numera_StorageTimeoutMillis", "10000");

    private static final Duration HELD = Duration.ofSeconds(3);
    /**
     * Answers that the document lists for several calls but that some calls cannot return in a test: only an upload
     * with a count reads the ledger, no test can set the clock back, and search results are short.
     */
    private static final Set<String> SHARED = Set.of(
            "Allocate 503 clock-behind",
            "Console 503 storage-unavailable",
            "ConsoleFile 503 storage-unavailable",
            "Docs 503 storage-unavailable",
            "Find 503 overloaded",
            "ListAttention 503 overloaded",
            "Me 503 storage-unavailable",
            "OpenApi 503 storage-unavailable",
            "ReadBatch 503 needs-newer-version",
            "ReadBatch 503 rolled-back");

    /**
     * The writes that allocate or change: a conditional write for a number without a key, a transaction for everything
     * else.
     */
    private static final Set<RequestKind> WRITING = Set.of(RequestKind.CONDITIONAL_WRITE, RequestKind.TRANSACTION);

    private static final Nth WRITES = new Nth(WRITING, "", 1, Long.MAX_VALUE);

    private final Set<String> allocated = new TreeSet<>();

    @Test
    void everyDescribedAnswerIsReturned() {
        answersToBadForm(SharedHost.client());
        answersToGoodForm(SharedHost.client());
        try (HostProcess locked = HostProcess.start(
                SharedAzurite.connectionString(),
                Map.of("Numera_AutoCreate", "never", "Numera_Console", "off"),
                Optional.of("secret"))) {
            NumeraClient client = new NumeraClient(locked.baseUri());
            DOCUMENT.operations().forEach(operation -> call(client, operation, "", NONE));
            send(client, "POST", "answers/none/next", null, "x-functions-key", "secret");
        }
        try (HostProcess misconfigured = HostProcess.start("no connection string", Map.of())) {
            NumeraClient client = new NumeraClient(misconfigured.baseUri());
            DOCUMENT.operations().forEach(operation -> call(client, operation, "", ANY));
        }

        answersDuringFailures();

        Set<String> described = described();
        described.removeAll(SHARED);
        assertEquals(
                List.of(),
                allocated.stream().filter(answer -> !described.contains(answer)).toList(),
                "not described");
        assertEquals(
                List.of(),
                described.stream().filter(answer -> !allocated.contains(answer)).toList(),
                "never given");
    }

    private void answersToBadForm(NumeraClient client) {
        for (Operation operation : DOCUMENT.operations()) {
            call(client, operation, "?nonsense=1", ANY);
            if (operation.json().get("responses").has("403")) {
                add(client.send(operation.method(), "/api" + path(operation), null, "Numera-Rights", "Numera.Nothing"));
            }
            if (operation.json().get("responses").has("411")) {
                HttpRequest.Builder chunked = client.request("/api" + path(operation))
                        .method(operation.method(), BodyPublishers.ofInputStream(InputStream::nullInputStream));
                add(client.send(chunked));
            }
            if (operation.json().get("responses").has("415")) {
                add(client.send(operation.method(), "/api" + path(operation), "{}", "Content-Type", "application/xml"));
                add(client.send(
                        operation.method(), "/api" + path(operation), "{\"text\": \"" + "x".repeat(70_000) + "\"}"));
            }
        }
    }

    private void answersToGoodForm(NumeraClient client) {
        add(client.get("/api/health"));
        Stream.of("/api/openapi.json", "/api/docs", "/api/console", "/api/console/icon.svg")
                .forEach(file -> {
                    Reply reply = client.get(file);
                    add(reply);
                    String tag = reply.raw().headers().firstValue("ETag").orElseThrow();
                    add(client.send("GET", file, null, "If-None-Match", tag));
                });
        add(client.get("/api/sequences?scope=answers"));
        add(client.get("/api/find?scope=answers&q=a"));
        add(client.get("/api/attention?scope=answers"));
        add(client.get("/api/me"));
        answersOfThePoisonQueue(client);
        send(client, "PUT", "answers/a", "{\"maxValue\": 3}", CREATE);
        send(client, "PUT", "answers/a", "{\"maxValue\": 4}", ANY);
        send(client, "PATCH", "answers/a", "{\"cacheSize\": 7}", ANY);
        send(client, "PATCH", "answers/a", "{}", "If-Match", "\"other\"");
        send(client, "PATCH", "answers/a", "{}", NONE);
        send(
                client,
                "PATCH",
                "answers/a",
                "{\"resetEvery\": \"year\", \"timeZone\": \"UTC\", \"format\": \"{n}\"}",
                ANY);
        send(client, "PATCH", "answers/a", "{\"format\": \"{n:2}\", \"maxLength\": 1}", ANY);
        send(client, "PUT", "answers/long", "{\"format\": \"{n:2}\", \"maxLength\": 1}", CREATE);
        send(client, "PATCH", "answers/none", "{}", ANY);
        send(client, "POST", "answers/a/preview", "{}", NONE);
        send(
                client,
                "POST",
                "answers/a/preview",
                "{\"resetEvery\": \"year\", \"timeZone\": \"UTC\", \"format\": \"{n}\"}",
                NONE);
        send(client, "POST", "answers/a/preview", "{\"format\": \"{n:2}\", \"maxLength\": 1}", NONE);
        send(client, "PUT", "answers/a", "{}", NONE);
        send(client, "PUT", "answers/a", "{}", CREATE);
        send(client, "PUT", "answers/a", "{\"resetEvery\": \"year\", \"timeZone\": \"UTC\", \"format\": \"{n}\"}", ANY);
        send(client, "POST", "answers/a/next", null, "Idempotency-Key", "a");
        send(client, "POST", "answers/a/next?count=2", null, "Idempotency-Key", "a");
        send(client, "POST", "answers/a/next?count=4", null, NONE);
        send(client, "PUT", "answers/a", "{\"start\": 2, \"maxValue\": 4, \"cacheSize\": 7}", ANY);
        send(client, "PATCH", "answers/a", "{\"start\": 2}", ANY);
        send(client, "POST", "answers/a/preview", "{\"start\": 2}", NONE);
        send(client, "POST", "answers/a/closings", "{\"dateFrom\": \"2026-01-01\", \"dateTo\": \"2026-12-31\"}", NONE);
        send(
                client,
                "POST",
                "answers/none/closings",
                "{\"dateFrom\": \"2026-01-01\", \"dateTo\": \"2026-12-31\"}",
                NONE);
        Stream.of("", "/state", "/periods", "/ledger", "/check", "/changes", "/closings")
                .forEach(call -> {
                    send(client, "GET", "answers/a" + call, null, NONE);
                    send(client, "GET", "answers/none" + call, null, NONE);
                });
        send(client, "GET", "answers/a/check?dateFrom=2026-01-01&dateTo=9999-12-31", null, NONE);
        send(client, "POST", "answers/a/status", VOIDING, NONE);
        send(client, "POST", "answers/a/status", "{\"key\": \"a\", \"status\": \"issued\"}", NONE);
        send(client, "POST", "answers/a/status", "{\"key\": \"b\", \"status\": \"issued\"}", NONE);
        send(client, "POST", "answers/none/status", VOIDING, NONE);
        send(client, "POST", "answers/a/next", null, "Idempotency-Key", "a");
        send(client, "POST", "answers/a/parse", "{\"text\": \"1\"}", NONE);
        send(client, "POST", "answers/a/parse", "{\"text\": \"x\"}", NONE);
        send(client, "POST", "answers/none/parse", "{\"text\": \"1\"}", NONE);
        send(client, "POST", "answers/a/advance", "{\"nextAtLeast\": 3}", NONE);
        send(client, "POST", "answers/a/advance", "{\"nextAtLeast\": 30}", NONE);
        send(client, "POST", "answers/none/advance", "{\"nextAtLeast\": 3}", NONE);
        String row = "{\"rows\": [{\"key\": \"old\", \"number\": 1}]}";
        send(client, "POST", "answers/a/imports", row, "Idempotency-Key", "import");
        send(client, "POST", "answers/a/imports", row.replace("1", "2"), "Idempotency-Key", "import");
        send(client, "POST", "answers/none/imports", row, NONE);
        for (String sequence : List.of("a", "none")) {
            send(client, "POST", "answers/" + sequence + "/imports/inspect", "key,number\na,1\n", CSV);
        }
        Write.importWithGaps(client, "answers/imported");
        send(client, "POST", "answers/imported/suspend", "{}", NONE);
        send(client, "POST", "answers/imported/gaps", GAP, NONE);
        send(client, "POST", "answers/imported/resume", "{}", NONE);
        send(client, "POST", "answers/imported/gaps", GAP, NONE);
        send(client, "POST", "answers/imported/gaps", GAP.replace("4", "3"), NONE);
        send(client, "POST", "answers/none/gaps", GAP, NONE);
        Upload.Id imported = Upload.Id.ofKey(new SequenceName("answers", "a"), Upload.Kind.IMPORT, "import");
        add(client.awaitUpload(
                "/api/sequences/answers/a/imports/" + imported.id(),
                Duration.ofMinutes(1),
                SharedHost.process()::output));
        send(client, "GET", "answers/a/imports/none", null, NONE);
        answersOfASuspendedSequence(client, row);
        send(client, "DELETE", "answers/a", null, NONE);
        send(client, "DELETE", "answers/a", null, "If-Match", "\"other\"");
        send(client, "DELETE", "answers/a", null, ANY);
        send(client, "POST", "answers/a/next", null, NONE);
        send(client, "POST", "answers/a/advance", "{\"nextAtLeast\": 3}", NONE);
        send(client, "POST", "answers/a/gaps", GAP, NONE);
        send(client, "POST", "answers/a/suspend", "{}", NONE);
        send(client, "POST", "answers/a/resume", "{}", NONE);
        send(client, "PUT", "answers/a", "{}", ANY);
        send(client, "PATCH", "answers/a", "{}", ANY);
        send(client, "POST", "answers/a/imports", row, NONE);
        send(client, "POST", "answers/a/preview", "{}", NONE);
        List<String> tooMany = IntStream.rangeClosed(0, Uploads.MAX_ITEMS)
                .mapToObj(Integer::toString)
                .toList();
        send(client, "POST", "answers/a/batches", "{\"keys\": [\"a\"]}", "Idempotency-Key", "upload");
        send(client, "POST", "answers/a/batches", "{\"keys\": [\"b\"]}", "Idempotency-Key", "upload");
        send(client, "POST", "answers/a/batches", String.join("\n", tooMany), "Content-Type", "text/plain");
        send(
                client,
                "POST",
                "answers/a/batches/csv",
                "key\na\n",
                "Content-Type",
                "text/csv",
                "Idempotency-Key",
                "file");
        send(
                client,
                "POST",
                "answers/a/batches/csv",
                "key\nb\n",
                "Content-Type",
                "text/csv",
                "Idempotency-Key",
                "file");
        send(client, "POST", "answers/a/batches/csv", "key\n" + String.join("\n", tooMany), CSV);
        Upload.Id upload = Upload.Id.ofKey(new SequenceName("answers", "a"), Upload.Kind.BATCH, "upload");
        add(client.awaitUpload(
                "/api/sequences/answers/a/batches/" + upload.id(),
                Duration.ofMinutes(1),
                SharedHost.process()::output));
        send(client, "GET", "answers/a/batches", null, NONE);
        send(client, "GET", "answers/a/imports", null, NONE);
        send(client, "GET", "answers/a/batches/none", null, NONE);
        send(client, "PUT", "answers/dated", "{\"dateOrder\": \"ascending\"}", CREATE);
        send(client, "POST", "answers/dated/next?date=2026-11-02", null, NONE);
        send(client, "POST", "answers/dated/next?date=2026-11-01", null, NONE);
        send(client, "PUT", "answers/gapless", "{\"guarantee\": \"gapless\"}", CREATE);
        send(client, "POST", "answers/gapless/next", null, NONE);
        answersToBadImports(client, "key,number\n" + String.join(",1\n", tooMany) + ",1\n");
        send(client, "PUT", "answers/cached", "{\"guarantee\": \"cached\"}", CREATE);
        send(client, "POST", "answers/cached/next", null, "Idempotency-Key", "a");
        send(client, "GET", "answers/cached/check", null, NONE);
        send(
                client,
                "POST",
                "answers/cached/closings",
                "{\"dateFrom\": \"2026-01-01\", \"dateTo\": \"2026-12-31\"}",
                NONE);
        send(client, "POST", "answers/cached/status", VOIDING, NONE);
        send(client, "POST", "answers/cached/gaps", GAP, NONE);
        send(client, "PUT", "answers/flakes", "{\"guarantee\": \"snowflake\"}", CREATE);
        Stream.of("/state", "/periods", "/ledger")
                .forEach(call -> send(client, "GET", "answers/flakes" + call, null, NONE));
        send(client, "POST", "answers/flakes/advance", "{\"nextAtLeast\": 3}", NONE);
        send(client, "POST", "answers/cached/imports", row, NONE);
        send(client, "POST", "answers/cached/imports/inspect", "key,number\na,1\n", CSV);
    }

    private void answersOfASuspendedSequence(NumeraClient client, String row) {
        send(client, "PUT", "answers/s", "{}", CREATE);
        send(client, "POST", "answers/s/suspend", "{\"reason\": \"stocktaking\"}", NONE);
        send(client, "POST", "answers/s/next", null, NONE);
        send(client, "POST", "answers/s/batches", "{\"keys\": [\"a\"]}", NONE);
        send(client, "POST", "answers/s/batches/csv", "key\na\n", CSV);
        send(client, "POST", "answers/s/imports", row, NONE);
        send(client, "POST", "answers/s/resume", "{}", NONE);
        for (String call : List.of("suspend", "resume")) {
            send(client, "POST", "answers/none/" + call, "{}", NONE);
        }
    }

    /** An unknown sequence is reported before a malformed body. */
    private void answersToBadImports(NumeraClient client, String tooManyRows) {
        String imports = "answers/gapless/imports";
        send(client, "POST", imports, tooManyRows, "Content-Type", "text/csv");
        send(client, "POST", imports, "{}", "Content-Type", "application/xml");
        send(client, "POST", imports + "/inspect", tooManyRows, CSV);
        send(client, "POST", imports + "/inspect", "{}", NONE);
        add(client.send(client.request("/api/sequences/" + imports)
                .POST(BodyPublishers.ofInputStream(InputStream::nullInputStream))));
    }

    private void answersOfThePoisonQueue(NumeraClient client) {
        String message = "{\"scope\": \"answers\", \"name\": \"poison\", \"keys\": [\"a\"]}";
        String date = "{\"date\": \"2026-11-21\"}";
        add(client.get("/api/poison"));
        for (String id : List.of(SharedQueues.putPoison(message), "none")) {
            add(client.send("POST", "/api/poison/" + id + "/requeue", date));
        }
        for (String id : List.of(SharedQueues.putPoison(message), "none")) {
            add(client.send("DELETE", "/api/poison/" + id, null));
        }
    }

    /** Runs with its own Azurite, because a failing host must not receive the messages of other tests. */
    private void answersDuringFailures() {
        try (Azurite azurite = Azurite.inMemory();
                FaultProxy proxy = FaultProxy.before(azurite.ports());
                FaultProxy queues = FaultProxy.before(queuesOf(azurite.ports()));
                HostProcess troubled = HostProcess.start(
                        Azurite.connectionString(
                                new Azurite.Ports(azurite.ports().blob(), queues.port(), proxy.port())),
                        SMALL_LIMITS)) {
            NumeraClient client = new NumeraClient(troubled.baseUri());
            Tables tables = Tables.of(azurite);
            for (Write write : Write.values()) {
                write.prepare(client, "contention");
                proxy.inject(Fault.beatenBy(() -> tables.touch(write.sequence("contention"))), WRITES);
                expect("contention", beaten(write, client));
                proxy.heal();
            }
            writesOfUnknownOutcome(client, proxy);
            writesWhileOthersAreHeld(client, proxy);
            client.next("answers/said", "", "a").expect(200);
            proxy.inject(Fault.status(500, ErrorBody.JSON), Nth.every(RequestKind.TRANSACTION));
            expect("outcome-unknown", client.send("POST", "/api/sequences/answers/said/status", VOIDING));
            proxy.heal();
            readsAnUploadThatIsNeverNumbered(client, queues);
            readsWhileOneIsHeld(client, proxy);
            uploadsWhileOneIsHeld(client, proxy);
            expect("rolled-back", afterTheCounterWentBack(client, tables));
            client.next("answers/lost").expect(200);
            tables.counters().deleteEntity("answers:lost", "definition");
            DefinitionCall.all().forEach(call -> expect("rolled-back", call.send(client, "lost")));
            client.next("answers/newer").expect(200);
            tables.change("newer", definition -> definition.addProperty("needs", 99));
            DefinitionCall.all().forEach(call -> expect("needs-newer-version", call.send(client, "newer")));
            afterTooManyFormats(client, tables);
            tables.counters()
                    .createEntity(
                            new TableEntity("~service", "maintenance").addProperty("since", "2026-11-23T02:00:00Z"));
            expect("suspended", client.send("PUT", "/api/sequences/answers/late", "{}", CREATE));
            proxy.inject(Fault.status(403, ErrorBody.XML), Nth.every());
            queues.inject(Fault.status(403, ErrorBody.XML), Nth.every());
            DOCUMENT.operations().forEach(operation -> call(client, operation, "", ANY));
        }
    }

    /** Sends the write again if its deadline passed during an attempt, whose outcome is unknown then. */
    private static Reply beaten(Write write, NumeraClient client) {
        Reply reply = write.send(client, "contention");
        for (int again = 0; again < 4 && isOutcomeUnknown(reply); again++) {
            reply = write.send(client, "contention");
        }
        return reply;
    }

    private static boolean isOutcomeUnknown(Reply reply) {
        return reply.body().path("type").asText().endsWith(":outcome-unknown");
    }

    /** Sends all writes at the same time, because each takes as long as its deadline. */
    private void writesOfUnknownOutcome(NumeraClient client, FaultProxy proxy) {
        Write.all().forEach(write -> write.prepare(client, "outcome-unknown"));
        proxy.inject(Fault.status(500, ErrorBody.JSON), WRITES);
        join(Write.all()
                        .map(write -> begin(() -> write.send(client, "outcome-unknown")))
                        .toList())
                .forEach(reply -> expect("outcome-unknown", reply));
        proxy.heal();
    }

    private void writesWhileOthersAreHeld(NumeraClient client, FaultProxy proxy) {
        Write.all().forEach(write -> write.prepare(client, "overloaded"));
        long holders = Write.all().count();
        proxy.inject(Fault.answeredLate(HELD), new Nth(WRITING, "", 1, holders));
        proxy.traffic().forget();
        List<CompletableFuture<Reply>> held = Write.all()
                .map(write -> begin(() -> write.holder().apply(client, "overloaded")))
                .toList();
        while (WRITING.stream().mapToLong(proxy.traffic()::forwarded).sum() < holders) {
            Thread.onSpinWait();
        }
        Write.all().forEach(write -> expect("overloaded", write.send(client, "overloaded")));
        join(held);
        proxy.heal();
    }

    /** Starts the call on its own thread, because a shared pool may have too few threads. */
    private static CompletableFuture<Reply> begin(Supplier<Reply> call) {
        return CompletableFuture.supplyAsync(call, task -> new Thread(task, "caller").start());
    }

    private static List<Reply> join(List<CompletableFuture<Reply>> calls) {
        return calls.stream().map(CompletableFuture::join).toList();
    }

    /**
     * Returns the ports with the queue service in place of the table service, because the proxy forwards to the table
     * service.
     */
    private static Azurite.Ports queuesOf(Azurite.Ports ports) {
        return new Azurite.Ports(ports.blob(), ports.queue(), ports.queue());
    }

    private void expect(String problem, Reply reply) {
        add(reply.expectProblem(503, problem));
    }

    private void readsAnUploadThatIsNeverNumbered(NumeraClient client, FaultProxy queues) {
        queues.inject(
                Fault.status(503, ErrorBody.XML), Nth.every(RequestKind.READ).onPath(Queues.REQUESTS + "/messages"));
        String location = client.send("POST", "/api/sequences/answers/pending/batches", "{\"keys\": [\"a\"]}")
                .expect(202)
                .location();
        Reply pending = client.send("GET", location, null, "Accept", "text/csv").expect(202);
        assertEquals("pending", pending.body().get("status").textValue());
        assertEquals(Optional.of("1"), pending.raw().headers().firstValue("Retry-After"));
        assertEquals(location, pending.location());
        add(pending);
        client.next("answers/pending").expect(200);
        add(client.get(client.send(
                        "POST",
                        "/api/sequences/answers/pending/imports",
                        "{\"rows\": [{\"key\": \"old\", \"number\": 9}]}")
                .expect(202)
                .location()));
        queues.heal();
    }

    private void readsWhileOneIsHeld(NumeraClient client, FaultProxy proxy) {
        client.next("answers/held").expect(200);
        proxy.inject(Fault.answeredLate(HELD), Nth.of(RequestKind.READ, 1).onPath(TableNames.COUNTERS));
        proxy.traffic().forget();
        DefinitionCall holder = DefinitionCall.GET;
        CompletableFuture<Reply> first = CompletableFuture.supplyAsync(() -> holder.send(client, "held"));
        while (proxy.traffic().forwarded(RequestKind.READ) == 0) {
            Thread.onSpinWait();
        }
        DefinitionCall.all().forEach(call -> expect("overloaded", call.send(client, "held")));
        first.join();
        proxy.heal();
    }

    private void uploadsWhileOneIsHeld(NumeraClient client, FaultProxy proxy) {
        String uploads = "/api/sequences/answers/uploads";
        proxy.inject(Fault.answeredLate(HELD), Nth.of(RequestKind.READ, 1).onPath(TableNames.BATCHES));
        proxy.traffic().forget();
        CompletableFuture<Reply> first =
                CompletableFuture.supplyAsync(() -> client.send("POST", uploads + "/batches", "{\"keys\": [\"a\"]}"));
        while (proxy.traffic().forwarded(RequestKind.READ) == 0) {
            Thread.onSpinWait();
        }
        expect("overloaded", client.send("POST", uploads + "/batches", "{\"keys\": [\"a\"]}"));
        expect("overloaded", client.send("POST", uploads + "/batches/csv", "key\na\n", "Content-Type", "text/csv"));
        expect("overloaded", client.get(uploads + "/batches"));
        expect("overloaded", client.get(uploads + "/imports"));
        expect("overloaded", client.get(uploads + "/batches/" + "0".repeat(32)));
        expect("overloaded", client.get(uploads + "/imports/" + "0".repeat(32)));
        first.join();
        proxy.heal();
    }

    private static Reply afterTheCounterWentBack(NumeraClient client, Tables tables) {
        client.next("answers/back").expect(200);
        TableEntity old = tables.counters().getEntity("answers:back", "counter");
        client.next("answers/back").expect(200);
        tables.counters().upsertEntity(old);
        return client.next("answers/back");
    }

    private void afterTooManyFormats(NumeraClient client, Tables tables) {
        String formats = IntStream.rangeClosed(1, 500)
                .mapToObj(i -> "[\"F" + i + "-{n}\", 1, 1, 9]")
                .collect(Collectors.joining(","));
        String sequence = "answers/formats";
        client.send("PUT", "/api/sequences/" + sequence, "{\"format\": \"F1-{n}\"}", CREATE)
                .expect(201);
        client.next(sequence).expect(200);
        tables.change("formats", definition -> definition.addProperty("formats0", "[" + formats + "]"));
        send(client, "PUT", sequence, "{\"format\": \"G-{n}\"}", ANY);
        send(client, "PATCH", sequence, "{\"format\": \"G-{n}\"}", ANY);
        send(client, "POST", sequence + "/preview", "{\"format\": \"G-{n}\"}", NONE);
    }

    /** The table of the counters as another program sees it. */
    private record Tables(TableClient counters) {
        static Tables of(Azurite azurite) {
            return new Tables(new TableClientBuilder()
                    .connectionString(azurite.connectionString())
                    .tableName(TableNames.COUNTERS)
                    .buildClient());
        }

        /** Rewrites the counter and the definition unchanged, which gives them new versions. */
        void touch(String sequence) {
            for (String row : List.of("counter", "definition")) {
                counters.updateEntity(new TableEntity("answers:" + sequence, row), TableEntityUpdateMode.MERGE);
            }
        }

        void change(String sequence, UnaryOperator<TableEntity> change) {
            counters.upsertEntity(change.apply(counters.getEntity("answers:" + sequence, "definition")));
        }
    }

    /** The calls that read the definition first. */
    private record DefinitionCall(String method, String path, String body, String... headers) {
        static final DefinitionCall GET = new DefinitionCall("GET", "", null);

        static List<DefinitionCall> all() {
            return List.of(
                    GET,
                    new DefinitionCall("GET", "/state", null),
                    new DefinitionCall("GET", "/periods", null),
                    new DefinitionCall("GET", "/ledger?key=a", null),
                    new DefinitionCall("GET", "/check", null),
                    new DefinitionCall("GET", "/changes", null),
                    new DefinitionCall("GET", "/closings", null),
                    new DefinitionCall(
                            "POST", "/closings", "{\"dateFrom\": \"2026-01-01\", \"dateTo\": \"2026-12-31\"}"),
                    new DefinitionCall("POST", "/parse", "{\"text\": \"1\"}"),
                    new DefinitionCall("POST", "/preview", "{}"),
                    new DefinitionCall("POST", "/next", null),
                    new DefinitionCall("POST", "/status", "{\"key\": \"a\", \"status\": \"issued\"}"),
                    new DefinitionCall("POST", "/advance", "{\"nextAtLeast\": 5}"),
                    new DefinitionCall("POST", "/gaps", GAP),
                    new DefinitionCall("POST", "/suspend", "{}"),
                    new DefinitionCall("POST", "/resume", "{}"),
                    new DefinitionCall("POST", "/imports", "{\"rows\": [{\"key\": \"old\", \"number\": 1}]}"),
                    new DefinitionCall("POST", "/imports/inspect", "key,number\na,1\n", CSV),
                    new DefinitionCall("PUT", "", "{}", ANY),
                    new DefinitionCall("PATCH", "", "{}", ANY),
                    new DefinitionCall("DELETE", "", null, ANY));
        }

        Reply send(NumeraClient client, String sequence) {
            return client.send(method, "/api/sequences/answers/" + sequence + path, body, headers);
        }
    }

    /** The calls that write a counter. */
    private enum Write {
        ALLOCATE("POST", "/next", null),
        ADVANCE("POST", "/advance", "{\"nextAtLeast\": 1000}"),
        ACCEPT_GAP("POST", "/gaps", GAP),
        PATCH("PATCH", "", "{\"cacheSize\": 7}", ANY),
        SUSPEND("POST", "/suspend", "{}"),
        RESUME("POST", "/resume", "{}"),
        RETIRE("DELETE", "", null, ANY),
        REVIVE("PUT", "", "{}", CREATE);

        private final String method;
        private final String path;
        private final String body;
        private final String[] headers;

        Write(String method, String path, String body, String... headers) {
            this.method = method;
            this.path = path;
            this.body = body;
            this.headers = headers;
        }

        static Stream<Write> all() {
            return Stream.of(values());
        }

        /** Prepares a sequence with a counter for this call. */
        void prepare(NumeraClient client, String failure) {
            if (this == ACCEPT_GAP) {
                importWithGaps(client, "answers/" + sequence(failure));
                return;
            }
            client.next("answers/" + failure + "-" + ordinal()).expect(200);
            if (this == RESUME) {
                SUSPEND.send(client, failure, ordinal()).expect(200);
            }
            if (this == REVIVE) {
                RETIRE.send(client, failure, ordinal()).expect(204);
            }
        }

        /** Imports the numbers 3 and 5, so that the import leaves 4 as a gap. */
        static void importWithGaps(NumeraClient client, String sequence) {
            String path = "/api/sequences/" + sequence;
            client.send("PUT", path, "{\"guarantee\": \"gapless\"}", CREATE).expect(201);
            String rows = "{\"rows\": [{\"key\": \"third\", \"number\": 3}, {\"key\": \"fifth\", \"number\": 5}]}";
            String location =
                    client.send("POST", path + "/imports", rows).expect(202).location();
            // If the host allows a single call, this poll and the import's own work would keep each other out, so it
            // pauses.
            long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
            while (client.get(location).status() != 200) {
                assertTrue(System.nanoTime() < deadline, location);
                LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
            }
        }

        Reply send(NumeraClient client, String failure) {
            return send(client, failure, ordinal());
        }

        String sequence(String failure) {
            return failure + "-" + ordinal();
        }

        private Reply send(NumeraClient client, String failure, int sequence) {
            return client.send(method, "/api/sequences/answers/" + failure + "-" + sequence + path, body, headers);
        }

        /**
         * Returns the call whose held write keeps this one out. A retired or suspended sequence accepts only a call of
         * this kind, and a gapless sequence accepts none without a key.
         */
        BiFunction<NumeraClient, String, Reply> holder() {
            Write holder = this == REVIVE || this == RESUME || this == ACCEPT_GAP ? this : ALLOCATE;
            return (client, failure) -> holder.send(client, failure, ordinal());
        }
    }

    private void send(NumeraClient client, String method, String sequence, String body, String... headers) {
        add(client.send(method, "/api/sequences/" + sequence, body, headers));
    }

    private void call(NumeraClient client, Operation operation, String query, String... headers) {
        String csv = operation.json().at("/requestBody/content").size() == 1
                ? operation.json().at("/requestBody/content/text~1csv/example").textValue()
                : null;
        JsonNode body = operation.json().at("/requestBody/content/application~1json/example");
        add(client.send(
                operation.method(),
                "/api" + path(operation) + (query.isEmpty() && operation.id().equals("Find") ? "?q=a" : query),
                body.isMissingNode() ? csv : body.toString(),
                csv == null ? headers : CSV));
    }

    private static String path(Operation operation) {
        return operation
                .path()
                .replace("{scope}", "answers")
                .replace("{name}", "form")
                .replace("{file}", "icon.svg")
                .replace("{id}", "0".repeat(32));
    }

    private void add(Reply reply) {
        String id = DOCUMENT.operation(reply.raw()).orElseThrow().id();
        allocated.add(id + " " + reply.status() + (reply.problem().isEmpty() ? "" : " " + reply.problem()));
    }

    private static Set<String> described() {
        Set<String> described = new TreeSet<>();
        DOCUMENT.operations()
                .forEach(operation -> operation.json().get("responses").fields().forEachRemaining(response -> {
                    List<JsonNode> problems = DOCUMENT.problems(response.getValue());
                    String answer = operation.id() + " " + response.getKey();
                    if (problems.isEmpty()) {
                        described.add(answer);
                    }
                    problems.stream()
                            .map(problem -> problem.at("/properties/type/enum/0")
                                    .textValue()
                                    .replace("urn:problem-type:numera:", ""))
                            .forEach(problem -> described.add(answer + " " + problem));
                }));
        return described;
    }
}
