package dev.numera.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Callers that reserve a number and then confirm and void it concurrently on two processes, and record the answers. */
final class StatusRace {
    private static final String REASON = "both at once";

    /** A definite answer. */
    private record StatusAnswer(boolean isDone, long sentNanos, long answeredNanos) {}

    private record Attempt(String key, StatusAnswer issue, StatusAnswer makeVoid) {}

    private final String sequence;
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private final List<Future<?>> running = new ArrayList<>();
    private final ConcurrentLinkedQueue<Attempt> attempts = new ConcurrentLinkedQueue<>();

    StatusRace(String sequence) {
        this.sequence = sequence;
    }

    /** Adds a caller that starts attempts while the condition holds, and completes each. */
    void add(String caller, Supplier<URI> one, Supplier<URI> other, BooleanSupplier goesOn) {
        running.add(callers.submit(() -> {
            for (int own = 0; goesOn.getAsBoolean(); own++) {
                String key = caller + "-" + own;
                retryUntilDefinite(() -> new NumeraClient(one.get()).next(sequence, "?reserve=true", key));
                CompletableFuture<StatusAnswer> issue =
                        CompletableFuture.supplyAsync(() -> setStatus(one, body(key, "\"issued\"")), callers);
                StatusAnswer makeVoid = setStatus(other, body(key, "\"void\", \"reason\": \"" + REASON + "\""));
                attempts.add(new Attempt(key, issue.join(), makeVoid));
            }
            return null;
        }));
    }

    private static String body(String key, String status) {
        return "{\"key\": \"" + key + "\", \"status\": " + status + "}";
    }

    private StatusAnswer setStatus(Supplier<URI> process, String body) {
        long sent = System.nanoTime();
        Reply reply = retryUntilDefinite(
                () -> new NumeraClient(process.get()).send("POST", "/api/sequences/" + sequence + "/status", body));
        return new StatusAnswer(reply.status() == 200, sent, System.nanoTime());
    }

    /** Repeats the call until its answer is definite. */
    private static Reply retryUntilDefinite(Supplier<Reply> call) {
        Optional<Reply> reply = Optional.empty();
        while (reply.isEmpty()) {
            reply = definite(call);
        }
        return reply.get();
    }

    private static Optional<Reply> definite(Supplier<Reply> call) {
        try {
            return Optional.of(call.get()).filter(reply -> reply.status() < 500);
        } catch (UncheckedIOException e) {
            return Optional.empty();
        }
    }

    /** Waits for all callers, requires that every answer is true, and returns the number of keys. */
    int requireTrue(NumeraClient client) throws Exception {
        for (Future<?> caller : running) {
            caller.get();
        }
        callers.shutdown();
        for (Attempt each : attempts) {
            JsonNode entry = client.get("/api/sequences/" + sequence + "/ledger?key=" + each.key())
                    .expect(200)
                    .body()
                    .at("/entries/0");
            assertEquals(
                    List.of("void", REASON),
                    List.of(entry.path("status").asText(), entry.path("reason").asText()),
                    each::toString);
            boolean isConfirmedAfterwards = each.issue().isDone()
                    && each.issue().sentNanos() > each.makeVoid().answeredNanos();
            assertFalse(isConfirmedAfterwards, each::toString);
        }
        return attempts.size();
    }
}
