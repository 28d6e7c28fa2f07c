package dev.numera.core.counter;

import static dev.numera.core.counter.ScriptedStore.after;
import static dev.numera.core.counter.ScriptedStore.failing;
import static dev.numera.core.counter.ScriptedStore.lasting;
import static dev.numera.core.counter.ScriptedStore.lostReply;
import static dev.numera.core.counter.ScriptedStore.passing;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.Definition;
import dev.numera.core.model.DefinitionChangedException;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.Series;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.WriteResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Blocks on one thread: background tasks run when the test runs them. */
class BlockCounterTest extends CounterFixture {
    private static final int SIZE = 10;

    private final Deque<Runnable> background = new ArrayDeque<>();
    private BlockCounter.Cost cost = new BlockCounter.Cost();
    private BlockCounter blocks = blocks(NUMBERS);

    @Test
    void oneWriteReservesABlock() {
        store.log.clear();
        assertEquals(LongStream.rangeClosed(1, 10).boxed().toList(), take(10));
        assertEquals(List.of("read", "write"), store.log);
    }

    @Test
    void takingTheMiddleNumberFetchesTheNextBlock() {
        take(5);
        assertEquals(0, background.size());
        take(1);
        assertEquals(1, background.size());
        take(2);
        assertEquals(1, background.size());

        background.remove().run();
        store.log.clear();
        assertEquals(List.of(9L, 10L, 11L, 12L), take(4));
        assertEquals(List.of(), store.log);
    }

    @Test
    void aCountCanPassTheMiddleToo() {
        take(7, SIZE);
        assertEquals(1, background.size());
        take(3, SIZE);
        assertEquals(1, background.size());
    }

    @Test
    void withoutTheNextBlockTheCallerFetchesIt() {
        take(10);
        assertEquals(11, take(1, SIZE));
        assertEquals(12, take(1, SIZE));
        background.remove().run();
        assertEquals(LongStream.rangeClosed(13, 20).boxed().toList(), take(8));
    }

    @Test
    void failedPrefetchFailsNoCall() {
        take(6);
        store.onWrite(failing(lasting()));
        background.remove().run();
        assertEquals(LongStream.rangeClosed(7, 13).boxed().toList(), take(7));
    }

    @Test
    void aFailedPrefetchThatWasCommittedSkipsItsBlock() {
        take(6);
        store.onWrite(lostReply());
        store.onRead(failing(lasting()));
        background.remove().run();
        assertEquals(List.of(7L, 8L, 9L, 10L, 21L), take(5));
    }

    @Test
    void failureIsReportedAndTheNextCallerRetries() {
        take(10);
        store.onWrite(failing(lasting()));
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, refused(1));
        assertEquals(11, take(1, SIZE));
    }

    /**
     * The number is already reserved in memory. The caller once lost it when no thread was available for the prefetch.
     */
    @Test
    void withoutAThreadForThePrefetchTheCallerStillGetsItsNumber() {
        blocks = new BlockCounter(counter, task -> {
            throw new RejectedExecutionException();
        });
        assertEquals(LongStream.rangeClosed(1, 25).boxed().toList(), take(25));
    }

    @Test
    void aCallerWaitsForABlockUntilItsDeadline() {
        List<ProblemType> refusals = new ArrayList<>();
        store.onWrite(after(() -> refusals.add(refused(1))));
        assertEquals(1, take(1, SIZE));
        assertEquals(List.of(ProblemType.OVERLOADED), refusals);
        assertEquals(2, take(1, SIZE));
    }

    @Test
    void anOldBlockIsUsedOnAfterAReadAndNotReadAgainForAWhile() {
        take(3);
        time.pass(BlockCounter.UNCHECKED.minusNanos(1));
        store.log.clear();
        assertEquals(4, take(1, SIZE));
        assertEquals(List.of(), store.log);
        time.pass(Duration.ofNanos(1));
        assertEquals(5, take(1, SIZE));
        assertEquals(List.of("read"), store.log);
        assertEquals(6, take(1, SIZE));
        assertEquals(List.of("read"), store.log);
    }

    @Test
    void anOldBlockOfAnotherEpochIsDiscarded() {
        take(3);
        peerCall(new CounterRequest.Advance(500, ChangeNote.NONE)).only();
        assertEquals(4, take(1, SIZE));
        time.pass(BlockCounter.UNCHECKED);
        assertEquals(500, take(1, SIZE));
    }

    @Test
    void anOldBlockThatWasFetchedAheadIsCheckedToo() {
        take(6);
        background.remove().run();
        peerCall(new CounterRequest.Advance(1, ChangeNote.NONE)).only();
        time.pass(BlockCounter.UNCHECKED.minusNanos(1));
        assertEquals(List.of(7L, 8L, 9L, 10L), take(4));
        time.pass(Duration.ofNanos(1));
        assertEquals(21, take(1, SIZE));
    }

    @Test
    void theAgeOfABlockCountsFromBeforeItsWrite() {
        store.onWrite(after(() -> time.pass(Duration.ofSeconds(5))));
        take(1);
        time.pass(BlockCounter.UNCHECKED.minusSeconds(5));
        store.log.clear();
        take(1);
        assertEquals(List.of("read"), store.log);
    }

    /**
     * The age of a check once counted from the end of its read, so an instance could obey a concurrent advance later
     * than promised.
     */
    @Test
    void aCheckCountsFromBeforeItsRead() {
        take(3);
        time.pass(BlockCounter.UNCHECKED);
        store.onRead(after(() -> time.pass(Duration.ofSeconds(5))));
        take(1);
        time.pass(BlockCounter.UNCHECKED.minusSeconds(5));
        store.log.clear();
        take(1);
        assertEquals(List.of("read"), store.log);
    }

    /** A temporary failure of the check once caused a 503 for all waiting callers. */
    @Test
    void aCheckThatFailsInPassingIsTriedAgain() {
        take(3);
        time.pass(BlockCounter.UNCHECKED);
        store.onRead(failing(passing()));
        assertEquals(4, take(1, SIZE));
        assertEquals(1, time.sleeps.size());
    }

    private void assertCost(int attempts, Duration inStorage) {
        assertEquals(attempts, cost.attempts());
        assertEquals(inStorage.toNanos(), cost.storageNanos());
        cost = new BlockCounter.Cost();
    }

    /** The reported storage time was once zero for all callers. */
    @Test
    void whatACallCostIsWhatItWaitedForStorage() {
        Duration slow = Duration.ofMillis(30);
        store.onWrite(after(() -> time.pass(slow)));
        take(1);
        assertCost(1, slow);
        take(2);
        assertCost(0, Duration.ZERO);
        store.onWrite(after(() -> time.pass(slow)));
        take(SIZE, SIZE);
        assertCost(1, slow);
        time.pass(BlockCounter.UNCHECKED);
        store.onRead(after(() -> time.pass(slow)));
        take(1);
        assertCost(0, slow);
    }

    @Test
    void aBlockThatCannotBeCheckedIsNotUsed() {
        take(3);
        time.pass(BlockCounter.UNCHECKED);
        store.onRead(failing(lasting()));
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, refused(1));
        assertEquals(4, take(1, SIZE));
        store.table.remove(ID);
        time.pass(BlockCounter.UNCHECKED);
        assertEquals(ProblemType.ROLLED_BACK, refused(1));
        assertEquals(ProblemType.ROLLED_BACK, refused(1));
    }

    @Test
    void aDiscardedBlockIsSkippedAndSoIsTheOneFetchedAhead() {
        take(6);
        background.remove().run();
        blocks.discard();
        assertEquals(21, take(1, SIZE));
    }

    @Test
    void aBlockThatComesAfterTheDiscardIsNotUsed() {
        store.onWrite(request -> () -> {
            WriteResult won = request.get();
            blocks.discard();
            return won;
        });
        assertEquals(11, take(1, SIZE));
    }

    @Test
    void aCountThatDoesNotFitTheRestIsAWriteOfItsOwn() {
        take(8);
        assertEquals(11, take(3, SIZE));
        assertEquals(9, take(2, SIZE));
        assertEquals(14, take(SIZE + 1, SIZE));
        assertEquals(25, take(SIZE, SIZE));
    }

    @Test
    void theLastBlockIsShorter() {
        blocks = blocks(new Series(1, 1, 1, 13, false));
        take(10);
        assertEquals(11, take(2, SIZE));
        assertEquals(ProblemType.EXHAUSTED, refused(2));
        assertEquals(13, take(1, SIZE));
        assertEquals(ProblemType.EXHAUSTED, refused(1));
    }

    /**
     * Numbers that the instance has reserved count as left. The caller was once refused as if none were left, and an
     * alarm was logged.
     */
    @Test
    void whatTheInstanceHasReservedIsLeft() {
        blocks = blocks(new Series(1, 1, 1, 10, false));
        take(5);
        ProblemException refused = assertThrows(ProblemException.class, () -> take(6, SIZE));
        assertEquals(ProblemType.EXHAUSTED, refused.type());
        assertEquals(5L, refused.members().get("left"));
        assertTrue(refused.getMessage().startsWith("Request at most 5 numbers at once"), refused::getMessage);
        assertEquals(6, take(1, SIZE));
        assertEquals(7, take(4, SIZE));
        refused = assertThrows(ProblemException.class, () -> take(1, SIZE));
        assertEquals(0L, refused.members().get("left"));
    }

    @Test
    void moreThanTheInstanceHasReservedMayBeLeft() {
        blocks = blocks(new Series(1, 1, 1, 17, false));
        take(8);
        assertEquals(
                7L,
                assertThrows(ProblemException.class, () -> take(8, SIZE))
                        .members()
                        .get("left"));
    }

    @Test
    void theLastNumbersComeFromTheBlockThatWasFetchedAhead() {
        blocks = blocks(new Series(1, 1, 1, 20, false));
        take(8);
        background.remove().run();
        assertEquals(11, take(5, SIZE));
        assertEquals(
                5L,
                assertThrows(ProblemException.class, () -> take(6, SIZE))
                        .members()
                        .get("left"));
        assertEquals(List.of(9L, 10L, 16L), take(3));
    }

    @Test
    void aCycleGoesRound() {
        blocks = blocks(new Series(9, 1, 1, 12, true));
        List<Long> taken = new ArrayList<>();
        LongStream.range(0, 8).forEach(ordinal -> taken.add(take(1, 3)));
        assertEquals(List.of(9L, 10L, 11L, 12L, 1L, 2L, 3L, 4L), taken);
    }

    @Test
    void countsDownInSteps() {
        blocks = blocks(new Series(100, -7, 1, 100, false));
        List<Long> taken = new ArrayList<>();
        LongStream.range(0, 4).forEach(ordinal -> taken.add(take(1, 3)));
        assertEquals(List.of(100L, 93L, 86L, 79L), taken);
        assertEquals(58, take(3, 3));
    }

    @Test
    void blocksOfOne() {
        assertEquals(List.of(1L, 2L, 3L), List.of(take(1, 1), take(1, 1), take(1, 1)));
        assertEquals(4, take(2, 1));
    }

    /**
     * Each call passes the current block size. A size that was fixed when the block counter was created took effect
     * only after the instance had evicted the counter.
     */
    @Test
    void theSizeIsThatOfEachCall() {
        take(1, 2);
        assertEquals(List.of("read", "write"), store.log);
        take(1, 5);
        background.remove().run();
        assertEquals(8, store.table.read(ID).orElseThrow().value().next());
        take(5, 5);
        assertEquals(8, take(1, 3));
        assertEquals(11, store.table.read(ID).orElseThrow().value().next());
    }

    @Test
    void numbersOfTheBlockAreTakenWithoutARequest() {
        take(2);
        store.log.clear();
        assertEquals(3, take(2, SIZE));
        assertEquals(5, take(6, SIZE));
        assertEquals(1, background.size());
        assertEquals(List.of(), store.log);
        assertEquals(11, take(1, SIZE));
    }

    /** A restore keeps the epoch. A check that compared only epochs let two instances allocate the same numbers. */
    @Test
    void anOldBlockOfARestoredCounterIsDiscarded() {
        take(10);
        MemoryCounterStore.Backup backup = store.table.backup();
        assertEquals(List.of(11L, 12L, 13L), take(3));
        store.table.restore(backup);
        time.pass(BlockCounter.UNCHECKED);
        assertEquals(ProblemType.ROLLED_BACK, refused(1));
        assertEquals(11, peerNext());
        assertEquals(ProblemType.ROLLED_BACK, refused(1));
        peerCall(new CounterRequest.Advance(21, ChangeNote.NONE));
        assertEquals(21, take(1, SIZE));
    }

    @Test
    void anOldBlockIsUsedOnWhenOthersTookTheirsMeanwhile() {
        take(3);
        assertEquals(11, peerNext());
        time.pass(BlockCounter.UNCHECKED);
        assertEquals(4, take(1, SIZE));
    }

    @Test
    void whileTheDefinitionIsAnotherOneThereAreNoNumbersAndNothingIsConsumed() {
        Definition other = StaleDefinition.definition(Guarantee.STRICT, NUMBERS);
        change(other);
        assertThrows(DefinitionChangedException.class, () -> take(1, SIZE));
        assertThrows(DefinitionChangedException.class, () -> take(SIZE + 1, SIZE));
        assertEquals(List.of(), store.written);
        change(StaleDefinition.definition(Guarantee.CACHED, NUMBERS));
        terms.reloaded();
        assertEquals(1, take(1, SIZE));
    }

    @Test
    void prefetchUnderAnotherDefinitionFailsNoCall() {
        take(6);
        change(StaleDefinition.definition(Guarantee.STRICT, NUMBERS));
        terms.reloaded();
        background.remove().run();
        assertEquals(List.of(7L, 8L, 9L, 10L), take(4));
        assertThrows(DefinitionChangedException.class, () -> take(1, SIZE));
        change(StaleDefinition.definition(Guarantee.CACHED, NUMBERS));
        terms.reloaded();
        assertEquals(11, take(1, SIZE));
    }

    @Test
    void aCallAfterItsDeadlineGetsOnlyWhatIsInMemory() {
        take(3);
        Deadline over = Deadline.in(Duration.ZERO, time);
        assertEquals(4, blocks.take(1, SIZE, over, cost));
        take(6);
        assertEquals(
                ProblemType.OVERLOADED,
                assertThrows(ProblemException.class, () -> blocks.take(1, SIZE, over, cost))
                        .type());
    }

    private BlockCounter blocks(Series series) {
        define(Guarantee.CACHED, series);
        return new BlockCounter(counter, background::add);
    }

    private List<Long> take(int times) {
        List<Long> taken = new ArrayList<>();
        for (int time = 0; time < times; time++) {
            taken.add(take(1, SIZE));
        }
        return taken;
    }

    private long take(int count, int size) {
        return blocks.take(count, size, deadline(), cost);
    }

    private ProblemType refused(int count) {
        return assertThrows(ProblemException.class, () -> take(count, SIZE)).type();
    }
}
