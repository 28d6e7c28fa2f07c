package dev.numera.sequences.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.AutoCreate;
import dev.numera.sequences.access.PrintedAllocation;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Texts of an earlier format are imported by its rules, not by those of the present format. */
class ImportedTextsTest {
    private static final SequenceName NAME = new SequenceName("shop", "invoice");
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private final MemoryCounterStore table = new MemoryCounterStore();
    private final Sequences sequences = TestSequences.over(table)
            .with(AutoCreate.NEVER)
            .with(TestClock.standing(NOW))
            .start();

    @BeforeEach
    void importsTextsWithTwoDigitYearsAndThenFour() {
        put("{yy}/{n:5}", Precondition.ABSENT);
        assertEquals(List.of("26/00001"), next());
        put("{yyyy}/{n:5}", Precondition.PRESENT);
        assertEquals(List.of("2026/00002"), next());
    }

    private void put(String format, Precondition precondition) {
        DefinitionDraft draft = DefinitionDraft.EMPTY
                .with(DefinitionField.FORMAT, format)
                .with(DefinitionField.RESET_EVERY, ResetEvery.YEAR)
                .with(DefinitionField.TIME_ZONE, "UTC");
        sequences.editor().put(NAME, draft, precondition, ChangeNote.NONE);
    }

    private List<String> next() {
        return sequences
                .allocator()
                .next(NAME, List.of(new NumberRequest(null, 1, null)))
                .results()
                .get(0)
                .orThrow()
                .texts();
    }

    private Result<PrintedAllocation> importNumbers(String text, LocalDate date) {
        ImportedNumber old = new ImportedNumber("old", null, text, date, Status.Kind.ISSUED, null);
        return sequences
                .imports()
                .importNumbers(NAME, List.of(old), Change.imported("import", NOW, null))
                .get(0);
    }

    /** The number 1 of 1926 once had the same text as the number 1 of 2026. */
    @Test
    void twoDigitYearsAreOfOneCentury() {
        assertEquals(
                ProblemType.INVALID_REQUEST,
                importNumbers("26/00001", LocalDate.of(1926, 1, 5)).refusal().type());
    }

    @Test
    void fourDigitsDo() {
        assertEquals(
                List.of("1926/00001"),
                importNumbers("1926/00001", LocalDate.of(1926, 1, 5)).orThrow().texts());
    }

    /** The limit for dates keeps typos from opening a period, but imported numbers are already on paper. */
    @Test
    void aDateFarAheadIsImported() {
        assertEquals(
                List.of("2030/00001"),
                importNumbers("2030/00001", LocalDate.of(2030, 1, 5)).orThrow().texts());
    }

    @Test
    void aTextThatTheNumberNeverHadIsNotThereAlready() {
        SequenceName name = new SequenceName("shop", "ticket");
        sequences.editor().put(name, DefinitionDraft.EMPTY, Precondition.ABSENT, ChangeNote.NONE);
        sequences.allocator().next(name, List.of(new NumberRequest("old", 1, null)));
        DefinitionDraft format = DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, "T-{n}");
        sequences.editor().patch(name, format, Precondition.PRESENT, ChangeNote.NONE);
        ImportedNumber old = new ImportedNumber("old", null, "T-1", null, Status.Kind.ISSUED, null);

        Result<PrintedAllocation> result = sequences
                .imports()
                .importNumbers(name, List.of(old), Change.imported("import", NOW, null))
                .get(0);
        assertEquals(ProblemType.KEY_REUSED, result.refusal().type());
    }
}
