package dev.numera.bench.virtual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class VirtualTimeTest {
    private final VirtualTime time = new VirtualTime();
    private final List<String> happened = new ArrayList<>();

    @Test
    void clockMovesOnlyWhenAllThreadsWait() {
        time.execute(() -> sleeps("b", 20));
        time.execute(() -> sleeps("a", 10));
        time.at(Duration.ofMillis(15).toNanos(), () -> happens("event"));
        time.run();
        assertEquals(List.of("a at 10", "event at 15", "b at 20"), happened);
    }

    @Test
    void threadWhoseResultArrivesRunsBeforeTheOneThatProducedIt() {
        CompletableFuture<String> result = new CompletableFuture<>();
        time.execute(() -> awaits(result, "first"));
        time.execute(() -> awaits(result, "second"));
        time.execute(() -> {
            result.complete("done");
            happens("producer");
        });
        time.run();
        assertEquals("producer at 0", happened.get(2));
    }

    @Test
    void waitEndsAtItsTime() {
        time.execute(() -> {
            assertThrows(
                    TimeoutException.class, () -> time.await(new CompletableFuture<String>(), Duration.ofMillis(7)));
            happens("gave up");
        });
        time.run();
        assertEquals(List.of("gave up at 7"), happened);
    }

    @Test
    void failureOfAThreadFailsTheRun() {
        time.execute(() -> sleeps("never", 1_000));
        time.execute(() -> {
            throw new IllegalArgumentException("broken");
        });
        assertThrows(IllegalStateException.class, time::run);
        assertEquals(List.of(), happened);
    }

    private void awaits(CompletableFuture<String> result, String who) {
        try {
            time.await(result, Duration.ofSeconds(1));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        happens(who);
    }

    private void sleeps(String who, int millis) {
        time.sleep(Duration.ofMillis(millis));
        happens(who);
    }

    private void happens(String what) {
        happened.add(what + " at " + Duration.ofNanos(time.nanoTime()).toMillis());
    }
}
