package dev.numera.sequences.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DateOrder;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.AutoCreate;
import dev.numera.sequences.access.PrintedAllocation;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** States and previews show a text that the next number can get. */
class NextTextTest {
    private static final SequenceName NAME = new SequenceName("shop", "invoice");
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 28);
    private static final Instant NOW = Instant.parse(TODAY + "T12:00:00Z");

    private final Sequences sequences = TestSequences.over(new MemoryCounterStore())
            .with(AutoCreate.NEVER)
            .with(TestClock.standing(NOW))
            .start();

    private void define(DefinitionDraft draft) {
        sequences
                .editor()
                .put(NAME, draft.with(DefinitionField.TIME_ZONE, "UTC"), Precondition.ABSENT, ChangeNote.NONE);
    }

    private PrintedAllocation next(LocalDate date) {
        return sequences
                .allocator()
                .next(NAME, List.of(new NumberRequest(null, 1, date)))
                .results()
                .get(0)
                .orThrow();
    }

    private String stateAt(LocalDate date) {
        return sequences.states().state(NAME, date).nextText();
    }

    private List<String> preview(LocalDate date) {
        return sequences.editor().preview(NAME, DefinitionDraft.EMPTY, date).texts();
    }

    @Test
    void datesInOrderGoOnFromTheLastOne() {
        define(DefinitionDraft.EMPTY
                .with(DefinitionField.FORMAT, "{yyyy}{MM}{dd}-{n}")
                .with(DefinitionField.DATE_ORDER, DateOrder.ASCENDING));
        next(TODAY.plusDays(1));

        assertEquals("20261129-2", stateAt(null));
        assertEquals(List.of("20261129-2", "20261129-3", "20261129-4"), preview(null));
        assertEquals("20261129-2", stateAt(TODAY.plusDays(1)));
        assertNull(stateAt(TODAY));
        ProblemException refusal = assertThrows(ProblemException.class, () -> preview(TODAY));
        assertEquals(
                "date must not be before the last date used: the sequence allocates numbers in their order.",
                refusal.getMessage());
        assertEquals(List.of("20261129-2"), next(null).texts());
    }

    /**
     * A state shows, for each date, the text that a call would get now, and none if the call would be refused. A
     * preview shows the reason.
     */
    @ParameterizedTest
    @CsvSource({
        "NEVER, NONE, {yyyy}{MM}{dd}-{n}",
        "NEVER, NONE, {yy}{MM}{dd}-{n}",
        "NEVER, ASCENDING, {yyyy}{MM}{dd}-{n}",
        "YEAR, NONE, {yyyy}-{n}",
        "YEAR, NONE, {yy}-{n}",
        "YEAR, ASCENDING, {yyyy}{MM}{dd}-{n}",
        "DAY, ASCENDING, {yy}{MM}{dd}-{n}",
    })
    void textsAreOfTheDatesThatGetNumbers(ResetEvery resetEvery, DateOrder order, String format) {
        define(DefinitionDraft.EMPTY
                .with(DefinitionField.FORMAT, format)
                .with(DefinitionField.RESET_EVERY, resetEvery)
                .with(DefinitionField.DATE_ORDER, order));
        List<LocalDate> dates = Arrays.asList(
                null,
                LocalDate.of(1926, 11, 28),
                LocalDate.of(1990, 1, 1),
                TODAY.minusDays(3_660),
                TODAY.minusDays(1),
                TODAY,
                TODAY.plusDays(1),
                TODAY.plusDays(2),
                TODAY.plusDays(400),
                TODAY.plusDays(401),
                LocalDate.of(2030, 1, 1),
                LocalDate.of(2076, 1, 1));
        for (LocalDate last : List.of(TODAY.minusDays(5), TODAY, TODAY.plusDays(1))) {
            next(last);
            dates.forEach(this::assertSameAnswers);
        }
    }

    private void assertSameAnswers(LocalDate date) {
        Result<PrintedAllocation> result = sequences
                .allocator()
                .preview(NAME, List.of(new NumberRequest("any", 1, date)), NOW)
                .get(0);
        if (result.isRefused()) {
            assertNull(stateAt(date), () -> "the state of " + date);
            ProblemException refusal = assertThrows(ProblemException.class, () -> preview(date), () -> "" + date);
            assertEquals(ProblemType.INVALID_REQUEST, refusal.type());
            if (result.refusal().type() != ProblemType.DATE_ORDER) {
                assertEquals(result.refusal().getMessage(), refusal.getMessage());
            }
        } else {
            String text = result.orThrow().texts().get(0);
            assertEquals(text, stateAt(date));
            assertEquals(text, preview(date).get(0));
        }
    }

    /** The state once showed a text of another century, whose number may have been allocated. */
    @Test
    void noTextIsOfADateThatTwoDigitsDoNotMean() {
        define(DefinitionDraft.EMPTY
                .with(DefinitionField.FORMAT, "{yy}-{n}")
                .with(DefinitionField.RESET_EVERY, ResetEvery.YEAR));
        assertEquals(List.of("26-1"), next(null).texts());

        assertEquals("26-2", stateAt(null));
        assertEquals("27-1", stateAt(TODAY.plusYears(1)));
        assertNull(stateAt(TODAY.plusYears(100)));
        assertNull(stateAt(TODAY.minusYears(100)));
    }
}
