package dev.numera.sequences.lists;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.counter.CounterStore;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DateOrder;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.ForwardingStore.StoreRequest;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.definition.Precondition;
import dev.numera.sequences.ledger.LedgerFilter;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Lists for a sequence with ordered dates. Each row is judged against the last date before it. */
class DatedListTest {
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 21);
    private static final SequenceName NAME = new SequenceName("shop", "invoice");

    private final MemoryCounterStore memory = new MemoryCounterStore();
    private final List<Runnable> beforeWrites = new ArrayList<>();
    private final Sequences sequences = TestSequences.over(memory)
            .with(ForwardingStore.over(CounterStore.class, memory, this::answer))
            .with(TestClock.standing(NOW))
            .start();
    private final Sequences other =
            TestSequences.over(memory).with(TestClock.standing(NOW)).start();
    private final ListWork batches = new ListWork(sequences.allocator(), null);

    private Object answer(StoreRequest request) {
        if (request.name().equals("write") && !beforeWrites.isEmpty()) {
            beforeWrites.remove(0).run();
        }
        return request.forward();
    }

    /** An import that is worked off over midnight once had two dates. */
    @Test
    void anUndatedRowOfAnImportHasTheDayOfItsUpload() {
        define(100);
        Instant sentYesterday = NOW.minus(Duration.ofDays(1));

        sequences
                .imports()
                .importNumbers(
                        NAME,
                        List.of(new ImportedNumber("old", 50L, null, null, Status.Kind.ISSUED, null)),
                        Change.imported("i1", sentYesterday, null))
                .get(0)
                .orThrow();

        assertEquals(
                TODAY.minusDays(1),
                sequences
                        .ledger()
                        .read(NAME, new LedgerFilter(50, 50), null, null, 1)
                        .items()
                        .get(0)
                        .date());
    }

    private void define(long maxValue) {
        sequences
                .editor()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.GUARANTEE, Guarantee.GAPLESS)
                                .with(DefinitionField.TIME_ZONE, "UTC")
                                .with(DefinitionField.MAX_VALUE, maxValue)
                                .with(DefinitionField.DATE_ORDER, DateOrder.ASCENDING),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
    }

    private static List<NumberRequest> list(List<LocalDate> dates) {
        List<NumberRequest> requests = new ArrayList<>();
        dates.forEach(date -> requests.add(new NumberRequest("key-" + requests.size(), 1, date)));
        return requests;
    }

    private List<String> number(List<NumberRequest> requests) {
        return batches.number(NAME, requests, NOW).stream()
                .map(RowResult::result)
                .map(result -> result.isRefused()
                        ? result.refusal().type().name()
                        : Long.toString(result.orThrow().first()))
                .toList();
    }

    private static List<LocalDate> days(int... daysAgo) {
        return Arrays.stream(daysAgo).mapToObj(days -> TODAY.minusDays(days)).toList();
    }

    @Test
    void aRowOfAnEarlierDateIsRefusedWithinOneWrite() {
        define(1_000);
        assertEquals(List.of("1", "2", "DATE_ORDER", "3"), number(list(days(4, 2, 3, 1))));
        assertEquals(List.of("1", "2", "DATE_ORDER", "3"), number(list(days(4, 2, 3, 1))), "sent again");
    }

    @Test
    void howTheListIsCutIntoWritesDoesNotMatter() {
        define(1_000);
        for (int today : List.of(60, 100)) {
            List<LocalDate> dates = Stream.concat(
                            Collections.nCopies(today, TODAY).stream(),
                            Collections.nCopies(today / 2, TODAY.minusDays(1)).stream())
                    .toList();
            List<String> answers = number(list(dates));
            assertEquals(Collections.nCopies(today / 2, "DATE_ORDER"), answers.subList(today, answers.size()));
        }
    }

    @Test
    void everyListIsNumberedAsRowByRow() {
        define(1_000_000);
        Random random = new Random(21);
        long next = 1;
        LocalDate last = LocalDate.MIN;
        int keys = 0;
        for (int lists = 0; lists < 30; lists++) {
            List<NumberRequest> requests = new ArrayList<>();
            List<String> expected = new ArrayList<>();
            int rows = 1 + random.nextInt(230);
            for (int row = 0; row < rows; row++) {
                LocalDate date = TODAY.minusDays(300 - 10L * lists - random.nextInt(10) - row / 100);
                requests.add(new NumberRequest("list key " + keys++, 1, date));
                boolean isRefused = date.isBefore(last);
                expected.add(isRefused ? "DATE_ORDER" : Long.toString(next));
                next += isRefused ? 0 : 1;
                last = isRefused ? last : date;
            }
            if (!expected.stream().allMatch("DATE_ORDER"::equals)) {
                assertEquals(expected, number(requests));
            }
        }
    }

    /** The date of the row "many" exists only in a lost write, so it must not refuse the later row "b". */
    @Test
    void aRowIsNotRefusedForADateThatWasNeverReached() {
        define(10);
        other.allocator().next(NAME, List.of(new NumberRequest("first", 1, TODAY.minusDays(9))));
        beforeWrites.add(
                () -> other.allocator().next(NAME, List.of(new NumberRequest("other", 5, TODAY.minusDays(5)))));
        List<NumberRequest> requests = List.of(
                new NumberRequest("a", 1, TODAY.minusDays(4)),
                new NumberRequest("many", 5, TODAY.minusDays(1)),
                new NumberRequest("b", 1, TODAY.minusDays(3)));
        assertEquals(List.of("7", "EXHAUSTED", "8"), number(requests));
    }

    @Test
    void otherCallersMayRaiseTheLastDateBetweenTwoWrites() {
        define(1_000);
        beforeWrites.add(() -> {});
        beforeWrites.add(() -> other.allocator().next(NAME, List.of(new NumberRequest("other", 1, TODAY))));
        List<String> answers = number(list(Collections.nCopies(120, TODAY.minusDays(1))));
        assertEquals(Collections.nCopies(22, "DATE_ORDER"), answers.subList(98, 120));
    }
}
