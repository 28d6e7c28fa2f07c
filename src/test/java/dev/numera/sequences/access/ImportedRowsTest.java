package dev.numera.sequences.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.definition.Precondition;
import dev.numera.sequences.ledger.UnsentStatusChanges;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A row is already there only if the ledger agrees with all its fields, in a dry run as in an import. */
class ImportedRowsTest {
    private static final SequenceName NAME = new SequenceName("shop", "invoice");
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final LocalDate DAY = LocalDate.of(2024, 3, 1);

    private final TestClock time = TestClock.standing(NOW);
    private final Sequences sequences = TestSequences.over(new MemoryCounterStore())
            .with(AutoCreate.NEVER)
            .with(time)
            .start();

    private int imports;

    @BeforeEach
    void importsAnIssuedAReservedAndAVoidNumber() {
        sequences
                .editor()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, "R-{n:3}"),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
        for (ImportedNumber row : List.of(
                row("issued", 1, DAY, Status.Kind.ISSUED, null),
                row("reserved", 2, DAY, Status.Kind.RESERVED, null),
                row("void", 3, DAY, Status.Kind.VOID, "misprint"))) {
            assertEquals("imported", outcome(row));
        }
    }

    @Test
    void aRowThatStatesWhatTheLedgerHasIsThere() {
        assertEquals("there, issued", outcome(row("issued", 1, DAY, Status.Kind.ISSUED, null)));
        assertEquals("there, reserved", outcome(row("reserved", 2, DAY, Status.Kind.RESERVED, null)));
        assertEquals("there, void", outcome(row("void", 3, DAY, Status.Kind.VOID, "misprint")));
        assertEquals("there, issued", outcome(text("issued", "R-001")));
    }

    @Test
    void whatARowDoesNotStateAgreesWithTheLedger() {
        assertEquals("there, issued", outcome(row("issued", 1, null, null, null)));
        assertEquals("there, reserved", outcome(row("reserved", 2, null, null, null)));
        assertEquals("there, void", outcome(row("void", 3, null, null, null)));
    }

    @Test
    void anotherDateIsRefused() {
        assertRefused(row("issued", 1, DAY.plusDays(1), null, null), "the date 2024-03-01, not 2024-03-02");
    }

    @Test
    void anotherTextIsRefused() {
        sequences
                .editor()
                .patch(
                        NAME,
                        DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, "S-{n:3}"),
                        Precondition.PRESENT,
                        ChangeNote.NONE);

        assertRefused(text("issued", "S-001"), "the text R-001, not S-001");
        assertEquals("there, issued", outcome(text("issued", "R-001")));
        assertEquals("there, issued", outcome(row("issued", 1, DAY, Status.Kind.ISSUED, null)));
    }

    @Test
    void anotherStatusOrReasonIsRefused() {
        assertRefused(row("issued", 1, DAY, Status.Kind.VOID, "misprint"), "it is not void: it is issued");
        assertRefused(row("issued", 1, DAY, Status.Kind.RESERVED, null), "it is not reserved: it is issued");
        assertRefused(row("reserved", 2, DAY, Status.Kind.ISSUED, null), "it is not issued: it is reserved");
        assertRefused(row("void", 3, DAY, Status.Kind.ISSUED, null), "it is not issued: it is void");
        assertRefused(
                row("void", 3, DAY, Status.Kind.VOID, "lost"), "it is void because 'misprint', not because 'lost'");
    }

    @Test
    void aStatusThatWasSetSinceTheImportIsShown() {
        time.pass(Duration.ofMinutes(1));
        UnsentStatusChanges.makeVoid(sequences.statusChanges(), NAME, "issued", "returned", null);
        UnsentStatusChanges.issue(sequences.statusChanges(), NAME, "reserved", null);

        assertEquals("there, void", outcome(row("issued", 1, DAY, Status.Kind.ISSUED, null)));
        assertEquals("there, issued", outcome(row("reserved", 2, DAY, Status.Kind.RESERVED, null)));
        assertEquals("there, issued", outcome(row("reserved", 2, DAY, Status.Kind.ISSUED, null)));
        assertRefused(row("issued", 1, DAY, Status.Kind.RESERVED, null), "it is not reserved: it is void");
        assertRefused(
                row("issued", 1, DAY, Status.Kind.VOID, "lost"), "it is void because 'returned', not because 'lost'");
    }

    private static ImportedNumber row(
            String key, long number, @Nullable LocalDate date, Status.@Nullable Kind status, @Nullable String reason) {
        return new ImportedNumber(key, number, null, date, status, reason);
    }

    private static ImportedNumber text(String key, String text) {
        return new ImportedNumber(key, null, text, DAY, Status.Kind.ISSUED, null);
    }

    private String outcome(ImportedNumber row) {
        Result<PrintedAllocation> result = importNumbers(row);
        PrintedAllocation printed = result.orThrow();
        return printed.replayed() ? "there, " + printed.status().kind().name().toLowerCase(Locale.ROOT) : "imported";
    }

    private void assertRefused(ImportedNumber row, String words) {
        ProblemException refusal = importNumbers(row).refusal();
        assertEquals(ProblemType.KEY_REUSED, refusal.type());
        assertTrue(refusal.getMessage().contains(words), refusal::getMessage);
    }

    /** Imports one row and checks that the dry run reports the same result. */
    private Result<PrintedAllocation> importNumbers(ImportedNumber row) {
        Change change = Change.imported("import-" + ++imports, time.now(), null);
        List<Result<PrintedAllocation>> judged = sequences.imports().dryRun(NAME, List.of(row), change);
        List<Result<PrintedAllocation>> brought = sequences.imports().importNumbers(NAME, List.of(row), change);
        assertEquals(judged.get(0).isRefused(), brought.get(0).isRefused());
        return brought.get(0);
    }
}
