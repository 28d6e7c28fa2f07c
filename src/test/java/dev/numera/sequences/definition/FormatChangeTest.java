package dev.numera.sequences.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.contract.Defined;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.format.Revision;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.Definition;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.FormatHistory;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.PrintedAllocation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormatChangeTest {
    private static final SequenceName NAME = new SequenceName("App1", "reversed");

    private final MemoryCounterStore table = new MemoryCounterStore();
    private final Sequences owner = instance();
    private final Sequences other = instance();

    private Sequences instance() {
        return TestSequences.over(table).start();
    }

    private static PrintedAllocation next(Sequences instance) {
        return instance.allocator()
                .next(NAME, List.of(new NumberRequest(null, 1, null)))
                .results()
                .get(0)
                .orThrow();
    }

    private static DefinitionDraft draft(String format) {
        return DefinitionDraft.EMPTY.with(DefinitionField.MAX_VALUE, 9_999L).with(DefinitionField.FORMAT, format);
    }

    /** An instance caches a definition for 25 s, but reads rows that were written under the present one. */
    @Test
    void outdatedInstanceReadsByTheDefinitionInUse() {
        owner.editor()
                .put(
                        NAME,
                        draft("{n:4}{yy}").with(DefinitionField.TIME_ZONE, "UTC"),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
        other.editor().get(NAME);
        owner.editor()
                .put(
                        NAME,
                        draft("{yy}{n:4}")
                                .with(DefinitionField.RESET_EVERY, ResetEvery.YEAR)
                                .with(DefinitionField.TIME_ZONE, "UTC"),
                        Precondition.PRESENT,
                        ChangeNote.NONE);
        PrintedAllocation printed = next(owner);
        String text = printed.texts().get(0);

        assertEquals(1, other.ledger().parse(NAME, text).number());
        assertEquals(2, other.states().state(NAME, null).next());
        assertEquals(printed.period(), other.states().state(NAME, null).period());

        owner.editor()
                .put(
                        NAME,
                        draft("N-{yy}-{n}").with(DefinitionField.TIME_ZONE, "UTC"),
                        Precondition.PRESENT,
                        ChangeNote.NONE);
        owner.allocator().next(NAME, List.of(new NumberRequest("key", 1, null)));
        assertEquals(
                "key", other.ledger().findText(NAME, "N-26-2").orElseThrow().key());
        assertEquals(2, other.ledger().parse(NAME, "N-26-2").number());
    }

    /**
     * The outdated instance once planned the number 2 under a format that started at 3, and answered that 2 is out of
     * range.
     */
    @Test
    void outdatedInstanceWritesUnderTheNewFormat() {
        owner.editor().put(NAME, draft(null), Precondition.ABSENT, ChangeNote.NONE);
        assertEquals(1, next(other).first());
        assertEquals(2, next(owner).first());
        owner.editor().put(NAME, draft("{r:5}"), Precondition.PRESENT, ChangeNote.NONE);
        other.editor().get(NAME);

        assertEquals(List.of("09996"), next(other).texts());
    }

    /**
     * Both formats print 10 alike. The outdated instance once printed 9 as {@code 09}, and as {@code 9} when the caller
     * repeated the key.
     */
    @Test
    void firstCallPrintsByTheDefinitionOfItsWrite() {
        owner.editor().put(NAME, countingDown("{n:2}"), Precondition.ABSENT, ChangeNote.NONE);
        other.editor().get(NAME);
        owner.editor().put(NAME, countingDown("{n:1}"), Precondition.PRESENT, ChangeNote.NONE);

        List<NumberRequest> requests = List.of(new NumberRequest("key", 2, null));
        for (int time = 1; time <= 2; time++) {
            assertEquals(
                    List.of("10", "9"),
                    other.allocator()
                            .next(NAME, requests)
                            .results()
                            .get(0)
                            .orThrow()
                            .texts());
        }
    }

    /**
     * The used range does not separate formats, because an outdated instance may allocate any amount of numbers under
     * the old one. {@code A100000000} once meant both 90,000,000 and 100,000,000.
     */
    @Test
    void usedRangeSeparatesNoFormats() {
        DefinitionDraft before = upTo190Million("A{n}").with(DefinitionField.START, 89_990_000L);
        owner.editor().put(NAME, before, Precondition.ABSENT, ChangeNote.NONE);
        assertEquals(List.of("A89990000"), next(owner).texts());

        ProblemException refused = assertThrows(ProblemException.class, () -> owner.editor()
                .patch(NAME, upTo190Million("A{r:9}"), Precondition.PRESENT, ChangeNote.NONE));

        assertEquals(ProblemType.TEXTS_COULD_REPEAT, refused.type());
        assertEquals(List.of("A{n}", "A{r:9}"), refused.members().get("formats"));
        assertEquals("A#########", refused.members().get("shape"));
    }

    /** The sign of a negative number takes the place of the other format's hyphen. */
    @Test
    void aSignIsPartOfTheShapeWhereTheRangeHasNegativeNumbers() {
        DefinitionDraft below = DefinitionDraft.EMPTY
                .with(DefinitionField.MIN_VALUE, -50L)
                .with(DefinitionField.MAX_VALUE, 99L)
                .with(DefinitionField.START, 1L)
                .with(DefinitionField.FORMAT, "A{n}");
        owner.editor().put(NAME, below, Precondition.ABSENT, ChangeNote.NONE);
        next(owner);

        ProblemException refused = assertThrows(ProblemException.class, () -> patch("A-{n}"));
        assertEquals("A-#", refused.members().get("shape"));
        patch("B-{n}");
    }

    @Test
    void aWiderRangeIsHeldToAllFormats() {
        owner.editor().put(NAME, upTo(999, "1{n:3}"), Precondition.ABSENT, ChangeNote.NONE);
        next(owner);
        patch("{n:3}");

        ProblemException refused = assertThrows(ProblemException.class, () -> owner.editor()
                .patch(NAME, upTo(9_999, "{n:3}"), Precondition.PRESENT, ChangeNote.NONE));

        assertEquals(List.of("1{n:3}", "{n:3}"), refused.members().get("formats"));
        assertEquals("1###", refused.members().get("shape"));
    }

    @Test
    void aReturnWithAnotherMaxValueIsANewRevision() {
        owner.editor().put(NAME, upTo(999, "A{n}"), Precondition.ABSENT, ChangeNote.NONE);
        next(owner);
        patch("B{n}");
        patch("A{n}");
        assertEquals(1, formats().current());
        patch("B{n}");
        owner.editor().patch(NAME, upTo(9_999, "A{n}"), Precondition.PRESENT, ChangeNote.NONE);

        assertEquals(3, formats().current());
        assertEquals(
                List.of(
                        new Revision("A{n}", 1, 999, 999),
                        new Revision("B{n}", 1, 999, 999),
                        new Revision("A{n}", 1, 9_999, 9_999)),
                formats().revisions());
    }

    @Test
    void changeThatAffectsNoTextReadsNoCounters() {
        owner.editor().put(NAME, upTo(999, "A{n}"), Precondition.ABSENT, ChangeNote.NONE);
        next(owner);
        DefinitionStore store = ForwardingStore.over(DefinitionStore.class, table, request -> {
            assertNotEquals("counters", request.name());
            return request.forward();
        });
        DefinitionEditor editor = TestSequences.over(table).with(store).start().editor();

        for (DefinitionDraft draft : List.of(
                DefinitionDraft.EMPTY.with(DefinitionField.DESCRIPTION, "Orders"),
                upTo(9_999, "A{n}"),
                upTo(9_999, "B{n}"))) {
            editor.patch(NAME, draft, Precondition.PRESENT, ChangeNote.NONE);
        }
    }

    /** Typical changes of owners, each made after the previous one. */
    @ParameterizedTest
    @CsvSource({
        // another year's prefix, another prefix, another separator
        "INV-2026-{n:5}, INV-2027-{n:5}",
        "INV-{n:6}, RE-{n:6}",
        "{yyyy}-{n:4}, {yyyy}/{n:4}",
        // the first prefix, a suffix, the year
        "{n:6}, INV-{n:6}",
        "{n:6}, {n:6}-A",
        "INV-{n:6}, INV-{yyyy}-{n:6}",
        "INV-{yy}-{n:6}, INV-{yyyy}-{n:6}",
        "INV-{yyyy}-{n:6}, INV-{yyyy}/{MM}-{n:6}",
        // wider, narrower
        "INV-{n:4}, INV-{n:6}",
        "INV-{yyyy}-{n:6}, INV-{yyyy}-{n}",
        // a check digit, another one behind another separator
        "O-{n:7}, O-{n:7}-{check:luhn}",
        "O-{n:7}-{check:luhn}, O-{n:7}/{check:damm}",
        // the scope, the name
        "INV-{n:6}, {scope}-INV-{n:6}",
        "INV-{n:6}, {name}-{n:6}",
        // reversed under a prefix of its own
        "{n:10}, R{r:10}",
    })
    void changesThatPeopleMakeStayAllowed(String before, String after) {
        DefinitionDraft first = upTo(9_999_999, before).with(DefinitionField.TIME_ZONE, "Europe/Berlin");
        owner.editor().put(NAME, first, Precondition.ABSENT, ChangeNote.NONE);
        next(owner);
        patch(after);
        next(owner);
        patch(before);
    }

    /**
     * Earlier versions accepted a check digit of the year alone, such as 20267-1, the same for every number of 2026.
     */
    @Test
    void aCheckThatCoversNoDigitOfTheNumberIsRefusedInNewFormatsAlone() {
        String accepted = "{yyyy}{check:luhn}-{n}";
        ProblemException refused = assertThrows(ProblemException.class, () -> owner.editor()
                .put(NAME, inUtc(accepted), Precondition.ABSENT, ChangeNote.NONE));
        assertEquals(ProblemType.INVALID_REQUEST, refused.type());
        table.put(earlier(accepted));
        String first = next(owner).texts().get(0);
        assertEquals(1, owner.ledger().parse(NAME, first).number());

        DefinitionDraft description = DefinitionDraft.EMPTY.with(DefinitionField.DESCRIPTION, "Orders");
        owner.editor().patch(NAME, description, Precondition.PRESENT, ChangeNote.NONE);
        owner.editor()
                .put(
                        NAME,
                        inUtc(accepted).with(DefinitionField.DESCRIPTION, "All orders"),
                        Precondition.PRESENT,
                        ChangeNote.NONE);
        owner.editor().preview(NAME, description, null);
        assertThrows(ProblemException.class, () -> patch("{yyyy}{check:damm}-{n}"));
        patch("{yyyy}-{n}/{check:luhn}");
        assertThrows(ProblemException.class, () -> patch(accepted));
    }

    private static DefinitionDraft inUtc(String format) {
        return draft(format).with(DefinitionField.TIME_ZONE, "UTC");
    }

    private static Sequence earlier(String format) {
        Definition definition = inUtc(format).filled();
        return Defined.stored(
                NAME,
                "an id",
                definition,
                new FormatHistory(List.of(new Revision(format, 1, 9_999, 9_999)), 1),
                false,
                null,
                null);
    }

    @Test
    void afterFiveHundredFormatsAnEarlierOneCanBeUsedAgain() {
        owner.editor().put(NAME, upTo(999, "1-{n}"), Precondition.ABSENT, ChangeNote.NONE);
        next(owner);
        for (int format = 2; format <= FormatHistory.MAX_REVISIONS; format++) {
            patch(format + "-{n}");
        }

        ProblemException refused = assertThrows(ProblemException.class, () -> patch("501-{n}"));
        assertEquals(ProblemType.TOO_MANY_FORMATS, refused.type());
        patch("7-{n}");
        assertEquals(7, formats().current());
    }

    private FormatHistory formats() {
        return owner.editor().get(NAME).formats();
    }

    private void patch(String format) {
        owner.editor()
                .patch(
                        NAME,
                        DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, format),
                        Precondition.PRESENT,
                        ChangeNote.NONE);
    }

    private static DefinitionDraft upTo(long maxValue, String format) {
        return DefinitionDraft.EMPTY.with(DefinitionField.MAX_VALUE, maxValue).with(DefinitionField.FORMAT, format);
    }

    private static DefinitionDraft upTo190Million(String format) {
        return upTo(190_000_000, format);
    }

    private static DefinitionDraft countingDown(String format) {
        return DefinitionDraft.EMPTY
                .with(DefinitionField.START, 10L)
                .with(DefinitionField.INCREMENT, -1L)
                .with(DefinitionField.MIN_VALUE, 1L)
                .with(DefinitionField.MAX_VALUE, 10L)
                .with(DefinitionField.FORMAT, format);
    }
}
