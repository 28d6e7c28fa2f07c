package dev.numera.sequences.numbering;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.contract.Transactions;
import dev.numera.core.counter.CounterStore;
import dev.numera.core.counter.Transaction;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Versioned;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.ForwardingStore.StoreRequest;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.catalog.Maintenance;
import dev.numera.sequences.definition.Precondition;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Advances restored counters in groups. Whatever happens to a group, each counter is advanced exactly once. */
class MarginMovesTest {
    private static final SequenceName NAME = new SequenceName("shop", "daily");
    private static final long MARGIN = 1_000;
    private static final long RESTORED_NEXT = 6;
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final LocalDate DAY = LocalDate.of(2020, 1, 1);
    private static final StoreFailure NO_ANSWER = new StoreFailure("No answer.", true, null);

    private final MemoryCounterStore table = new MemoryCounterStore();
    private final List<Integer> groups = Collections.synchronizedList(new ArrayList<>());
    private final List<Integer> announced = new ArrayList<>();
    private final Deque<Function<StoreRequest, Object>> groupWrites = new ArrayDeque<>();
    private Runnable beforeNextWrite = () -> {};

    private final Sequences sequences = TestSequences.over(table)
            .with(ForwardingStore.over(CounterStore.class, table, this::passed))
            .start();

    private Object passed(StoreRequest request) {
        if (request.name().equals("write")) {
            Runnable event = beforeNextWrite;
            beforeNextWrite = () -> {};
            event.run();
        }
        if (!request.name().equals("writeTogether")) {
            return request.forward();
        }
        groups.add(((List<?>) request.arguments()[0]).size());
        Function<StoreRequest, Object> fault = groupWrites.poll();
        return fault == null ? request.forward() : fault.apply(request);
    }

    private static CounterId day(int day) {
        return new CounterId(NAME, DAY.plusDays(day).toString());
    }

    private void restore(Guarantee guarantee, int days) {
        sequences
                .editor()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.GUARANTEE, guarantee)
                                .with(DefinitionField.RESET_EVERY, ResetEvery.DAY)
                                .with(DefinitionField.TIME_ZONE, "UTC"),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
        CounterState restored = CounterState.first(1, NOW)
                .allocated(1, RESTORED_NEXT, 5, null, "before the backup", NOW)
                .restored(RESTORED_NEXT);
        for (int day = 0; day < days; day++) {
            String version = table.find(NAME).orElseThrow().version();
            assertTrue(table.write(Transactions.of(day(day), null, restored, List.of(), version))
                    .isWon());
        }
        sequences.maintenance().suspendForMaintenance(NAME);
    }

    private Maintenance.RestoredSequence advance() {
        List<Maintenance.RestoredSequence> done = new ArrayList<>();
        sequences.maintenance().advanceRestored(MARGIN, ChangeNote.NONE, announced::add, done::add);
        return done.get(0);
    }

    private void requireEachAdvancedOnce(int days) {
        Map<String, Long> next = table.counters(NAME).entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, counter -> counter.getValue().next()));
        assertEquals(
                IntStream.range(0, days)
                        .boxed()
                        .collect(Collectors.toMap(day -> day(day).period(), day -> RESTORED_NEXT + MARGIN)),
                next);
        assertEquals(List.of(), List.copyOf(table.restored(NAME)));
        List<String> logged = table.changesFrom(NAME, null, 10_000).items().stream()
                .map(change -> change.orThrow())
                .filter(change -> change.kind() == Change.Kind.ADVANCED)
                .map(change -> change.move().period())
                .sorted()
                .toList();
        assertEquals(next.keySet().stream().sorted().toList(), logged);
        assertEquals(days, announced.stream().mapToInt(Integer::intValue).sum());
    }

    @ParameterizedTest
    @EnumSource(names = {"STRICT", "GAPLESS", "CACHED"})
    void countersOfSeveralPagesMoveInFewTransactions(Guarantee guarantee) {
        restore(guarantee, 1_050);
        assertEquals(1_050, advance().counters());
        requireEachAdvancedOnce(1_050);
        assertEquals(33, groups.size());
        announced.clear();
        advance();
        requireEachAdvancedOnce(1_050);
        assertEquals(33, groups.size());
    }

    /** Another process advances a counter of the group after the group was read. */
    @Test
    void aGroupThatLosesIsAdvancedOneByOne() {
        restore(Guarantee.GAPLESS, 40);
        groupWrites.add(request -> {
            Transaction own = ((List<?>) request.arguments()[0])
                    .stream().map(Transaction.class::cast).toList().get(3);
            assertTrue(table.write(own).isWon());
            return request.forward();
        });
        advance();
        requireEachAdvancedOnce(40);
        assertEquals(List.of(33, 7), groups);
    }

    /** An instance allocates a number meanwhile, which a suspended sequence should not. */
    @Test
    void aCounterThatAllocatedMeanwhileIsAdvancedFromThere() {
        restore(Guarantee.STRICT, 5);
        groupWrites.add(request -> {
            Versioned<CounterState> counter = table.read(day(2)).orElseThrow();
            CounterState after = counter.value().allocated(6, 9, 8, null, "late", NOW);
            assertTrue(table.write(Transactions.of(day(2), counter.version(), after, List.of(), null))
                    .isWon());
            return request.forward();
        });
        advance();
        assertEquals(9 + MARGIN, table.read(day(2)).orElseThrow().value().next());
        assertEquals(
                RESTORED_NEXT + MARGIN, table.read(day(4)).orElseThrow().value().next());
    }

    @Test
    void aGroupWithoutAnAnswerThatWasCommittedIsNotAdvancedAgain() {
        restore(Guarantee.GAPLESS, 40);
        groupWrites.add(request -> {
            request.forward();
            return new WriteResult.Unknown(NO_ANSWER);
        });
        advance();
        requireEachAdvancedOnce(40);
    }

    @Test
    void aGroupThatIsRefusedAsASecondCopyIsNotAdvancedAgain() {
        restore(Guarantee.GAPLESS, 40);
        groupWrites.add(request -> {
            request.forward();
            return request.forward();
        });
        advance();
        requireEachAdvancedOnce(40);
    }

    @Test
    void aGroupThatNeverArrivedIsAdvancedOneByOne() {
        restore(Guarantee.STRICT, 40);
        groupWrites.add(request -> new WriteResult.Unknown(NO_ANSWER));
        advance();
        requireEachAdvancedOnce(40);
    }

    /** The transaction arrives after the first of its counters was advanced alone, or just before. */
    @ParameterizedTest
    @EnumSource
    void aGroupThatArrivesLateMovesNoCounterTwice(Arrival arrival) {
        restore(Guarantee.GAPLESS, 40);
        groupWrites.add(late -> {
            beforeNextWrite =
                    arrival == Arrival.BEFORE_THE_FIRST_WRITE ? late::forward : () -> beforeNextWrite = late::forward;
            return new WriteResult.Unknown(NO_ANSWER);
        });
        advance();
        requireEachAdvancedOnce(40);
    }

    enum Arrival {
        BEFORE_THE_FIRST_WRITE,
        AFTER_THE_FIRST_WRITE
    }

    @Test
    void aGroupThatStorageRefusesForGoodIsAdvancedOneByOne() {
        restore(Guarantee.STRICT, 40);
        groupWrites.add(request -> {
            throw new StoreFailure("One of the rows is too large.", false, null);
        });
        advance();
        requireEachAdvancedOnce(40);
    }
}
