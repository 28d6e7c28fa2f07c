package dev.numera.processes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.maintain.history.ObservedCall;
import dev.numera.maintain.history.ObservedCall.Purpose;
import dev.numera.maintain.history.ObservedOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Changes and advances sequences through a process that is not killed, and repeats each call until the answer is not
 * 503. Thread-safe.
 */
record SoakOwner(NumeraClient client) {
    private static final int SKIPPED = 50;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    void change(String path, String patch) {
        untilAnswered(() -> client.send("PATCH", path, patch, "If-Match", "*"));
    }

    /** Advances the sequence beyond its next number, and returns all calls that this took. */
    List<ObservedCall> advance(String path) {
        long next = untilAnswered(() -> client.get(path + "/state"))
                .body()
                .get("next")
                .longValue();
        String body = "{\"nextAtLeast\": " + (next + SKIPPED) + "}";
        List<ObservedCall> calls = new ArrayList<>();
        untilAnswered(() -> {
            long startNanos = System.nanoTime();
            Reply reply = client.send("POST", path + "/advance", body);
            ObservedOutcome outcome = skipped(reply);
            int count = outcome instanceof ObservedOutcome.Allocated skipped ? skipped.count() : SKIPPED;
            calls.add(new ObservedCall(
                    "owner", "owner", startNanos, System.nanoTime(), null, count, outcome, Purpose.ADVANCE));
            return reply;
        });
        return calls;
    }

    private static ObservedOutcome skipped(Reply reply) {
        if (reply.status() != 200) {
            return new ObservedOutcome.NoNumbers(reply.problem());
        }
        JsonNode body = reply.body();
        long from = body.get("previousNext").longValue();
        long next = body.get("next").longValue();
        return next > from
                ? new ObservedOutcome.Allocated(from, next - 1, (int) (next - from), 1, false)
                : new ObservedOutcome.NoNumbers("already-there", false);
    }

    private static Reply untilAnswered(Supplier<Reply> call) {
        Reply reply = call.get();
        while (reply.status() == 503) {
            LockSupport.parkNanos(PAUSE_NANOS);
            reply = call.get();
        }
        return reply.expect(200);
    }
}
