package dev.numera.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.contract.CounterStates;
import dev.numera.contract.Defined;
import dev.numera.contract.MemoryWorkerStore;
import dev.numera.core.counter.CounterStore;
import dev.numera.core.counter.PeerRequests;
import dev.numera.core.counter.RestoredCounters;
import dev.numera.core.counter.Transaction;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Definition;
import dev.numera.core.model.FormatHistory;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.MaintenanceMark;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Page;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.WriteResult;
import dev.numera.fixtures.TestLimits;
import dev.numera.sequences.SequenceStores;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.IndexEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A million sequences with one call each leave no memory behind. The store keeps nothing and computes its answers from
 * the name.
 */
@Tag("long")
class MemoryIT {
    private static final int SEQUENCES = 1_000_000;

    @Test
    void aMillionSequencesFitASmallHeap() throws Exception {
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-Xmx256m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        MemoryIT.class.getName())
                .inheritIO()
                .start();
        assertEquals(0, process.waitFor());
    }

    /** Runs in the process with the small heap. */
    public static void main(String... arguments) {
        Sequences sequences = TestSequences.over(new SequenceStores(
                        new ForgetfulCounters(),
                        PeerRequests.NONE,
                        new ForgetfulDefinitions(),
                        null,
                        MemoryWorkerStore::new))
                .with(TestLimits.DEFAULT
                        .withDeadline(Duration.ofSeconds(10))
                        .withMaxWaitingCalls(128)
                        .withMaxIdleCounters(10_000))
                .start();
        for (int number = 0; number < SEQUENCES; number++) {
            SequenceName name = new SequenceName("tenant-" + number % 1_000, "sequence-" + number);
            sequences
                    .allocator()
                    .next(name, List.of(new NumberRequest(null, 1, null)))
                    .results()
                    .get(0)
                    .orThrow();
        }
    }

    private static final class ForgetfulCounters implements CounterStore {
        @Override
        public Optional<Versioned<CounterState>> read(CounterId id) {
            return Optional.of(
                    new Versioned<>(CounterStates.of(1, 0, 1, "instance", Instant.EPOCH), "version of " + id));
        }

        @Override
        public WriteResult write(Transaction write) {
            return new WriteResult.Won("another version of " + write.id());
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

    private static final class ForgetfulDefinitions implements DefinitionStore {
        @Override
        public Optional<Sequence> find(SequenceName name) {
            return Optional.of(Defined.stored(
                    name, "id", Definition.DEFAULT, new FormatHistory(List.of(), 0), true, null, "version of " + name));
        }

        @Override
        public WriteResult insert(Sequence definition, Change change) {
            return WriteResult.Refused.EXISTS;
        }

        @Override
        public WriteResult replace(Sequence definition, Change change) {
            return WriteResult.Refused.CHANGED;
        }

        @Override
        public WriteResult keep(SequenceName name, Change change) {
            return WriteResult.Refused.EXISTS;
        }

        @Override
        public WriteResult setKeyForm(Sequence definition) {
            return WriteResult.Refused.CHANGED;
        }

        @Override
        public WriteResult mark(SequenceName name, String version) {
            return WriteResult.Refused.CHANGED;
        }

        @Override
        public SortedSet<String> periods(SequenceName name) {
            return new TreeSet<>();
        }

        @Override
        public SortedSet<String> restored(SequenceName name) {
            return new TreeSet<>();
        }

        @Override
        public NavigableMap<String, Result<CounterState>> counters(SequenceName name, String firstPeriod, int limit) {
            return new TreeMap<>();
        }

        @Override
        public Optional<Versioned<String>> indexed(SequenceName name) {
            return Optional.of(new Versioned<>("id", "version of " + name));
        }

        @Override
        public WriteResult index(SequenceName name, String definitionId) {
            return WriteResult.Refused.EXISTS;
        }

        @Override
        public WriteResult reindex(SequenceName name, String definitionId, String version) {
            return WriteResult.Refused.CHANGED;
        }

        @Override
        public WriteResult noteUnused(SequenceName name, String version) {
            return WriteResult.Refused.CHANGED;
        }

        @Override
        public Page<IndexEntry, String> list(String scope, int limit, String continuation) {
            return new Page<>(List.of(), null);
        }

        @Override
        public Page<Result<Change>, Change.Position> changesFrom(SequenceName name, Change.Position first, int limit) {
            return new Page<>(List.of(), null);
        }

        @Override
        public Page<Result<Change>, Change.Position> closingsFrom(SequenceName name, Change.Position first, int limit) {
            return new Page<>(List.of(), null);
        }

        @Override
        public MaintenanceMark serviceMark() {
            return MaintenanceMark.NONE;
        }

        @Override
        public MaintenanceMark markService(UnaryOperator<MaintenanceMark> change) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Page<Result<SequenceName>, String> walk(int limit, String continuation) {
            return new Page<>(List.of(), null);
        }
    }
}
