package dev.numera.core.counter;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Series;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Backoff;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.Limits;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.fixtures.Effort;
import dev.numera.fixtures.Unwatched;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Interleavings of allocating from blocks, a prefetch that fails, and an advance. For each interleaving, a model
 * checker looks for a sequential order of the calls that gives the same results.
 */
@Tag("long")
class BlockCounterInterleavingsIT {
    private static final int SCENARIOS = 6;
    private static final int INTERLEAVINGS = Effort.times(250);
    private static final CounterId ID = new CounterId(new SequenceName("a", "b"), "");

    /** A clock that stands still, and whose waits end at once. */
    private static final Clock TIME = new Clock() {
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
        public <T> T await(CompletableFuture<T> result, Duration atMost)
                throws InterruptedException, ExecutionException {
            return result.get();
        }
    };

    private static final Deadline DEADLINE = Deadline.in(Duration.ofSeconds(10), TIME);

    /** A definition that never changes, except for the mark "in use". */
    private static final class OneDefinition implements DefinitionSource {
        private final Sequence inUse;
        private volatile boolean isInUse;

        OneDefinition(Sequence inUse) {
            this.inUse = inUse;
        }

        @Override
        public Sequence current() {
            return isInUse ? inUse : StaleDefinition.unused(inUse);
        }

        @Override
        public Sequence reloaded() {
            return current();
        }

        @Override
        public Sequence markable() {
            return current();
        }

        @Override
        public void marked(Sequence definition) {
            isInUse = true;
        }
    }

    /** A store with one counter in one field, which keeps the number of steps small for the model checker. */
    private static final class OneRow implements CounterStore {
        private final int failingWrite;
        private CounterState state;
        private int version;
        private int writes;

        OneRow(int failingWrite) {
            this.failingWrite = failingWrite;
        }

        @Override
        public synchronized Optional<Versioned<CounterState>> read(CounterId id) {
            return Optional.ofNullable(state).map(present -> new Versioned<>(present, "" + version));
        }

        @Override
        public synchronized WriteResult write(Transaction write) {
            writes++;
            if (writes == failingWrite) {
                throw new StoreFailure("Forbidden.", false, null);
            }
            if (write.createsCounter() ? state != null : !write.version().equals("" + version)) {
                return WriteResult.Refused.CHANGED;
            }
            state = write.state();
            version++;
            return new WriteResult.Won("" + version);
        }

        @Override
        public Map<String, Result<Allocation>> find(SequenceName sequence, Collection<String> keys, Duration atMost) {
            return Map.of();
        }

        @Override
        public WriteResult writeTogether(List<Transaction> moves) {
            throw new UnsupportedOperationException("Only a recovery moves counters together.");
        }

        @Override
        public RestoredCounters restored(SequenceName sequence, String firstPeriod, int limit) {
            throw new UnsupportedOperationException("Only a recovery reads restored counters.");
        }

        @Override
        public List<LedgerRow> rowsFrom(CounterId id, long number, int limit) {
            return List.of();
        }
    }

    /** The result of a request for one number. */
    public enum TakenNumber {
        NEW,
        NEW_AFTER_THE_ADVANCE,
        HANDED_OUT_BEFORE,
        REFUSED
    }

    /** Blocks of two numbers over one counter. Background tasks run as an operation of their own. */
    public abstract static class CounterScene {
        private static final long ADVANCED_TO = 500;

        private final Set<Long> taken = ConcurrentHashMap.newKeySet();
        private final Queue<Runnable> background = new ConcurrentLinkedQueue<>();
        private final Counter counter;
        private final BlockCounter blocks;

        CounterScene(int failingWrite) {
            Series series = new Series(1, 1, 1, 1_000, false);
            Limits limits = new Limits(
                    50,
                    Duration.ofSeconds(10),
                    new Backoff.FullJitter(Duration.ZERO, Duration.ZERO),
                    Duration.ofSeconds(1),
                    Limits.LOSSES_BEFORE_PEER_REQUEST,
                    100,
                    100,
                    0,
                    0);
            counter = new Counter(
                    ID,
                    StaleDefinition.fixed(Guarantee.CACHED, series),
                    new OneDefinition(StaleDefinition.of(Guarantee.CACHED, series)),
                    limits,
                    new CounterEnvironment(
                            new OneRow(failingWrite),
                            PeerRequests.NONE,
                            TIME,
                            () -> 0,
                            Runnable::run,
                            "process",
                            new HighWaterMarks(1_000)),
                    new Unwatched());
            blocks = new BlockCounter(counter, background::add);
        }

        TakenNumber takeOne() {
            try {
                long number = blocks.take(1, 2, DEADLINE, new BlockCounter.Cost());
                if (!taken.add(number)) {
                    return TakenNumber.HANDED_OUT_BEFORE;
                }
                return number < ADVANCED_TO ? TakenNumber.NEW : TakenNumber.NEW_AFTER_THE_ADVANCE;
            } catch (ProblemException e) {
                return TakenNumber.REFUSED;
            }
        }

        void runOneInBackground() {
            Runnable task = background.poll();
            if (task != null) {
                task.run();
            }
        }

        void advanceCounter() {
            counter.call(List.of(new CounterRequest.Advance(ADVANCED_TO, ChangeNote.NONE)), DEADLINE)
                    .only();
            blocks.discard();
        }
    }

    /**
     * The write of the second block fails permanently: the waiting caller receives the failure, and the next caller a
     * number.
     */
    public static class FailedPrefetch extends CounterScene {
        public FailedPrefetch() {
            super(2);
        }

        @Operation
        public boolean take() {
            return takeOne() != TakenNumber.HANDED_OUT_BEFORE;
        }

        @Operation
        public void prefetch() {
            runOneInBackground();
        }
    }

    /** The specification: each call has the result that it would have alone. */
    public static class EachIsNew {
        public boolean take() {
            return true;
        }

        public void prefetch() {}
    }

    public static class AdvanceWhileTaking extends CounterScene {
        public AdvanceWhileTaking() {
            super(-1);
        }

        @Operation
        public TakenNumber take() {
            return takeOne();
        }

        @Operation
        public void prefetch() {
            runOneInBackground();
        }

        @Operation(runOnce = true)
        public void advance() {
            advanceCounter();
        }
    }

    public static class BeyondAfterTheAdvance {
        private boolean isAdvanced;

        public TakenNumber take() {
            return isAdvanced ? TakenNumber.NEW_AFTER_THE_ADVANCE : TakenNumber.NEW;
        }

        public void prefetch() {}

        public void advance() {
            isAdvanced = true;
        }
    }

    @Test
    void exchangeAgainstAFailedPrefetch() {
        check(FailedPrefetch.class, EachIsNew.class);
    }

    @Test
    void exchangeAgainstAnAdvance() {
        check(AdvanceWhileTaking.class, BeyondAfterTheAdvance.class);
    }

    /**
     * Runs a scene in the model checker. The calls of {@link Counter} count as single steps, so that the threads
     * interleave within the blocks; the simulation checks the counter itself.
     */
    private static void check(Class<?> scene, Class<?> asIfAlone) {
        new ModelCheckingOptions()
                .iterations(SCENARIOS)
                .invocationsPerIteration(INTERLEAVINGS)
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(2)
                .actorsAfter(2)
                .sequentialSpecification(asIfAlone)
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(Counter.class.getName())
                        .allMethods()
                        .treatAsAtomic())
                .check(scene);
    }
}
