package dev.numera.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.TestLimits;
import dev.numera.localhost.Azurite;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.definition.Precondition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the app with a small heap under the largest answers, ledgers and uploads at once. It never runs out of memory,
 * refuses with a reason the calls that do not fit, and answers all other calls meanwhile.
 */
@Tag("long")
class MemoryBudgetIT {
    /** The format of 100 characters whose ten thousand texts are the longest answer for new numbers. */
    private static final String OF_100_CHARACTERS = "x".repeat(84) + "{n}";

    private static final Pattern HEAP_BEFORE = Pattern.compile("Pause .* (\\d+)M->\\d+M\\(");
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(40);

    /** A separate Azurite, because another host would continue the remaining uploads during the next tests. */
    private final Azurite azurite = Azurite.inMemory();

    private final String scope = "m" + UUID.randomUUID().toString().substring(0, 8);
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        azurite.close();
    }

    /** The result of many calls: how often each answer was returned, and the slowest call on another sequence. */
    private record LoadResult(Map<String, Integer> answers, long slowestOtherMillis) {}

    @ParameterizedTest
    @ValueSource(ints = {512, 128})
    void nothingExhaustsTheHeap(int megabytes) throws IOException {
        fillLedgers(10, 5);
        try (HeavyLoad load = new HeavyLoad(megabytes)) {
            load.requireOnly("numbers", load.run(128, 2, this::longNumbers), "200", "503 overloaded");
            load.requireOnly("ledgers", load.run(10, 2, caller -> ledger(caller, 1)), "200", "503 overloaded");
            load.requireOnly("ledger pages", load.run(10, 2, caller -> ledger(caller, 1_000)), "200", "503 overloaded");
            load.requireOnly("ledgers as CSV", load.run(10, 2, this::csv), "200", "503 overloaded");
            int characters = megabytes * 60_000;
            load.requireOnly(
                    "uploads",
                    load.run(5, 2, caller -> upload(caller, characters, 2)),
                    "202",
                    "503 overloaded",
                    "503 of the host");
            load.requireOnly(
                    "uploads of cells",
                    load.run(5, 2, caller -> upload(caller, characters, 499)),
                    "413 too-large",
                    "503 overloaded",
                    "503 of the host");
        }
    }

    @Test
    void aSmallHeapServesTheLargestAnswers() throws IOException {
        fillLedgers(2, 1);
        try (HeavyLoad load = new HeavyLoad(128)) {
            load.requireOnly("numbers", load.run(32, 1, this::longNumbers), "200", "503 overloaded");
            load.requireOnly("ledgers", load.run(10, 1, caller -> ledger(caller % 2, 1_000)), "200", "503 overloaded");
            load.requireOnly(
                    "uploads of cells",
                    load.run(3, 1, caller -> upload(caller, 4_000_000, 499)),
                    "413 too-large",
                    "503 overloaded",
                    "503 of the host");
        }
    }

    private void fillLedgers(int ledgers, int rows) {
        Sequences sequences = TestSequences.over(azurite.connectionString())
                .with(TestLimits.DEFAULT.withDeadline(Duration.ofSeconds(60)))
                .start();
        for (String name : names("numbers", 1)) {
            define(sequences, name);
        }
        for (String name : names("ledger-", ledgers)) {
            define(sequences, name);
            for (int row = 0; row < rows; row++) {
                String prefix = "row-" + row + "-";
                List<NumberRequest> requests = IntStream.range(0, 98)
                        .mapToObj(i -> new NumberRequest(prefix + i, 10_000, null))
                        .toList();
                sequences
                        .allocator()
                        .next(new SequenceName(scope, name), requests)
                        .results()
                        .forEach(result -> result.orThrow());
            }
        }
    }

    private static List<String> names(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
    }

    private void define(Sequences sequences, String name) {
        sequences
                .editor()
                .put(
                        new SequenceName(scope, name),
                        DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, OF_100_CHARACTERS),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
    }

    private HttpRequest.Builder longNumbers(int caller) {
        return to("numbers0/next?count=10000").POST(BodyPublishers.noBody());
    }

    private HttpRequest.Builder ledger(int caller, int limit) {
        return to("ledger-" + caller + "/ledger?limit=" + limit).GET();
    }

    private HttpRequest.Builder csv(int caller) {
        return to("ledger-" + caller + "/ledger?limit=1000")
                .header("Accept", "text/csv")
                .GET();
    }

    private HttpRequest.Builder upload(int caller, int characters, int columns) {
        String row = ",".repeat(columns - 1) + "x".repeat(Math.max(1, 320 - columns)) + "\r\n";
        StringBuilder body = new StringBuilder(characters + row.length());
        body.append("key").append(",c".repeat(columns - 1)).append("\r\n");
        for (int number = 0; body.length() < characters; number++) {
            body.append("key-").append(caller).append('-').append(number).append(row);
        }
        return to("uploaded/batches")
                .header("Content-Type", "text/csv")
                .POST(BodyPublishers.ofByteArray(body.toString().getBytes(StandardCharsets.UTF_8)));
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder().header("numera-test-path", "/api/sequences/" + scope + "/" + path);
    }

    /** A host with its own heap, and the calls to it. */
    private final class HeavyLoad implements AutoCloseable {
        private final int megabytes;
        private final Path log;
        private final HostProcess host;

        HeavyLoad(int megabytes) {
            this.megabytes = megabytes;
            this.log = folder.resolve("gc-" + megabytes + ".log");
            this.host = HostProcess.start(
                    azurite.connectionString(),
                    Map.of(
                            "JAVA_TOOL_OPTIONS",
                            "-Xmx" + megabytes + "m -Xlog:gc:file=" + log,
                            // A single Azurite serves the whole load, on the same machine as the callers.
                            "Numera_StorageTimeoutMillis",
                            "20000",
                            "Numera_DeadlineMillis",
                            "40000"));
            // The first call keeps the cold start out of the measurement.
            assertEquals("200", answer(to("other/next").POST(BodyPublishers.noBody())));
        }

        /**
         * Runs many callers at once, each several times, while another caller requests numbers of a different sequence.
         */
        LoadResult run(int count, int times, IntFunction<HttpRequest.Builder> request) {
            AtomicBoolean isOver = new AtomicBoolean();
            CompletableFuture<Long> others = CompletableFuture.supplyAsync(() -> otherCalls(isOver), callers);
            List<CompletableFuture<List<String>>> calls = IntStream.range(0, count)
                    .mapToObj(caller -> CompletableFuture.supplyAsync(() -> calls(caller, times, request), callers))
                    .toList();
            Map<String, Integer> answers = new TreeMap<>();
            calls.forEach(call -> call.join().forEach(answer -> answers.merge(answer, 1, Integer::sum)));
            isOver.set(true);
            return new LoadResult(answers, others.join());
        }

        private List<String> calls(int caller, int times, IntFunction<HttpRequest.Builder> request) {
            List<String> answers = new ArrayList<>();
            for (int time = 0; time < times; time++) {
                answers.add(answer(request.apply(caller)));
            }
            return answers;
        }

        private long otherCalls(AtomicBoolean isOver) {
            long slowest = 0;
            do {
                long began = System.nanoTime();
                assertEquals("200", answer(to("other/next").POST(BodyPublishers.noBody())));
                slowest = Math.max(slowest, System.nanoTime() - began);
            } while (!isOver.get());
            return slowest / 1_000_000;
        }

        /** Returns the status and the problem. */
        private String answer(HttpRequest.Builder request) {
            String path = request.copy()
                    .uri(host.baseUri())
                    .build()
                    .headers()
                    .firstValue("numera-test-path")
                    .orElseThrow();
            try {
                var response = http.send(
                        request.uri(host.baseUri().resolve(path))
                                .timeout(Duration.ofSeconds(120))
                                .build(),
                        BodyHandlers.ofByteArray());
                String status = "" + response.statusCode();
                if (response.statusCode() < 400) {
                    return status;
                }
                String body = new String(response.body(), StandardCharsets.UTF_8);
                Matcher type = Pattern.compile("numera:([a-z-]+)").matcher(body);
                return status + (type.find() ? " " + type.group(1) : " of the host");
            } catch (IOException e) {
                throw new UncheckedIOException(host.output(), e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        void requireOnly(String what, LoadResult outcome, String... allowed) throws IOException {
            System.out.println(megabytes + " MB, " + what + ": " + outcome.answers() + ", slowest other call "
                    + outcome.slowestOtherMillis() + " ms, peak heap " + peakMegabytes() + " MB");
            assertTrue(Set.of(allowed).containsAll(outcome.answers().keySet()), () -> what + " " + outcome.answers());
            assertTrue(outcome.answers().containsKey(allowed[0]), () -> what + " " + outcome.answers());
            assertTrue(outcome.slowestOtherMillis() < LONGEST_WAIT.toMillis(), () -> what + " " + outcome);
            assertTrue(host.process().isAlive(), host::output);
            assertFalse(host.output().contains("OutOfMemoryError"), host::output);
        }

        private long peakMegabytes() throws IOException {
            return Files.readAllLines(log).stream()
                    .map(HEAP_BEFORE::matcher)
                    .filter(Matcher::find)
                    .mapToLong(found -> Long.parseLong(found.group(1)))
                    .max()
                    .orElse(0);
        }

        @Override
        public void close() {
            host.close();
        }
    }
}
