package dev.numera.sequences.numbering;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.contract.CounterStates;
import dev.numera.contract.Defined;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.counter.BlockCounter;
import dev.numera.core.counter.Counter;
import dev.numera.core.counter.CounterEnvironment;
import dev.numera.core.counter.CounterStore;
import dev.numera.core.counter.HighWaterMarks;
import dev.numera.core.counter.PeerRequest;
import dev.numera.core.counter.PeerRequests;
import dev.numera.core.counter.RestoredCounters;
import dev.numera.core.counter.Transaction;
import dev.numera.core.format.ResetEvery;
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
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.WriteResult;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import dev.numera.sequences.access.DefinitionCache;
import io.opentelemetry.api.OpenTelemetry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The counters of a process: one for each counter in use, regardless of the limit for idle ones. */
class CounterRegistryTest {
    private static final SequenceName NAME = new SequenceName("App1", "ticket");
    private static final CounterId ID = new CounterId(NAME, "");
    private static final int MORE_THAN_ARE_KEPT = 10 * TestLimits.SMALL.maxIdleCounters();

    private final MemoryCounterStore table = new MemoryCounterStore();
    private final AlwaysBeaten store = new AlwaysBeaten();
    private final TestClock time = TestClock.alone(Instant.EPOCH);
    private final CounterRegistry counters = new CounterRegistry(
            new DefinitionCache(table, 10, time, Duration.ofSeconds(5)),
            TestLimits.SMALL.limits(),
            new CounterEnvironment(store, store, time, () -> 0.5, Runnable::run, "process", new HighWaterMarks(1_000)),
            new Telemetry(OpenTelemetry.noop()));

    /** A store in which other instances win every write. Records the rows of all peer requests. */
    private final class AlwaysBeaten implements CounterStore, PeerRequests {
        private final Set<String> askers = new HashSet<>();
        private int versions;

        @Override
        public Optional<Versioned<CounterState>> read(CounterId id) {
            versions++;
            CounterState others = CounterStates.of(5, 0, 0, "other's", Instant.EPOCH);
            return Optional.of(new Versioned<>(others, "version " + versions));
        }

        @Override
        public WriteResult write(Transaction write) {
            return WriteResult.Refused.CHANGED;
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

        @Override
        public List<PeerRequest> open(CounterId id) {
            return List.of();
        }

        @Override
        public Optional<PeerRequest> find(CounterId id, String process) {
            return Optional.empty();
        }

        @Override
        public WriteResult post(CounterId id, PeerRequest request) {
            askers.add(request.counterName());
            return WriteResult.Refused.CHANGED;
        }

        @Override
        public boolean removeOld(CounterId id) {
            return false;
        }
    }

    /** A counter was once evicted with calls in progress, and later calls used a second one. */
    @Test
    void aCounterThatIsInUseIsFoundAgainHoweverManyOthersAreUsed() {
        Sequence strict = defined(Guarantee.STRICT, 1);
        Counter used = counters.counter(strict, ID);
        useOthers(strict);
        assertSame(used, counters.counter(strict, ID));
    }

    @Test
    void theBlocksThatAreInUseAreFoundAgain() {
        Sequence cached = defined(Guarantee.CACHED, 1);
        BlockCounter used = counters.blocks(cached, ID);
        useOthers(cached);
        assertSame(used, counters.blocks(cached, ID));
    }

    @Test
    void theCounterOfBlocksIsFoundAgainWhereOnlyItIsInUse() {
        Sequence cached = defined(Guarantee.CACHED, 1);
        Counter used = counters.counter(cached, ID);
        useOthers(cached);
        assertSame(used, counters.blocks(cached, ID).counter());
        assertSame(used, counters.counter(cached, ID));
    }

    /** Two counters once closed each other's peer request, and their callers never learned the outcome. */
    @Test
    void countersOfOneProcessPostPeerRequestsInSeparateRows() {
        for (int start = 1; start <= 2; start++) {
            time.pass(Duration.ofMinutes(1));
            Sequence known = defined(Guarantee.STRICT, start);
            Counter counter = counters.counter(known, ID);
            assertThrows(ProblemException.class, () -> counter.call(
                            List.of(new CounterRequest.Advance(100, ChangeNote.NONE)),
                            Deadline.in(Duration.ofSeconds(5), time))
                    .only());
        }
        assertEquals(2, store.askers.size(), store.askers::toString);
    }

    private Sequence defined(Guarantee guarantee, long start) {
        table.put(Defined.stored(
                NAME,
                Defined.definition(guarantee, new Series(start, 1, 1, 1_000, false), ResetEvery.NEVER),
                false,
                null,
                null));
        table.index(NAME, "an id");
        return table.find(NAME).orElseThrow();
    }

    private void useOthers(Sequence known) {
        for (int other = 0; other < MORE_THAN_ARE_KEPT; other++) {
            CounterId id = new CounterId(new SequenceName("App1", "other-" + other), "");
            for (int use = 0; use < 10; use++) {
                counters.counter(known, id);
                if (known.fixed().guarantee() == Guarantee.CACHED) {
                    counters.blocks(known, id);
                }
            }
        }
    }
}
