package dev.numera.core.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.fixtures.Effort;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Joining against draining, and leaving at the deadline: a model checker goes through the interleavings. */
@Tag("long")
class WaitingLineInterleavingsIT {
    private static final int INVOCATIONS = Effort.times(1_500);

    /** A line, and the result of each call that joined. */
    private static final class LineScene {
        final WaitingLine<Integer> line = new WaitingLine<>();
        /**
         * How often each was served or left: a collection would be one more thing for the model checker to go through.
         */
        final AtomicIntegerArray ended = new AtomicIntegerArray(3);

        final AtomicInteger found = new AtomicInteger();
        final AtomicInteger leaders = new AtomicInteger();
        final AtomicInteger mostLeaders = new AtomicInteger();

        /** Comes, and serves all if it has to, as the counter does. */
        void come(int who) {
            if (line.join(who)) {
                lead();
            }
        }

        void comeAndGiveUp(int who) {
            come(who);
            if (line.leave(who)) {
                ended.incrementAndGet(who);
            }
        }

        /**
         * Peer requests are found, as beside a write, and served by the leader, or else by the call that found them.
         */
        void find() {
            found.incrementAndGet();
            if (line.lead()) {
                lead();
            }
        }

        private void lead() {
            do {
                found.set(0);
                mostLeaders.accumulateAndGet(leaders.incrementAndGet(), Math::max);
                Integer next = line.takeIf(waiter -> true);
                while (next != null) {
                    ended.incrementAndGet(next);
                    next = line.takeIf(waiter -> true);
                }
                leaders.decrementAndGet();
            } while (!line.resign(() -> found.get() > 0));
        }

        void requireEachOnce(int came) {
            for (int who = 0; who < came; who++) {
                assertEquals(1, ended.get(who), "served or left");
            }
            assertEquals(1, Math.max(1, mostLeaders.get()), "Two led at once.");
            assertEquals(0, found.get(), "What was found was forgotten.");
            assertTrue(line.join(came), "A call was forgotten, or the line was.");
        }
    }

    @Test
    void noCallIsForgottenOrServedTwice() {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> {
            LineScene scene = new LineScene();
            atOnce(() -> scene.come(0), () -> scene.come(1), () -> scene.come(2));
            scene.requireEachOnce(3);
        });
    }

    @Test
    void callThatLeavesIsNotServed() {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> {
            LineScene scene = new LineScene();
            atOnce(() -> scene.come(0), () -> scene.comeAndGiveUp(1));
            scene.requireEachOnce(2);
        });
    }

    @Test
    void foundRequestsAreServedByAnyLeader() {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> {
            LineScene scene = new LineScene();
            atOnce(() -> scene.come(0), scene::find, scene::find);
            scene.requireEachOnce(1);
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
