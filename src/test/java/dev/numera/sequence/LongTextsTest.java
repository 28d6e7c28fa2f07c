package dev.numera.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.execution.Clock;
import dev.numera.fixtures.PlainNumbers;
import dev.numera.model.ChangeNote;
import dev.numera.model.DefinitionDraft;
import dev.numera.model.DefinitionField;
import dev.numera.model.Guarantee;
import dev.numera.model.Page;
import dev.numera.model.SequenceName;
import dev.numera.model.Status;
import dev.numera.model.Take;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ten thousand numbers with long texts, 98 times in one row of the ledger: what one call may cost. */
class LongTextsTest {
    private static final SequenceName NAME = new SequenceName("App1", "long");
    private static final LedgerFilter EVERYTHING = new LedgerFilter(1, 1_000_000);
    private static final long FEW_BYTES = 4_000_000;
    private static final String OF_213_CHARACTERS = "x".repeat(197) + "{n}";

    private final Sequences sequences =
            TestSequences.over(new MemoryCounterStore()).start();

    @Test
    void aRowCostsNoMoreThanThePageThatIsReadOfIt() {
        define("y".repeat(80) + "{n}");
        numberFullRow();

        assertEquals(
                1,
                allocates(FEW_BYTES, () -> sequences.ledger().read(NAME, EVERYTHING, null, null, 1))
                        .items()
                        .size());
        LedgerFilter outside = new LedgerFilter(2_000_000, 3_000_000);
        assertEquals(
                List.of(),
                allocates(FEW_BYTES, () -> sequences.ledger().read(NAME, outside, null, null, 1_000))
                        .items());
        LedgerFilter last = new LedgerFilter(980_000, 980_000);
        assertEquals(
                "y".repeat(80) + "980000",
                allocates(FEW_BYTES, () -> sequences.ledger().read(NAME, last, null, null, 1_000))
                        .items()
                        .get(0)
                        .texts()
                        .get(9_999));
        assertEquals(
                "key-98",
                allocates(FEW_BYTES, () -> sequences.ledger().findText(NAME, "y".repeat(80) + "979999"))
                        .orElseThrow()
                        .key());
    }

    @Test
    void aPageEndsBeforeTheEntryWithWhichItHasTooManyCharacters() {
        define("y".repeat(10) + "{n}");
        numberFullRow();
        List<Long> firsts = new ArrayList<>();
        LedgerPosition position = null;
        do {
            Page<LedgerLine, LedgerPosition> page = Ledger.within(
                    sequences.ledger().read(NAME, EVERYTHING, null, position, 1_000),
                    500_000,
                    LedgerLine::characters,
                    EVERYTHING.to());
            assertEquals(2, page.items().size(), "each entry has about 240,000 characters");
            page.items().forEach(entry -> firsts.add(entry.first()));
            position = page.next();
        } while (position != null);

        assertEquals(IntStream.range(0, 98).mapToObj(i -> 1L + i * 10_000).toList(), firsts);
    }

    @Test
    void onePageHasOneEntryHoweverLong() {
        define("y".repeat(80) + "{n}");
        numberFullRow();

        Page<LedgerLine, LedgerPosition> page = Ledger.within(
                sequences.ledger().read(NAME, EVERYTHING, null, null, 1_000),
                1,
                LedgerLine::characters,
                EVERYTHING.to());

        assertEquals(1, page.items().size());
        assertEquals(new LedgerPosition("", 20_000), page.next());
    }

    @Test
    void newNumbersWithTooManyCharactersAreRefused() {
        define(OF_213_CHARACTERS);

        ProblemException refusal = assertThrows(ProblemException.class, () -> next(new Take("key", 10_000, null)));

        assertEquals(ProblemType.INVALID_REQUEST, refusal.type());
        assertEquals(
                "count must be at most 4,694 with this format: count times the longest possible text, "
                        + "x".repeat(197)
                        + "9007199254740991 with 213 characters, must not exceed 1,000,000 characters.",
                refusal.getMessage());
        assertEquals(1, next(new Take("key", 4_694, null)).first(), "nothing was consumed");
    }

    @Test
    void aKnownKeyIsAnsweredByItsOwnFormat() {
        define("{n:2}");
        Numbers first = next(new Take("key", 10_000, null));
        sequences
                .administration()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, OF_213_CHARACTERS),
                        Precondition.PRESENT,
                        ChangeNote.NONE);

        assertEquals(first.texts(), next(new Take("key", 10_000, null)).texts());
        assertThrows(ProblemException.class, () -> next(new Take("other", 10_000, null)));
    }

    @Test
    void numbersFromMemoryAreBoundedToo() {
        sequences
                .administration()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.GUARANTEE, Guarantee.CACHED)
                                .with(DefinitionField.CACHE_SIZE, 20_000)
                                .with(DefinitionField.FORMAT, OF_213_CHARACTERS),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
        assertEquals(1, next(new Take(null, 1, null)).first());

        assertEquals(
                ProblemType.INVALID_REQUEST,
                assertThrows(ProblemException.class, () -> next(new Take(null, 10_000, null)))
                        .type());
        assertEquals(2, next(new Take(null, 1, null)).first(), "nothing was consumed");
    }

    @Test
    void foreseenProblemEqualsTheAnswer() {
        define(OF_213_CHARACTERS);
        List<Take> takes = List.of(new Take("key", 10_000, null));

        assertEquals(
                ProblemType.INVALID_REQUEST,
                sequences
                        .numbering()
                        .foresee(NAME, takes, Clock.SYSTEM.now())
                        .get(0)
                        .refusal()
                        .type());
    }

    @Test
    void theCharactersOfNumbersAreThoseOfTheLongestText() {
        Numbers numbers = PlainNumbers.of("key", 8, 12, 5, 1, List.of("8", "9", "10", "11", "12"), false);

        assertEquals(2, numbers.longestText());
        assertEquals(403 + 5 * 10, numbers.characters());
        assertEquals(403, numbers.with("key", null).characters());
        assertEquals(Status.SIMPLY_ISSUED, numbers.status());
    }

    private void define(String format) {
        sequences
                .administration()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, format),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
    }

    private void numberFullRow() {
        List<Take> takes = IntStream.rangeClosed(1, 98)
                .mapToObj(i -> new Take("key-" + i, 10_000, null))
                .toList();
        sequences.numbering().next(NAME, takes).answers().forEach(answer -> answer.orThrow());
    }

    private Numbers next(Take take) {
        return sequences.numbering().next(NAME, List.of(take)).answers().get(0).orThrow();
    }

    private static <T> T allocates(long atMostBytes, java.util.function.Supplier<T> call) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        T result = call.get();
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(bytes <= atMostBytes, () -> bytes + " bytes were allocated");
        return result;
    }
}
