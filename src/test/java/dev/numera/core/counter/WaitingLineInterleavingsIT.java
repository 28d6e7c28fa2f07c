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

/** Interleavings of joining and draining the waiting line, and of leaving it at the deadline, in a model checker. */
@Tag("long")
class WaitingLineInterleavingsIT {
    private static final int INVOCATIONS = Effort.times(1_500);

    /** A waiting line, and the result of each call that joined. */
    private static final class LineScene {
        final WaitingLine<Integer> line = new WaitingLine<>();
        /** Counts how often each call was served or left. A collection would add steps to the model checker's work. */
        final AtomicIntegerArray ended = new AtomicIntegerArray(3);

        final AtomicInteger found = new AtomicInteger();
        final AtomicInteger leaders = new AtomicInteger();
        final AtomicInteger mostLeaders = new AtomicInteger();

        /** Joins the line and serves all calls if this call becomes the leader, like a call of the counter. */
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
         * Finds peer requests, as an instance does during a write. The leader serves them, or this call if the line has
         * no leader.
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

    /**
     * Runs the parts on threads of their own. Plain loops, because the model checker does not see threads that a stream
     * starts.
     */
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
