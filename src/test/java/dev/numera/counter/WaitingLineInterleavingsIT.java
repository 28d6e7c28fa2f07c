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

/** Joining against draining, leaving at the deadline, and closing: a model checker goes through the interleavings. */
class WaitingLineInterleavingsIT {
    private static final int INVOCATIONS = 3_000;

    /** A line, and what became of those who came. */
    private static final class Scene {
        final WaitingLine<String> line = new WaitingLine<>(2);
        final Queue<String> served = new ConcurrentLinkedQueue<>();
        final Queue<String> left = new ConcurrentLinkedQueue<>();
        final Queue<String> turnedAway = new ConcurrentLinkedQueue<>();
        final AtomicInteger leaders = new AtomicInteger();
        final AtomicInteger mostLeaders = new AtomicInteger();

        /** Comes, and serves all if it has to, as the counter does. */
        void come(String name) {
            switch (line.join(name)) {
                case AS_LEADER -> lead();
                case TURNED_AWAY -> turnedAway.add(name);
                case AS_FOLLOWER -> { }
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
                    line.served(1);
                    next = line.takeIf(waiter -> true);
                }
                leaders.decrementAndGet();
            } while (!line.resign());
        }

        void require(String... names) {
            List<String> all = Stream.of(served, left, turnedAway).flatMap(Queue::stream).sorted().toList();
            assertEquals(List.of(names), all, () -> "served " + served + ", left " + left + ", turned away " + turnedAway);
            assertEquals(1, Math.max(1, mostLeaders.get()), "Two led at once.");
            assertEquals(WaitingLine.Joined.AS_LEADER, line.join("later"), "Somebody was forgotten, or the line was.");
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

    @Test
    void whoeverGotInBeforeTheCloseIsServed() {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> {
            Scene scene = new Scene();
            atOnce(() -> scene.come("a"), () -> scene.come("b"), scene.line::close);
            assertEquals(2, scene.served.size() + scene.turnedAway.size());
            assertTrue(scene.mostLeaders.get() <= 1);
            assertEquals(WaitingLine.Joined.TURNED_AWAY, scene.line.join("later"));
            assertEquals(null, scene.line.takeIf(waiter -> true));
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
