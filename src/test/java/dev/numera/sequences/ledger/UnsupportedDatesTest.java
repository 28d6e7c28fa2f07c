package dev.numera.sequences.ledger;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.format.YearStart;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.definition.Precondition;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** A date outside every fiscal year is reported as a problem of its parameter. */
class UnsupportedDatesTest {
    private static final SequenceName NAME = new SequenceName("App1", "invoice");
    private static final LocalDate LAST = LocalDate.of(9999, 12, 31);
    private static final LedgerFilter UNTIL = new LedgerFilter(1, 10, null, LAST, null);
    private static final LedgerFilter SINCE = new LedgerFilter(1, 10, LAST, null, null);

    private final Sequences sequences =
            TestSequences.over(new MemoryCounterStore()).with(TestClock.alone()).start();

    @BeforeEach
    void allocate() {
        sequences
                .editor()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.GUARANTEE, Guarantee.GAPLESS)
                                .with(DefinitionField.RESET_EVERY, ResetEvery.YEAR)
                                .with(DefinitionField.FISCAL_YEAR_START, YearStart.ofMonth(4))
                                .with(DefinitionField.TIME_ZONE, "UTC"),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
        sequences.allocator().next(NAME, List.of(new NumberRequest("key", 1, null)));
    }

    private static void requireNamed(String field, Executable call) {
        String errors = String.valueOf(
                assertThrows(ProblemException.class, call).members().get("errors"));
        assertTrue(errors.contains("field=" + field + ",") || errors.contains("field=" + field + "}"), errors);
        assertTrue(errors.contains("9999-12-31 is not supported"), errors);
    }

    @Test
    void theLedgerNamesTheParameter() {
        requireNamed("dateTo", () -> sequences.ledger().read(NAME, UNTIL, null, null, 10));
        requireNamed("dateFrom", () -> sequences.ledger().read(NAME, SINCE, null, null, 10));
        requireNamed("date", () -> sequences.ledger().read(NAME, UNTIL, LAST, null, 10));
    }

    @Test
    void theCheckNamesTheParameter() {
        requireNamed("dateTo", () -> sequences.dateCheck().check(NAME, UNTIL, null, null));
        requireNamed("dateFrom", () -> sequences.dateCheck().check(NAME, SINCE, null, null));
    }
}
