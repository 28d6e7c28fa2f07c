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

/**
 * Callers who reserve a number and then confirm and void it at once, by two processes, and note what they were told.
 */
final class Sayings {
    private static final String REASON = "both at once";

    /** A definite answer. */
    private record Told(boolean isDone, long askedNanos, long answeredNanos) {}

    private record Said(String key, Told issue, Told makeVoid) {}

    private final String sequence;
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private final List<Future<?>> running = new ArrayList<>();
    private final ConcurrentLinkedQueue<Said> said = new ConcurrentLinkedQueue<>();

    Sayings(String sequence) {
        this.sequence = sequence;
    }

    /** Adds one who goes on as long as the condition holds, and to the end of what was begun. */
    void add(String caller, Supplier<URI> one, Supplier<URI> other, BooleanSupplier goesOn) {
        running.add(callers.submit(() -> {
            for (int own = 0; goesOn.getAsBoolean(); own++) {
                String key = caller + "-" + own;
                until(() -> new NumeraClient(one.get()).next(sequence, "?reserve=true", key));
                CompletableFuture<Told> issue =
                        CompletableFuture.supplyAsync(() -> say(one, body(key, "\"issued\"")), callers);
                Told makeVoid = say(other, body(key, "\"void\", \"reason\": \"" + REASON + "\""));
                said.add(new Said(key, issue.join(), makeVoid));
            }
            return null;
        }));
    }

    private static String body(String key, String status) {
        return "{\"key\": \"" + key + "\", \"status\": " + status + "}";
    }

    private Told say(Supplier<URI> process, String body) {
        long asked = System.nanoTime();
        Reply reply = until(
                () -> new NumeraClient(process.get()).send("POST", "/api/sequences/" + sequence + "/status", body));
        return new Told(reply.status() == 200, asked, System.nanoTime());
    }

    /** Sends it again as long as nobody tells what became of it. */
    private static Reply until(Supplier<Reply> call) {
        Optional<Reply> told = Optional.empty();
        while (told.isEmpty()) {
            told = definite(call);
        }
        return told.get();
    }

    private static Optional<Reply> definite(Supplier<Reply> call) {
        try {
            return Optional.of(call.get()).filter(reply -> reply.status() < 500);
        } catch (UncheckedIOException e) {
            return Optional.empty();
        }
    }

    /** Waits until all have ended, and requires that what each was told is true. Returns how many keys there were. */
    int requireTrue(NumeraClient client) throws Exception {
        for (Future<?> caller : running) {
            caller.get();
        }
        callers.shutdown();
        for (Said each : said) {
            JsonNode entry = client.get("/api/sequences/" + sequence + "/ledger?key=" + each.key())
                    .expect(200)
                    .body()
                    .at("/entries/0");
            assertEquals(
                    List.of("void", REASON),
                    List.of(entry.path("status").asText(), entry.path("reason").asText()),
                    each::toString);
            boolean isConfirmedAfterwards = each.issue().isDone()
                    && each.issue().askedNanos() > each.makeVoid().answeredNanos();
            assertFalse(isConfirmedAfterwards, each::toString);
        }
        return said.size();
    }
}
