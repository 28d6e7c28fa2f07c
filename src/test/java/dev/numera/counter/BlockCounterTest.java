package dev.numera.counter;

import static dev.numera.counter.ScriptedStore.after;
import static dev.numera.counter.ScriptedStore.failing;
import static dev.numera.counter.ScriptedStore.lasting;
import static dev.numera.counter.ScriptedStore.lostReply;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Blocks on one thread; what would run in the background runs when the test says so. */
class BlockCounterTest {
    private static final CounterId ID = new CounterId(new SequenceName("Test", "ticket"), "");
    private static final CounterLimits LIMITS = new CounterLimits(
            50, Duration.ofSeconds(10), new Backoff.FullJitter(Duration.ofMillis(4), Duration.ofMillis(64)), Duration.ofMillis(30), 100);
    private static final int SIZE = 10;

    private final ScriptedStore store = new ScriptedStore();
    private final ManualTime time = new ManualTime();
    private final Deque<Runnable> background = new ArrayDeque<>();
    private Series series = new Series(1, 1, 1, 1_000, false);
    private BlockCounter blocks = blocks(SIZE);

    @Test
    void oneWriteReservesABlock() {
        store.log.clear();
        assertEquals(LongStream.rangeClosed(1, 10).boxed().toList(), take(10));
        assertEquals(List.of("read", "open", "read", "write"), store.log);
    }

    @Test
    void whoTakesTheMiddleNumberHasTheNextBlockFetched() {
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
        blocks.take(7);
        assertEquals(1, background.size());
        blocks.take(3);
        assertEquals(1, background.size());
    }

    @Test
    void withoutTheNextBlockTheCallerFetchesIt() {
        take(10);
        assertEquals(11, blocks.take(1));
        assertEquals(12, blocks.take(1));
        background.remove().run();
        assertEquals(LongStream.rangeClosed(13, 20).boxed().toList(), take(8));
    }

    @Test
    void aFailedPrefetchHurtsNobody() {
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
    void aFailureIsToldAndTheNextCallerTriesAgain() {
        take(10);
        store.onWrite(failing(lasting()));
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, refused(1));
        assertEquals(11, blocks.take(1));
    }

    /** The number is taken already: it was lost to its caller when no thread was to be had. */
    @Test
    void withoutAThreadForThePrefetchTheCallerStillGetsItsNumber() {
        blocks = new BlockCounter(counter(), SIZE, LIMITS.deadline(), time::nanoTime, task -> {
            throw new RejectedExecutionException();
        });
        assertEquals(LongStream.rangeClosed(1, 25).boxed().toList(), take(25));
    }

    @Test
    void aCallerWaitsForABlockUntilItsDeadline() {
        List<ProblemType> refusals = new ArrayList<>();
        store.onWrite(after(() -> refusals.add(refused(1))));
        assertEquals(1, blocks.take(1));
        assertEquals(List.of(ProblemType.OVERLOADED), refusals);
        assertEquals(2, blocks.take(1));
    }

    @Test
    void anOldBlockIsUsedOnAfterAReadAndNotReadAgainForAWhile() {
        take(3);
        time.pass(BlockCounter.UNCHECKED.minusNanos(1));
        store.log.clear();
        assertEquals(4, blocks.take(1));
        assertEquals(List.of(), store.log);
        time.pass(Duration.ofNanos(1));
        assertEquals(5, blocks.take(1));
        assertEquals(List.of("read"), store.log);
        assertEquals(6, blocks.take(1));
        assertEquals(List.of("read"), store.log);
    }

    @Test
    void anOldBlockOfAnotherEpochIsThrownAway() {
        take(3);
        rival().call(List.of(new Request.Advance(500))).only();
        assertEquals(4, blocks.take(1));
        time.pass(BlockCounter.UNCHECKED);
        assertEquals(500, blocks.take(1));
    }

    @Test
    void anOldBlockThatWasFetchedAheadIsCheckedToo() {
        take(6);
        background.remove().run();
        rival().call(List.of(new Request.Renew())).only();
        time.pass(BlockCounter.UNCHECKED.minusNanos(1));
        assertEquals(List.of(7L, 8L, 9L, 10L), take(4));
        time.pass(Duration.ofNanos(1));
        assertEquals(21, blocks.take(1));
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

    /** It counted from after the read, so an advance meanwhile was obeyed later than promised. */
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

    @Test
    void aBlockThatCannotBeCheckedIsNotUsed() {
        take(3);
        time.pass(BlockCounter.UNCHECKED);
        store.onRead(failing(lasting()));
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, refused(1));
        assertEquals(4, blocks.take(1));
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
        assertEquals(21, blocks.take(1));
    }

    @Test
    void aBlockThatComesAfterTheDiscardIsNotUsed() {
        store.onWrite(request -> () -> {
            WriteResult won = request.get();
            blocks.discard();
            return won;
        });
        assertEquals(11, blocks.take(1));
    }

    @Test
    void aClosedOneGivesNoMore() {
        take(6);
        blocks.close();
        assertEquals(ProblemType.OVERLOADED, refused(1));
        assertEquals(ProblemType.OVERLOADED, refused(SIZE + 1));
        background.remove().run();
        assertEquals(ProblemType.OVERLOADED, refused(1));
    }

    @Test
    void aBlockThatComesAfterTheCloseIsNotUsed() {
        store.onWrite(request -> () -> {
            WriteResult won = request.get();
            blocks.close();
            return won;
        });
        assertEquals(ProblemType.OVERLOADED, refused(1));
    }

    @Test
    void aCountThatDoesNotFitTheRestIsAWriteOfItsOwn() {
        take(8);
        assertEquals(11, blocks.take(3));
        assertEquals(9, blocks.take(2));
        assertEquals(14, blocks.take(SIZE + 1));
        assertEquals(25, blocks.take(SIZE));
    }

    @Test
    void theLastBlockIsShorter() {
        series = new Series(1, 1, 1, 13, false);
        blocks = blocks(SIZE);
        take(10);
        assertEquals(11, blocks.take(2));
        assertEquals(ProblemType.EXHAUSTED, refused(2));
        assertEquals(13, blocks.take(1));
        assertEquals(ProblemType.EXHAUSTED, refused(1));
    }

    @Test
    void aCycleGoesRound() {
        series = new Series(9, 1, 1, 12, true);
        blocks = blocks(3);
        assertEquals(List.of(9L, 10L, 11L, 12L, 1L, 2L, 3L, 4L), take(8));
    }

    @Test
    void countsDownInSteps() {
        series = new Series(100, -7, 1, 100, false);
        blocks = blocks(3);
        assertEquals(List.of(100L, 93L, 86L, 79L), take(4));
        assertEquals(58, blocks.take(3));
    }

    @Test
    void blocksOfOne() {
        blocks = blocks(1);
        assertEquals(List.of(1L, 2L, 3L), take(3));
        assertEquals(4, blocks.take(2));
    }

    private BlockCounter blocks(int size) {
        return new BlockCounter(counter(), size, LIMITS.deadline(), time::nanoTime, background::add);
    }

    private Counter counter() {
        return new Counter(ID, new StaleTerms(StaleTerms.of(Guarantee.CACHED, series)), LIMITS,
                new Counter.Surroundings(store, time, () -> 0.5, Runnable::run));
    }

    private Counter rival() {
        return new Counter(ID, new StaleTerms(StaleTerms.of(Guarantee.CACHED, series)), LIMITS,
                new Counter.Surroundings(store.table, time, () -> 0.5, Runnable::run));
    }

    private List<Long> take(int times) {
        List<Long> taken = new ArrayList<>();
        for (int time = 0; time < times; time++) {
            taken.add(blocks.take(1));
        }
        return taken;
    }

    private ProblemType refused(int count) {
        return assertThrows(ProblemException.class, () -> blocks.take(count)).type();
    }
}
