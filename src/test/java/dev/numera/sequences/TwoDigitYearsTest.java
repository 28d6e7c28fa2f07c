package dev.numera.sequences;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.format.YearStart;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.access.AutoCreate;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.definition.Precondition;
import dev.numera.sequences.ledger.LedgerReader;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The definition fixes the hundred years that two-digit years cover, however much time passes. */
class TwoDigitYearsTest {
    private static final SequenceName NAME = new SequenceName("shop", "invoice");

    private final MemoryCounterStore table = new MemoryCounterStore();

    private Sequences in(String year) {
        return TestSequences.over(table)
                .with(AutoCreate.NEVER)
                .with(TestClock.standing(Instant.parse(year + "-03-01T12:00:00Z")))
                .start();
    }

    private void define(String format, int fiscalYearStart) {
        DefinitionDraft draft = DefinitionDraft.EMPTY
                .with(DefinitionField.FORMAT, format)
                .with(DefinitionField.RESET_EVERY, ResetEvery.YEAR)
                .with(DefinitionField.FISCAL_YEAR_START, YearStart.ofMonth(fiscalYearStart))
                .with(DefinitionField.TIME_ZONE, "UTC");
        in("2026").editor().put(NAME, draft, Precondition.ABSENT, ChangeNote.NONE);
    }

    private static PrintedAllocation next(Sequences sequences) {
        return sequences
                .allocator()
                .next(NAME, List.of(new NumberRequest(null, 1, null)))
                .results()
                .get(0)
                .orThrow();
    }

    private static Result<PrintedAllocation> importNumbers(Sequences sequences, String text, LocalDate date) {
        ImportedNumber old = new ImportedNumber("old " + text, null, text, date, Status.Kind.ISSUED, null);
        return sequences
                .imports()
                .importNumbers(NAME, List.of(old), Change.imported("import", Instant.EPOCH, null))
                .get(0);
    }

    /** The text was read as 2077 once two digits meant other years than in 2026. */
    @Test
    void textIsReadAsOfTheSameYearForever() {
        define("{yy}/{n:5}", 1);
        assertEquals(
                List.of("77/00001"),
                importNumbers(in("2026"), "77/00001", LocalDate.of(1977, 5, 1))
                        .orThrow()
                        .texts());

        for (String year : List.of("2026", "2060", "2075", "2076", "2120")) {
            assertEquals(
                    "1977", in(year).ledger().parse(NAME, "77/00001").period().id(), year);
        }
    }

    @Test
    void noNumberIsAllocatedBeyondThem() {
        define("{yy}/{n:5}", 1);
        assertEquals(List.of("75/00001"), next(in("2075")).texts());

        ProblemException refused = assertThrows(ProblemException.class, () -> next(in("2076")));
        assertEquals(ProblemType.INVALID_REQUEST, refused.type());
        assertEquals(
                "date must be from 1976-01-01 to 2075-12-31: the texts show two-digit years, which can mean only"
                        + " these dates.",
                refused.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "{yy}/{n:5},     1, 76/00001,    1976-01-01, 1975-12-31",
        "{yy}/{n:5},     1, 75/00001,    2075-12-31, 2076-01-01",
        "{fy:2}/{n:5},   4, 76/00001,    1976-01-01, 1975-12-31",
        "{fy:2}/{n:5},   4, 75/00001,    2075-03-31, 2075-04-01",
        "{fy:2-2}/{n:5}, 4, 75-76/00001, 1976-03-31, 1975-12-31",
    })
    void importsLieWithinThem(String format, int fiscalYearStart, String text, LocalDate within, LocalDate outside) {
        define(format, fiscalYearStart);

        assertEquals(
                ProblemType.INVALID_REQUEST,
                importNumbers(in("2075"), text, outside).refusal().type());
        assertEquals(
                List.of(text), importNumbers(in("2075"), text, within).orThrow().texts());
    }

    /** The text {@code 7504-1} was once answered with a period of April 2075, which no number can have. */
    @ParameterizedTest
    @CsvSource({
        "{yy}{MM}-{n},   4, 7503-1, 7504-1",
        "{yy}{MM}-{n},   4, 7601-1, 7512-1",
        "{yy}{MM}-{n},   1, 7512-1, 7513-1",
        "{fy:2}{MM}-{n}, 4, 7601-1, 7612-1",
        "{fy:2}{MM}-{n}, 4, 7503-1, 7604-1",
    })
    void noTextOfAnotherDateIsRead(String format, int fiscalYearStart, String within, String outside) {
        define(format, fiscalYearStart);
        LedgerReader ledger = in("2026").ledger();

        assertEquals(1, ledger.parse(NAME, within).number());
        ProblemException refused = assertThrows(ProblemException.class, () -> ledger.parse(NAME, outside));
        assertEquals(ProblemType.TEXT_UNREADABLE, refused.type());
    }
}
