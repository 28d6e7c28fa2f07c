package dev.numera.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.counter.Transaction;
import dev.numera.fixtures.TestClock;
import dev.numera.format.ResetEvery;
import dev.numera.model.ChangeNote;
import dev.numera.model.DefinitionDraft;
import dev.numera.model.DefinitionField;
import dev.numera.model.SequenceName;
import dev.numera.model.Take;
import dev.numera.problem.Answer;
import dev.numera.problem.ProblemType;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How many requests of a list one write numbers. */
class OneWriteTest {
    private static final SequenceName NAME = new SequenceName("shop", "order");
    private static final Instant NOW = Instant.parse("2026-11-21T23:30:00Z");
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 21);

    private final Sequences sequences = TestSequences.over(new MemoryCounterStore())
            .with(AutoCreate.NEVER)
            .with(TestClock.standing(NOW))
            .start();

    private void create(ResetEvery reset) {
        sequences
                .administration()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.RESET_EVERY, reset)
                                .with(DefinitionField.TIME_ZONE, "UTC"),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
    }

    /** The keys of each call, until all requests are answered. */
    private List<List<String>> calls(List<Take> takes) {
        List<List<String>> calls = new ArrayList<>();
        List<Take> open = takes;
        while (!open.isEmpty()) {
            int answered = sequences.numbering().next(NAME, open, NOW).answers().size();
            calls.add(open.subList(0, answered).stream().map(Take::key).toList());
            open = open.subList(answered, open.size());
        }
        return calls;
    }

    private static List<String> keys(int count, String prefix) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
    }

    @Test
    void aTransactionFullOfKeys() {
        create(ResetEvery.NEVER);
        List<String> keys = keys(200, "key-");

        assertEquals(
                List.of(keys.subList(0, 98), keys.subList(98, 196), keys.subList(196, 200)),
                calls(Take.ofEach(keys, 1, null, false)));
    }

    /** The usual date without end: with a fiscal year, it would end in the year 10000. */
    @Test
    void aDateThatNoPeriodHasIsRefusedAlone() {
        sequences
                .administration()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.FISCAL_YEAR_START, 4)
                                .with(DefinitionField.TIME_ZONE, "UTC"),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
        List<Take> takes = List.of(
                new Take("a", 1, TODAY), new Take("endless", 1, LocalDate.of(9999, 12, 31)), new Take("b", 1, TODAY));

        assertEquals(List.of(List.of("a"), List.of("endless"), List.of("b")), calls(takes));
        Answer<Numbers> refused = sequences
                .numbering()
                .next(NAME, takes.subList(1, 3), NOW)
                .answers()
                .get(0);
        assertEquals(ProblemType.INVALID_REQUEST, refused.refusal().type());
        assertEquals(
                refused.refusal().getMessage(),
                sequences
                        .numbering()
                        .foresee(NAME, takes.subList(1, 3), NOW)
                        .get(0)
                        .refusal()
                        .getMessage());
    }

    @Test
    void fewerWhereTheirKeysAreLong() {
        create(ResetEvery.NEVER);
        List<Take> takes = Take.ofEach(keys(100, "k".repeat(250)), 1, null, false);

        assertEquals(Transaction.reach(takes), calls(takes).get(0).size());
        assertEquals(2, calls(takes).size());
    }

    @ParameterizedTest
    @EnumSource
    void datesOfOnePeriodTogether(ResetEvery reset) {
        create(reset);
        List<Take> takes = List.of(
                new Take("a", 1, TODAY.minusDays(1)),
                new Take("b", 1, TODAY),
                new Take("c", 1, null),
                new Take("d", 1, TODAY.minusMonths(1)),
                new Take("e", 1, TODAY.minusYears(1)));

        List<List<String>> expected =
                switch (reset) {
                    case NEVER -> List.of(List.of("a", "b", "c", "d", "e"));
                    case YEAR -> List.of(List.of("a", "b", "c", "d"), List.of("e"));
                    case MONTH -> List.of(List.of("a", "b", "c"), List.of("d"), List.of("e"));
                    case DAY -> List.of(List.of("a"), List.of("b", "c"), List.of("d"), List.of("e"));
                };
        assertEquals(expected, calls(takes));
    }
}
