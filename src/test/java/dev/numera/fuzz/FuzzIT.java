package dev.numera.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.fixtures.Effort;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.RawHttp;
import dev.numera.fixtures.SharedAzurite;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random requests over all routes. Every request is answered, never with an error of the app; each refusal is a problem
 * that states the reason; and a refused request changes nothing. The seed is printed, and
 * {@code -Dnumera.fuzz.seed=...} repeats the same requests.
 */
class FuzzIT {
    private static final long SEED = Long.getLong("numera.fuzz.seed", 20261121);
    private static final int CALLERS = 4;
    private static final int AUDIT_EVERY = 500;
    /**
     * Settings without storage failures. The emulator may be slow on a busy machine, and an unknown outcome would spoil
     * the books.
     */
    private static final Map<String, String> PATIENT =
            Map.of("Numera_StorageTimeoutMillis", "30000", "Numera_DeadlineMillis", "60000");

    private static final Map<String, String> DEFINITIONS = Map.of(
            "strict", "{\"format\": \"{n:4}\"}",
            "gapless", "{\"guarantee\": \"gapless\"}",
            "cached", "{\"guarantee\": \"cached\", \"cacheSize\": 7}",
            "yearly", "{\"resetEvery\": \"year\", \"timeZone\": \"UTC\", \"format\": \"{yyyy}-{n}\"}",
            "down", "{\"increment\": -3, \"maxValue\": 100000}",
            "few", "{\"maxValue\": 200}",
            "cycle", "{\"maxValue\": 30, \"cycle\": true}");

    private final Map<String, LongAdder> answers = new ConcurrentSkipListMap<>();
    private final LongAdder mutated = new LongAdder();

    @Test
    void threeHundredRequests() throws Exception {
        fuzz(300);
    }

    @Test
    @Tag("long")
    void tenThousandRequests() throws Exception {
        fuzz(Effort.times(10_000));
    }

    private void fuzz(int requests) throws Exception {
        System.out.println("Fuzzing with -Dnumera.fuzz.seed=" + SEED);
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try (HostProcess host = HostProcess.start(SharedAzurite.connectionString(), PATIENT)) {
            List<Future<?>> running = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                String scope = "fuzz-" + requests + "-" + caller;
                Random random = new Random(SEED + caller);
                running.add(callers.submit(() -> call(host, scope, random, requests / CALLERS)));
            }
            for (Future<?> caller : running) {
                caller.get();
            }
            assertTrue(!host.output().contains("SEVERE"), host::output);
        } finally {
            callers.shutdownNow();
        }
        System.out.println(requests + " requests, " + mutated + " of them valid but for one mutation, were answered "
                + new TreeMap<>(answers));
        assertTrue(
                mutated.sum() * 2 >= requests, () -> "only " + mutated + " requests were valid but for one mutation");
    }

    private void call(HostProcess host, String scope, Random random, int requests) {
        NumeraClient client = new NumeraClient(host.baseUri());
        RawHttp http = new RawHttp(host.baseUri());
        Books books = new Books(scope);
        RequestMaker.NUMBERED.forEach(name -> books.open(client, name, DEFINITIONS.get(name)));
        books.openForUploads(client);
        RequestMaker maker = new RequestMaker(scope, random);
        for (int sent = 1; sent <= requests; sent++) {
            Draft request = draft(maker, random);
            RawHttp.RawAnswer answer = request.sendTo(http);
            answers.computeIfAbsent("" + answer.status(), status -> new LongAdder())
                    .increment();
            check(request, answer);
            if (answer.status() < 300) {
                books.book(request, answer);
            }
            if (sent % AUDIT_EVERY == 0 || sent == requests) {
                books.audit(client);
            }
        }
        books.settleUploads(client);
    }

    private Draft draft(RequestMaker maker, Random random) {
        int kind = random.nextInt(10);
        if (kind < 6) {
            mutated.increment();
            return maker.mutated();
        }
        return kind < 8 ? maker.valid() : maker.mixture();
    }

    private static void check(Draft request, RawHttp.RawAnswer answer) {
        String seen = request + " was answered " + answer.head() + answer.body();
        assertTrue(answer.status() >= 200 && answer.status() < 500, seen);
        boolean isTheHosts = answer.status() == 404 && answer.body().isEmpty();
        if (answer.status() >= 400 && !isTheHosts && !request.method.equals("HEAD")) {
            assertTrue(answer.head().toLowerCase().contains("content-type: application/problem+json"), seen);
            assertEquals(
                    answer.status(), Books.json(answer.body()).get("status").intValue(), seen);
            assertTrue(Books.json(answer.body()).get("type").textValue().startsWith("urn:problem-type:numera:"), seen);
        }
    }
}
