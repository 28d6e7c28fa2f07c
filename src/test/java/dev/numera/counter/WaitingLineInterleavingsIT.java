package dev.numera.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Test;

/** Joining against draining, and leaving at the deadline: a model checker goes through the interleavings. */
class WaitingLineInterleavingsIT {
    private static final int INVOCATIONS = 3_000;

    /** A line, and what became of those who came. */
    private static final class Scene {
        final WaitingLine<String> line = new WaitingLine<>();
        final Queue<String> served = new ConcurrentLinkedQueue<>();
        final Queue<String> left = new ConcurrentLinkedQueue<>();
        final AtomicInteger leaders = new AtomicInteger();
        final AtomicInteger mostLeaders = new AtomicInteger();

        /** Comes, and serves all if it has to, as the counter does. */
        void come(String name) {
            if (line.join(name)) {
                lead();
            }
        }

        void comeAndGiveUp(String name) {
            come(name);
            if (line.leave(name)) {
                left.add(name);
            }
        }

        private void lead() {
            do {
                mostLeaders.accumulateAndGet(leaders.incrementAndGet(), Math::max);
                String next = line.takeIf(waiter -> true);
                while (next != null) {
                    served.add(next);
                    next = line.takeIf(waiter -> true);
                }
                leaders.decrementAndGet();
            } while (!line.resign());
        }

        void require(String... names) {
            List<String> all =
                    Stream.of(served, left).flatMap(Queue::stream).sorted().toList();
            assertEquals(List.of(names), all, () -> "served " + served + ", left " + left);
            assertEquals(1, Math.max(1, mostLeaders.get()), "Two led at once.");
            assertTrue(line.join("later"), "Somebody was forgotten, or the line was.");
        }
    }

    @Test
    void nobodyIsForgottenAndNobodyIsServedTwice() {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> {
            Scene scene = new Scene();
            atOnce(() -> scene.come("a"), () -> scene.come("b"), () -> scene.come("c"));
            scene.require("a", "b", "c");
        });
    }

    @Test
    void whoeverLeavesIsNotServed() {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> {
            Scene scene = new Scene();
            atOnce(() -> scene.come("a"), () -> scene.comeAndGiveUp("b"));
            scene.require("a", "b");
        });
    }

    /** Plain loops: what a stream would start, the model checker would not see. */
    static void atOnce(Runnable... parts) {
        List<Thread> threads = new ArrayList<>();
        for (Runnable part : parts) {
            Thread thread = new Thread(part);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            awaitEnd(thread);
        }
    }

    static void awaitEnd(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
