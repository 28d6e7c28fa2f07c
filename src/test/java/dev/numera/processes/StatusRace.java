package dev.numera.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.maintain.history.KeyStatus;
import dev.numera.maintain.history.ObservedCall;
import dev.numera.maintain.history.ObservedCall.Purpose;
import dev.numera.maintain.history.ObservedOutcome;
import dev.numera.maintain.history.ObservedOutcome.Allocated;
import dev.numera.maintain.history.ObservedOutcome.NoNumbers;
import dev.numera.maintain.history.ObservedStatusChange;
import dev.numera.maintain.history.StatusChecker;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Callers that reserve a number, then confirm and void it concurrently on two processes, and record the answers. They
 * repeat unanswered calls. The key makes that safe, and a repeated change is answered as successful.
 */
final class StatusRace {
    private static final KeyStatus VOIDED = KeyStatus.voided("both at once");

    private final String sequence;
    private final Pace pace;
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private final List<Future<?>> running = new ArrayList<>();
    private final ConcurrentLinkedQueue<ObservedCall> calls = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<ObservedStatusChange> changes = new ConcurrentLinkedQueue<>();

    StatusRace(String sequence, Pace pace) {
        this.sequence = sequence;
        this.pace = pace;
    }

    /** Adds a caller that starts attempts while the condition holds, and completes each. */
    void add(String caller, Supplier<URI> one, Supplier<URI> other, BooleanSupplier goesOn) {
        running.add(callers.submit(() -> {
            for (int own = 0; goesOn.getAsBoolean(); own++) {
                String key = caller + "-" + own;
                while (!reserve(key, one.get())) {
                    pace.pause();
                }
                CompletableFuture<Void> issue =
                        CompletableFuture.runAsync(() -> changeUntilDefinite(key, KeyStatus.ISSUED, one), callers);
                changeUntilDefinite(key, VOIDED, other);
                issue.join();
                pace.pause();
            }
            return null;
        }));
    }

    /** Whether the key has its number now. */
    private boolean reserve(String key, URI process) {
        long sent = System.nanoTime();
        ObservedOutcome outcome;
        try {
            outcome = outcome(new NumeraClient(process).next(sequence, "?reserve=true", key));
        } catch (UncheckedIOException e) {
            outcome = new NoNumbers(NoNumbers.NO_ANSWER);
        }
        calls.add(new ObservedCall(
                "" + process, "reserve " + key, sent, System.nanoTime(), key, 1, outcome, Purpose.RESERVATION));
        return outcome instanceof Allocated;
    }

    private static ObservedOutcome outcome(Reply reply) {
        if (reply.status() != 200) {
            return new NoNumbers(problem(reply));
        }
        boolean isReplay = reply.body().path("replayed").asBoolean();
        return new Allocated(reply.first(), reply.first(), 1, 1, isReplay, status(reply.body()));
    }

    private void changeUntilDefinite(String key, KeyStatus wanted, Supplier<URI> process) {
        while (!change(key, wanted, process.get())) {
            pace.pause();
        }
    }

    /** Whether the answer is definite. */
    private boolean change(String key, KeyStatus wanted, URI process) {
        String body = wanted.equals(VOIDED)
                ? "{\"key\": \"" + key + "\", \"status\": \"void\", \"reason\": \"" + VOIDED.reason() + "\"}"
                : "{\"key\": \"" + key + "\", \"status\": \"issued\"}";
        long sent = System.nanoTime();
        KeyStatus answered = null;
        String problem = NoNumbers.NO_ANSWER;
        boolean isDefinite = false;
        try {
            Reply reply = new NumeraClient(process).send("POST", "/api/sequences/" + sequence + "/status", body);
            answered = reply.status() == 200 ? status(reply.body()) : null;
            problem = reply.status() == 200 ? null : problem(reply);
            isDefinite = reply.status() < 500;
        } catch (UncheckedIOException e) {
            // The change is recorded below as unanswered.
        }
        boolean mayHaveChanged = problem != null && new NoNumbers(problem).mayHaveCommitted();
        changes.add(new ObservedStatusChange(
                "" + process,
                wanted + " " + key,
                sent,
                System.nanoTime(),
                key,
                wanted,
                answered,
                problem,
                mayHaveChanged));
        return isDefinite;
    }

    /** Returns the problem. Only an answer of the app itself proves that nothing changed. */
    private static String problem(Reply reply) {
        return reply.problem().isEmpty() ? NoNumbers.NO_ANSWER : reply.problem();
    }

    private static KeyStatus status(JsonNode body) {
        return switch (body.path("status").asText("issued")) {
            case "issued" -> KeyStatus.ISSUED;
            case "reserved" -> KeyStatus.RESERVED;
            default -> KeyStatus.voided(body.path("reason").asText());
        };
    }

    /** Waits for all callers, requires that the answers do not contradict, and returns the number of keys. */
    int requireTrue(NumeraClient client) throws Exception {
        for (Future<?> caller : running) {
            caller.get();
        }
        callers.shutdown();
        Map<String, KeyStatus> atEnd = new TreeMap<>();
        for (ObservedCall call : calls) {
            atEnd.computeIfAbsent(call.key(), key -> statusAtEnd(client, key));
        }
        assertEquals(List.of(), new StatusChecker(List.copyOf(calls), List.copyOf(changes), atEnd).violations());
        atEnd.forEach((key, status) -> assertEquals(VOIDED, status, key));
        return atEnd.size();
    }

    private KeyStatus statusAtEnd(NumeraClient client, String key) {
        return status(client.get("/api/sequences/" + sequence + "/ledger?key=" + key)
                .expect(200)
                .body()
                .at("/entries/0"));
    }
}
