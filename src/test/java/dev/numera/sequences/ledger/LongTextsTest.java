package dev.numera.sequences.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Page;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Clock;
import dev.numera.fixtures.PlainNumbers;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.definition.Precondition;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The cost of a call when one ledger row holds 98 allocations of ten thousand numbers with long texts. */
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
            Page<LedgerLine, LedgerPosition> page = LedgerReader.within(
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

        Page<LedgerLine, LedgerPosition> page = LedgerReader.within(
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

        ProblemException refusal =
                assertThrows(ProblemException.class, () -> next(new NumberRequest("key", 10_000, null)));

        assertEquals(ProblemType.INVALID_REQUEST, refusal.type());
        assertEquals(
                "count must be at most 4,694 with this format: count times the longest possible text, "
                        + "x".repeat(197)
                        + "9007199254740991 with 213 characters, must not exceed 1,000,000 characters.",
                refusal.getMessage());
        assertEquals(1, next(new NumberRequest("key", 4_694, null)).first(), "nothing was consumed");
    }

    @Test
    void aKnownKeyIsAnsweredByItsOwnFormat() {
        define("{n:2}");
        PrintedAllocation first = next(new NumberRequest("key", 10_000, null));
        sequences
                .editor()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, OF_213_CHARACTERS),
                        Precondition.PRESENT,
                        ChangeNote.NONE);

        assertEquals(first.texts(), next(new NumberRequest("key", 10_000, null)).texts());
        assertThrows(ProblemException.class, () -> next(new NumberRequest("other", 10_000, null)));
    }

    @Test
    void numbersFromMemoryAreBoundedToo() {
        sequences
                .editor()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.GUARANTEE, Guarantee.CACHED)
                                .with(DefinitionField.CACHE_SIZE, 20_000)
                                .with(DefinitionField.FORMAT, OF_213_CHARACTERS),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
        assertEquals(1, next(new NumberRequest(null, 1, null)).first());

        assertEquals(
                ProblemType.INVALID_REQUEST,
                assertThrows(ProblemException.class, () -> next(new NumberRequest(null, 10_000, null)))
                        .type());
        assertEquals(2, next(new NumberRequest(null, 1, null)).first(), "nothing was consumed");
    }

    @Test
    void foreseenProblemEqualsTheAnswer() {
        define(OF_213_CHARACTERS);
        List<NumberRequest> requests = List.of(new NumberRequest("key", 10_000, null));

        assertEquals(
                ProblemType.INVALID_REQUEST,
                sequences
                        .allocator()
                        .preview(NAME, requests, Clock.SYSTEM.now())
                        .get(0)
                        .refusal()
                        .type());
    }

    @Test
    void theCharactersOfNumbersAreThoseOfTheLongestText() {
        PrintedAllocation printed = PlainNumbers.of("key", 8, 12, 5, 1, List.of("8", "9", "10", "11", "12"), false);

        assertEquals(2, printed.longestText());
        assertEquals(403 + 5 * 10, printed.characters());
        assertEquals(403, printed.with("key", null).characters());
        assertEquals(Status.SIMPLY_ISSUED, printed.status());
    }

    private void define(String format) {
        sequences
                .editor()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, format),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
    }

    private void numberFullRow() {
        List<NumberRequest> requests = IntStream.rangeClosed(1, 98)
                .mapToObj(i -> new NumberRequest("key-" + i, 10_000, null))
                .toList();
        sequences.allocator().next(NAME, requests).results().forEach(result -> result.orThrow());
    }

    private PrintedAllocation next(NumberRequest request) {
        return sequences
                .allocator()
                .next(NAME, List.of(request))
                .results()
                .get(0)
                .orThrow();
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
