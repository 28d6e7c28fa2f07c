package dev.numera.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.problem.ProblemException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The exchange of blocks against a prefetch that fails, a shutdown and an advance: a model checker goes through the interleavings. */
class BlockCounterInterleavingsIT {
    /** Each takes half a second: what the model checker goes through is the whole counter below, too. */
    private static final int INVOCATIONS = 50;
    private static final int MANY_INVOCATIONS = 400;
    private static final CounterId ID = new CounterId(new SequenceName("a", "b"), "");

    /** Nothing passes, and what is waited for comes. */
    private static final Timekeeper TIME = new Timekeeper() {
        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public void sleep(Duration duration) {}

        @Override
        public <T> T await(CompletableFuture<T> result, Duration atMost) throws InterruptedException, ExecutionException {
            return result.get();
        }
    };

    /** One counter, one field: as little as possible for the model checker to go through. */
    private static final class OneRow implements CounterStore {
        private final int failingWrite;
        private CounterState state;
        private int version;
        private int writes;

        OneRow(int failingWrite) {
            this.failingWrite = failingWrite;
        }

        @Override
        public synchronized Optional<Versioned> read(CounterId id) {
            return Optional.ofNullable(state).map(present -> new Versioned(present, "" + version));
        }

        @Override
        public synchronized void open(CounterId id, FixedFields fixed, CounterState first) {
            state = first;
        }

        @Override
        public synchronized WriteResult replace(CounterId id, String at, CounterState after, Outcome.LedgerAddition ledger) {
            writes++;
            if (writes == failingWrite) {
                throw new StoreFailure("Forbidden.", false, null);
            }
            if (!at.equals("" + version)) {
                return new WriteResult.Lost(WriteResult.Reason.CHANGED);
            }
            state = after;
            version++;
            return new WriteResult.Won("" + version);
        }

        @Override
        public Map<String, Outcome.Allocation> find(SequenceName sequence, Collection<String> keys) {
            return Map.of();
        }
    }

    /** Blocks of two, and who got what. */
    private static final class Scene {
        final Queue<Long> taken = new ConcurrentLinkedQueue<>();
        final Queue<ProblemException> refused = new ConcurrentLinkedQueue<>();
        final Queue<Thread> background = new ConcurrentLinkedQueue<>();
        final Counter counter;
        final BlockCounter blocks;

        Scene(int failingWrite) {
            Series series = new Series(1, 1, 1, 1_000, false);
            CounterLimits limits = new CounterLimits(
                    50, Duration.ofSeconds(10), new Backoff.FullJitter(Duration.ZERO, Duration.ZERO), Duration.ofSeconds(1), 100);
            counter = new Counter(ID, new StaleTerms(StaleTerms.of(Guarantee.CACHED, series)), limits,
                    new Counter.Surroundings(new OneRow(failingWrite), TIME, () -> 0, Runnable::run));
            blocks = new BlockCounter(counter, 2, limits.deadline(), () -> 0, this::inBackground);
        }

        private void inBackground(Runnable task) {
            Thread thread = new Thread(task);
            background.add(thread);
            thread.start();
        }

        void take() {
            try {
                taken.add(blocks.take(1));
            } catch (ProblemException e) {
                refused.add(e);
            }
        }

        void takeTwice() {
            take();
            take();
        }

        void play(Runnable... parts) {
            WaitingLineInterleavingsIT.atOnce(parts);
            for (Thread thread : background) {
                WaitingLineInterleavingsIT.awaitEnd(thread);
            }
        }

        void requireDistinct(int answers) {
            List<Long> numbers = new ArrayList<>(taken);
            assertEquals(numbers.size(), numbers.stream().distinct().count(), () -> "handed out twice: " + numbers);
            assertEquals(answers, taken.size() + refused.size());
        }
    }

    @Test
    void exchangeAgainstAFailedPrefetch() {
        exchangeAgainstAFailedPrefetch(INVOCATIONS);
    }

    @Test
    void exchangeAgainstShutdown() {
        exchangeAgainstShutdown(INVOCATIONS);
    }

    @Test
    void exchangeAgainstAnAdvance() {
        exchangeAgainstAnAdvance(INVOCATIONS);
    }

    @Test
    @Tag("long")
    void manyMoreInterleavings() {
        exchangeAgainstAFailedPrefetch(MANY_INVOCATIONS);
        exchangeAgainstShutdown(MANY_INVOCATIONS);
        exchangeAgainstAnAdvance(MANY_INVOCATIONS);
    }

    private static void exchangeAgainstAFailedPrefetch(int invocations) {
        Lincheck.runConcurrentTest(invocations, () -> {
            Scene scene = new Scene(2);
            scene.play(scene::takeTwice, scene::takeTwice);
            scene.requireDistinct(4);
            assertTrue(scene.refused.size() <= 2, "The failed write was told to those who waited for it.");
            scene.take();
            scene.requireDistinct(5);
        });
    }

    private static void exchangeAgainstShutdown(int invocations) {
        Lincheck.runConcurrentTest(invocations, () -> {
            Scene scene = new Scene(-1);
            scene.play(scene::takeTwice, scene::take, scene.blocks::close);
            scene.requireDistinct(3);
            assertThrows(ProblemException.class, () -> scene.blocks.take(1));
        });
    }

    private static void exchangeAgainstAnAdvance(int invocations) {
        Lincheck.runConcurrentTest(invocations, () -> {
            Scene scene = new Scene(-1);
            scene.take();
            scene.play(scene::takeTwice, () -> {
                scene.counter.call(List.of(new Request.Advance(500))).only();
                scene.blocks.discard();
                long later = scene.blocks.take(1);
                assertTrue(later >= 500, () -> later + " after an advance to 500");
                scene.taken.add(later);
            });
            scene.requireDistinct(4);
        });
    }
}
