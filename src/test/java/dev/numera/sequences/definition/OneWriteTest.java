package dev.numera.sequences.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.counter.Transaction;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.format.YearStart;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.AutoCreate;
import dev.numera.sequences.access.PrintedAllocation;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The number of requests in a list that one write answers. */
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
                .editor()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.RESET_EVERY, reset)
                                .with(DefinitionField.TIME_ZONE, "UTC"),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
    }

    /** Returns the keys of each call until all requests are answered. */
    private List<List<String>> calls(List<NumberRequest> requests) {
        List<List<String>> calls = new ArrayList<>();
        List<NumberRequest> open = requests;
        while (!open.isEmpty()) {
            int answered = sequences.allocator().next(NAME, open, NOW).results().size();
            calls.add(open.subList(0, answered).stream().map(NumberRequest::key).toList());
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
                calls(NumberRequest.ofEach(keys, 1, null, false)));
    }

    /** The usual date for "no end". With a fiscal year, its period would end in the year 10000. */
    @Test
    void aDateThatNoPeriodHasIsRefusedAlone() {
        sequences
                .editor()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.FISCAL_YEAR_START, YearStart.ofMonth(4))
                                .with(DefinitionField.TIME_ZONE, "UTC"),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
        List<NumberRequest> requests = List.of(
                new NumberRequest("a", 1, TODAY),
                new NumberRequest("endless", 1, LocalDate.of(9999, 12, 31)),
                new NumberRequest("b", 1, TODAY));

        assertEquals(List.of(List.of("a"), List.of("endless"), List.of("b")), calls(requests));
        Result<PrintedAllocation> refused = sequences
                .allocator()
                .next(NAME, requests.subList(1, 3), NOW)
                .results()
                .get(0);
        assertEquals(ProblemType.INVALID_REQUEST, refused.refusal().type());
        assertEquals(
                refused.refusal().getMessage(),
                sequences
                        .allocator()
                        .preview(NAME, requests.subList(1, 3), NOW)
                        .get(0)
                        .refusal()
                        .getMessage());
    }

    @Test
    void fewerWhereTheirKeysAreLong() {
        create(ResetEvery.NEVER);
        List<NumberRequest> requests = NumberRequest.ofEach(keys(100, "k".repeat(250)), 1, null, false);

        assertEquals(Transaction.countThatFits(requests), calls(requests).get(0).size());
        assertEquals(2, calls(requests).size());
    }

    @ParameterizedTest
    @EnumSource
    void datesOfOnePeriodTogether(ResetEvery reset) {
        create(reset);
        List<NumberRequest> requests = List.of(
                new NumberRequest("a", 1, TODAY.minusDays(1)),
                new NumberRequest("b", 1, TODAY),
                new NumberRequest("c", 1, null),
                new NumberRequest("d", 1, TODAY.minusMonths(1)),
                new NumberRequest("e", 1, TODAY.minusYears(1)));

        List<List<String>> expected =
                switch (reset) {
                    case NEVER -> List.of(List.of("a", "b", "c", "d", "e"));
                    case YEAR, QUARTER -> List.of(List.of("a", "b", "c", "d"), List.of("e"));
                    case MONTH -> List.of(List.of("a", "b", "c"), List.of("d"), List.of("e"));
                    case DAY -> List.of(List.of("a"), List.of("b", "c"), List.of("d"), List.of("e"));
                };
        assertEquals(expected, calls(requests));
    }
}
