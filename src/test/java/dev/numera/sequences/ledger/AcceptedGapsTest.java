package dev.numera.sequences.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Series;
import dev.numera.core.model.Status;
import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.AutoCreate;
import dev.numera.sequences.definition.Precondition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Numbers that an import omitted are reported until an owner imports them, or accepts the gap with a reason. */
class AcceptedGapsTest {
    private static final SequenceName NAME = new SequenceName("shop", "invoice");
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final ChangeNote SKIPPED = new ChangeNote("anna", "skipped by the old system");

    private final TestClock time = TestClock.standing(NOW);
    private final MemoryCounterStore table = new MemoryCounterStore();
    private final Sequences sequences =
            TestSequences.over(table).with(AutoCreate.NEVER).with(time).start();

    private void define(long start, long increment) {
        define(Guarantee.GAPLESS, start, increment);
    }

    private void define(Guarantee guarantee, long start, long increment) {
        sequences
                .editor()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.GUARANTEE, guarantee)
                                .with(DefinitionField.START, start)
                                .with(DefinitionField.INCREMENT, increment)
                                .with(DefinitionField.MIN_VALUE, 0L)
                                .with(DefinitionField.MAX_VALUE, 1_000L),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
    }

    private void importNumbers(String id, long... numbers) {
        List<ImportedNumber> rows = LongStream.of(numbers)
                .mapToObj(number -> new ImportedNumber("old " + number, number, null, null, Status.Kind.ISSUED, null))
                .toList();
        sequences
                .imports()
                .importNumbers(NAME, rows, Change.imported(id, NOW, null))
                .forEach(Result::orThrow);
    }

    private CounterOutcome.Accepted accept(long first, long last) {
        time.pass(Duration.ofMinutes(1));
        return sequences.imports().accept(NAME, first, last, null, SKIPPED);
    }

    private ProblemException refused(long first, long last) {
        return assertThrows(ProblemException.class, () -> accept(first, last));
    }

    private List<String> gaps() {
        return sequences
                .ledgerCheck()
                .check(NAME, -Series.LARGEST_VALUE, Series.LARGEST_VALUE, null, null, null)
                .gaps()
                .stream()
                .map(gap -> EnumWord.of(gap.kind()) + " " + gap.first() + "-" + gap.last()
                        + Objects.requireNonNullElse(gap.reason(), "")
                                .transform(why -> why.isEmpty() ? "" : ": " + why))
                .toList();
    }

    @Test
    void numbersBetweenImportedOnesAreReportedUntilTheyAreImported() {
        define(1, 1);
        importNumbers("i1", 5, 9);
        assertEquals(List.of("advanced 1-4: before the import", "unimported 6-8: import i1"), gaps());

        importNumbers("i2", 7);
        assertEquals(
                List.of("advanced 1-4: before the import", "unimported 6-6: import i1", "unimported 8-8: import i1"),
                gaps());
        importNumbers("i3", 6, 8, 12);
        assertEquals(List.of("advanced 1-4: before the import", "unimported 10-11: import i3"), gaps());
    }

    @Test
    void anAcceptedGapIsAdvancedWithReasonAndActor() {
        define(1, 1);
        importNumbers("i1", 1, 9);

        assertEquals(new CounterOutcome.Accepted("", 4, 6, SKIPPED), accept(4, 6));
        List<String> gaps =
                List.of("unimported 2-3: import i1", "advanced 4-6: " + SKIPPED.reason(), "unimported 7-8: import i1");
        assertEquals(gaps, gaps());
        assertEquals(
                List.of(Change.Kind.CREATED, Change.Kind.IMPORTED, Change.Kind.CHANGED),
                changes().stream().map(Change::kind).toList());
        assertEquals(SKIPPED, changes().get(2).note());
        assertEquals("4 to 6", changes().get(2).fields().get(0).after());
        assertEquals(
                "anna",
                sequences
                        .ledger()
                        .read(NAME, new LedgerFilter(5, 5), null, null, 1)
                        .items()
                        .get(0)
                        .actor());

        ChangeNote other = new ChangeNote("bert", "another reason");
        assertEquals(
                SKIPPED, sequences.imports().accept(NAME, 4, 6, null, other).note());
        assertEquals(gaps, gaps());
        assertEquals(3, changes().size(), "Repeating it changes nothing.");
        assertEquals(
                ChangeNote.NONE,
                sequences.imports().accept(NAME, 2, 4, null, other).note());
        accept(5, 8);
        assertEquals(
                List.of(
                        "advanced 2-3: " + other.reason(),
                        "advanced 4-6: " + SKIPPED.reason(),
                        "advanced 7-8: " + SKIPPED.reason()),
                gaps());
    }

    @Test
    void anAcceptedNumberCanStillBeImported() {
        define(1, 1);
        importNumbers("i1", 1, 5);
        accept(2, 4);
        importNumbers("i2", 3);
        assertEquals(List.of("advanced 2-2: " + SKIPPED.reason(), "advanced 4-4: " + SKIPPED.reason()), gaps());
    }

    @Test
    void numbersThatWereImportedSinceAreNotAccepted() {
        define(1, 1);
        importNumbers("i1", 1, 9);
        importNumbers("i2", 5);

        ProblemException refusal = refused(2, 8);
        assertEquals(ProblemType.NUMBER_TAKEN, refusal.type());
        assertEquals("old 5", refusal.members().get("key"));
        assertEquals(List.of("unimported 2-4: import i1", "unimported 6-8: import i1"), gaps());
    }

    @Test
    void numbersWithoutAKeyAreNotAccepted() {
        define(Guarantee.STRICT, 1, 1);
        List<NumberRequest> oneWrite = List.of(
                new NumberRequest("a", 1, null), new NumberRequest(null, 3, null), new NumberRequest("b", 1, null));
        sequences.allocator().next(NAME, oneWrite).results().forEach(Result::orThrow);
        importNumbers("i1", 9);

        for (long first = 2; first <= 4; first++) {
            assertEquals(ProblemType.INVALID_REQUEST, refused(first, 4).type());
        }
        assertEquals(new CounterOutcome.Accepted("", 6, 8, SKIPPED), accept(6, 8));
    }

    @Test
    void onlyNumbersThatWerePassedOverAreAccepted() {
        define(1, 1);
        assertEquals(ProblemType.INVALID_REQUEST, refused(1, 2).type(), "The period has no number.");
        importNumbers("i1", 1, 9);
        ProblemException refusal = refused(12, 20);
        assertEquals(ProblemType.INVALID_REQUEST, refusal.type());
        assertTrue(refusal.getMessage().contains("no import has passed over 12"), refusal::getMessage);
    }

    @Test
    void aSequenceThatCountsDownByFivesHasGapsToo() {
        define(100, -5);
        importNumbers("i1", 90, 60);
        assertEquals(List.of("unimported 85-65: import i1", "advanced 100-95: before the import"), gaps());

        assertEquals(new CounterOutcome.Accepted("", 80, 70, SKIPPED), accept(81, 69));
        assertEquals(
                List.of(
                        "unimported 65-65: import i1",
                        "advanced 80-70: " + SKIPPED.reason(),
                        "unimported 85-85: import i1",
                        "advanced 100-95: before the import"),
                gaps());
    }

    /** Up to 0.2, only the reason of a row named its import, and an advance may have such a reason as well. */
    @Test
    void theChangeLogDecidesAboutRowsOfEarlierReleases() {
        define(1, 1);
        importNumbers("i1", 1, 4);
        table.forgetPassingImports(new CounterId(NAME, ""));
        sequences.moves().advance(NAME, 8, null, new ChangeNote(null, "import i7"));
        assertEquals(List.of("unimported 2-3: import i1", "advanced 5-7: import i7"), gaps());

        accept(2, 3);
        assertEquals(List.of("advanced 2-3: " + SKIPPED.reason(), "advanced 5-7: import i7"), gaps());
    }

    private List<Change> changes() {
        return sequences.editor().changes(NAME, null, 100).items().stream()
                .map(Result::orThrow)
                .toList();
    }
}
