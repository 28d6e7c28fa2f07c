package dev.numera.sequences.lists;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.Repetition;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.Result;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.definition.Precondition;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows of one file that repeat or contradict each other. The first row is in line 2. */
class RepetitionsTest {
    private static final SequenceName NAME = new SequenceName("shop", "invoice");
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final Change IMPORT = Change.imported("import", NOW, null);

    private final Sequences sequences = TestSequences.over(new MemoryCounterStore())
            .with(TestClock.standing(NOW))
            .start();

    @BeforeEach
    void define() {
        sequences
                .editor()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.FORMAT, "{yyyy}-{n}")
                                .with(DefinitionField.RESET_EVERY, ResetEvery.YEAR)
                                .with(DefinitionField.TIME_ZONE, "UTC"),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
    }

    @Test
    void rowsOfOtherDocumentsRepeatNothing() {
        assertEquals(Map.of(), found(row("a", 1, 2024), row("b", 2, 2024), row("c", 1, 2025)));
    }

    @Test
    void aLaterEqualRowNamesTheFirstOne() {
        assertEquals(Map.of(4, "equal 2"), found(row("a", 1, 2024), row("b", 2, 2024), row("a", 1, 2024)));
        assertEquals(
                Map.of(3, "equal 2"),
                found(row("a", 1, 2024), text("a", "2024-1", 2024)),
                "The text is that of the number.");
    }

    @Test
    void rowsOfOneKeyContradictOneAnother() {
        assertEquals(Map.of(2, "same-key 3", 3, "same-key 2"), found(row("a", 1, 2024), row("a", 2, 2024)));
        assertEquals(Map.of(2, "same-key 3", 3, "same-key 2"), found(row("a", 1, 2024), row("a", 1, 2025)));
        assertEquals(
                Map.of(2, "same-key 3", 3, "same-key 2"),
                found(
                        row("a", 1, 2024),
                        new ImportedNumber("a", 1L, null, LocalDate.of(2024, 3, 1), Status.Kind.VOID, "misprint")));
    }

    @Test
    void rowsOfOneNumberContradictOneAnother() {
        assertEquals(Map.of(2, "same-number 3", 3, "same-number 2"), found(row("a", 1, 2024), row("b", 1, 2024)));
        assertEquals(
                Map.of(2, "same-number 3", 3, "same-number 2"), found(row("a", 1, 2024), text("b", "2024-1", 2024)));
    }

    @Test
    void aRefusedRowStillClaimsItsNumber() {
        assertEquals(
                Map.of(2, "same-key 3", 3, "same-key 2", 4, "same-number 3"),
                found(row("a", 1, 2024), row("a", 2, 2024), row("b", 2, 2024)));
    }

    @Test
    void aRowThatIsEqualToAContradictedOneIsContradictedToo() {
        assertEquals(
                Map.of(2, "same-key 4", 3, "same-key 4", 4, "same-key 2"),
                found(row("a", 1, 2024), row("a", 1, 2024), row("a", 2, 2024)));
    }

    @Test
    void aRowThatNoLedgerCouldTakeClaimsNothing() {
        assertEquals(
                Map.of(),
                found(row("a", 1, 2024), row("a", -1, 2024), text("a", "unreadable", 2024), row("b", 1, 2025)));
    }

    @Test
    void theLedgerDecidesBetweenRowsThatContradictOneAnother() {
        sequences.imports().importNumbers(NAME, List.of(row("a", 1, 2024)), Change.imported("earlier", NOW, null));
        List<ImportedNumber> rows = List.of(row("a", 1, 2024), row("a", 2, 2024), row("b", 1, 2024), row("c", 3, 2024));

        List<String> expected = List.of(
                "there",
                "The key 'a' is also in line 2 of the file, with other values than in this row. Correct or remove one of"
                        + " the two rows.",
                "The number 1 is also in line 2 of the file, under another key. Correct or remove one of the two rows.",
                "imported");
        Map<Integer, Repetition> repetitions = repetitions(rows);
        assertEquals(expected, outcomes(sequences.imports().dryRun(NAME, rows, repetitions, IMPORT)));
        assertEquals(expected, outcomes(sequences.imports().importNumbers(NAME, rows, repetitions, IMPORT)));
    }

    @Test
    void neitherOfTwoContradictingRowsIsImported() {
        List<ImportedNumber> rows = List.of(row("a", 1, 2024), row("a", 2, 2024));
        List<Result<PrintedAllocation>> results =
                sequences.imports().importNumbers(NAME, rows, repetitions(rows), IMPORT);

        assertEquals(
                List.of(true, true), results.stream().map(Result::isRefused).toList());
        assertEquals(
                List.of(3, 2),
                results.stream()
                        .map(result -> result.refusal().members().get("line"))
                        .toList());
    }

    @Test
    void anEqualRowIsThereAlready() {
        List<ImportedNumber> rows = List.of(row("a", 1, 2024), row("a", 1, 2024));
        Map<Integer, Repetition> repetitions = repetitions(rows);

        assertEquals(
                List.of("imported", "there"), outcomes(sequences.imports().dryRun(NAME, rows, repetitions, IMPORT)));
        assertEquals(
                List.of("imported", "there"),
                outcomes(sequences.imports().importNumbers(NAME, rows, repetitions, IMPORT)));
        assertEquals(
                List.of("imported", "there"),
                outcomes(sequences.imports().importNumbers(NAME, rows, repetitions, IMPORT)),
                "delivered again");
    }

    private static ImportedNumber row(String key, long number, int year) {
        return new ImportedNumber(key, number, null, LocalDate.of(year, 3, 1), Status.Kind.ISSUED, null);
    }

    private static ImportedNumber text(String key, String text, int year) {
        return new ImportedNumber(key, null, text, LocalDate.of(year, 3, 1), Status.Kind.ISSUED, null);
    }

    private static List<String> outcomes(List<Result<PrintedAllocation>> results) {
        return results.stream()
                .map(result -> result.isRefused()
                        ? result.refusal().getMessage()
                        : result.orThrow().replayed() ? "there" : "imported")
                .toList();
    }

    private Map<Integer, Repetition> repetitions(List<ImportedNumber> rows) {
        return sequences
                .imports()
                .repetitions(NAME, rows.size(), place -> Result.of(rows.get(place)), place -> place + 2);
    }

    /** Returns the repetitions by the line of each row. */
    private Map<Integer, String> found(ImportedNumber... rows) {
        Map<Integer, String> found = new TreeMap<>();
        repetitions(List.of(rows))
                .forEach((place, repetition) ->
                        found.put(place + 2, EnumWord.of(repetition.kind()) + " " + repetition.line()));
        return found;
    }
}
