package dev.numera.counter;

import static dev.numera.counter.ScriptedStore.after;
import static dev.numera.counter.ScriptedStore.failing;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.counter.InstanceAsk.State;
import dev.numera.model.Request;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** When an instance looks for others, what it does with what it finds, and how long it lets them through. */
class RivalsTest extends CounterFixture {
    private static final Duration ROUND_TRIP = Duration.ofMillis(10);
    private static final Duration LATELY = Duration.ofSeconds(1);
    private static final Duration LONG_AGO = Duration.ofSeconds(30);
    private static final Duration BUSY = Duration.ofMillis(100);

    private int woken;
    private Rivals rivals;

    RivalsTest() {
        time.pass(Duration.ofHours(1));
        rivals = rivals(Runnable::run);
    }

    @Test
    void aRoundTripFollowsTheRequestsSlowlyAndIsNeverLongerThanATroubledOne() {
        assertEquals(0, rivals.roundTripNanos());
        rivals.took(8_000);
        assertEquals(8_000, rivals.roundTripNanos());
        rivals.took(16_000);
        assertEquals(9_000, rivals.roundTripNanos());
        rivals.took(1_000);
        assertEquals(8_000, rivals.roundTripNanos());
        Rivals others = rivals(Runnable::run);
        others.took(Duration.ofSeconds(5).toNanos());
        assertEquals(Duration.ofMillis(100).toNanos(), others.roundTripNanos());
    }

    @Test
    void aRivalIsSeenLatelyForASecond() {
        assertFalse(rivals.wereSeenLately());
        rivals.saw();
        time.pass(LATELY.minusNanos(1));
        assertTrue(rivals.wereSeenLately());
        time.pass(Duration.ofNanos(1));
        assertFalse(rivals.wereSeenLately());
    }

    @Test
    void whoWritesNowAndThenLooksForNobody() {
        for (int write = 0; write < 5; write++) {
            write();
            time.pass(BUSY);
        }
        assertEquals(List.of(), store.all);
    }

    @Test
    void whoIsBusyLooksTenTimesASecond() {
        Duration gap = BUSY.dividedBy(2);
        for (int write = 0; write < 7; write++) {
            write();
            time.pass(gap);
        }
        assertEquals(List.of("asks", "asks", "asks"), store.all);
    }

    @Test
    void busyIsCountedFromTheEndOfARest() {
        write();
        time.pass(BUSY);
        write();
        time.pass(BUSY.minusNanos(1));
        write();
        assertEquals(List.of(), store.all);
        time.pass(Duration.ofNanos(1));
        write();
        assertEquals(List.of("asks"), store.all);
    }

    @Test
    void eachWriteLooksAsLongAsThereWereRivalsLately() {
        rivals.saw();
        write();
        write();
        assertEquals(List.of("asks", "asks"), store.all);
    }

    @Test
    void afterARestTheCounterIsReadBesideAWriteThatComesFromMemory() {
        rival.call(List.of(ask(null, 1)), deadline());
        sawAndRested(ROUND_TRIP.multipliedBy(2).plusNanos(1));
        rivals.beside(true);
        assertEquals(List.of("asks", "read"), store.all);
        assertEquals(store.table.read(ID), rivals.look("another").counter());
        assertEquals(List.of("asks", "read", "asks"), store.all, "What was read beside the write is enough.");
        rivals.look("another");
        assertEquals(List.of("asks", "read", "asks", "asks", "read"), store.all, "It is good for one look.");
    }

    @Test
    void whatWasReadBesideAWriteIsNoUseIfItIsWhatTheWriteLostAgainst() {
        rival.call(List.of(ask(null, 1)), deadline());
        String stale = store.table.read(ID).orElseThrow().version();
        for (String version : new String[] {stale, null}) {
            store.all.clear();
            sawAndRested(Duration.ofMillis(50));
            rivals.beside(true);
            rivals.look(version);
            assertEquals(List.of("asks", "read", "asks", "read"), store.all);
        }
    }

    @Test
    void theCounterIsNotReadBesideAWriteThatFollowsARead() {
        sawAndRested(Duration.ofMillis(50));
        rivals.beside(false);
        assertEquals(List.of("asks"), store.all);
    }

    @Test
    void theCounterIsNotReadBesideAWriteThatComesAtOnce() {
        sawAndRested(ROUND_TRIP.multipliedBy(2));
        rivals.beside(true);
        assertEquals(List.of("asks"), store.all);
    }

    @Test
    void theCounterIsReadBesideAWriteForHalfAMinuteAfterARival() {
        sawAndRested(LONG_AGO.minusNanos(1));
        rivals.beside(true);
        assertEquals(List.of("read"), store.all);
        sawAndRested(LONG_AGO);
        rivals.beside(true);
        assertEquals(List.of(), store.all);
    }

    @Test
    void whatWasReadBesideAWriteThatWonIsForgotten() {
        rival.call(List.of(ask(null, 1)), deadline());
        sawAndRested(Duration.ofMillis(50));
        rivals.beside(true);
        rivals.wrote(List.of());
        rivals.look("another");
        assertEquals(List.of("asks", "read", "asks", "read"), store.all);
    }

    @Test
    void whereThereWereNoRivalsOnlyTheCounterIsRead() {
        post("other", ask(null, 1));
        assertNull(rivals.look(null).asks());
        assertEquals(List.of("read"), store.all);
        assertEquals(0, rivals.roundTripNanos());
    }

    @Test
    void aLookTellsWhatOthersAskAndHowFarTheTableIs() {
        InstanceAsk.Posted other = post("other", ask(null, 1));
        post("this", ask(null, 2));
        rivals.saw();
        store.onRead(after(() -> time.pass(ROUND_TRIP)));
        assertEquals(List.of(other), rivals.look(null).asks());
        assertEquals(ROUND_TRIP.toNanos(), rivals.roundTripNanos());
        assertFalse(rivals.hasFound(), "It is in the look.");
    }

    @Test
    void whetherAnAskIsLeftIsReadInItsRowUnlessItIsListed() {
        InstanceAsk.Posted other = post("other", ask(null, 1));
        List<InstanceAsk.Answered> answered = List.of(new InstanceAsk.Answered(other, List.of()));
        assertFalse(rivals.haveLeft(answered, List.of(other)));
        assertEquals(List.of(), store.log);
        assertFalse(rivals.haveLeft(answered, List.of()));
        assertFalse(rivals.haveLeft(answered, null));
        assertEquals(List.of("look", "look"), store.log);
        won(store.table.post(ID, other.ask(), State.CLOSED, other.version()));
        assertTrue(rivals.haveLeft(answered, List.of()));
        store.table.removeAsks(ID);
        assertTrue(rivals.haveLeft(answered, null));
        assertFalse(rivals.haveLeft(List.of(), null));
    }

    @Test
    void aLookThatFailsTellsOfTheCounterAlone() {
        post("other", ask(null, 1));
        rivals.saw();
        store.onAsks(failing(ScriptedStore.passing()));
        assertNull(rivals.look(null).asks());
        assertEquals(1, rivals.look(null).asks().size(), "The next one is another one.");
    }

    @Test
    void aLookThatTakesTooLongIsNotWaitedFor() {
        Deque<Runnable> waiting = new ArrayDeque<>();
        rivals = rivals(waiting::add);
        rivals.saw();
        long before = time.nanoTime();
        assertNull(rivals.look(null).asks());
        assertEquals(REQUEST_TIMEOUT.toNanos(), time.nanoTime() - before);
        rivals.saw();
        assertNull(rivals.look(null).asks());
        assertEquals(1, waiting.size(), "It is under way still.");
        waiting.remove().run();
        rivals.saw();
        rivals.beside(false);
        assertEquals(1, waiting.size());
    }

    @Test
    void whoIsInterruptedTakesWhatIsThere() {
        rivals = rivals(new ArrayDeque<Runnable>()::add);
        rivals.saw();
        Thread.currentThread().interrupt();
        assertNull(rivals.look(null).asks());
        assertEquals(Duration.ofHours(1).toNanos(), time.nanoTime());
        assertTrue(Thread.interrupted(), "Whoever waits next is interrupted, too.");
    }

    @Test
    void withoutAThreadNobodyIsLookedFor() {
        rivals = rivals(task -> {
            throw new RejectedExecutionException();
        });
        rivals.saw();
        assertNull(rivals.look(null).asks());
        assertEquals(List.of("read"), store.all);
    }

    @Test
    void whatWasFoundBesideAWriteWakesWhoeverCanAnswer() {
        InstanceAsk.Posted other = post("other", ask(null, 1));
        rivals.saw();
        rivals.beside(false);
        assertEquals(1, woken);
        assertTrue(rivals.hasFound());
        assertEquals(List.of(other), rivals.takeFound());
        assertFalse(rivals.hasFound());
        assertEquals(List.of(), rivals.takeFound());
    }

    @Test
    void whatIsNotAskedAnyMoreIsForgotten() {
        post("other", ask(null, 1));
        rivals.saw();
        rivals.beside(false);
        store.table.removeAsks(ID);
        rivals.beside(false);
        assertFalse(rivals.hasFound());
    }

    @Test
    void anAskIsATraceOfARival() {
        post("other", ask(null, 1));
        rivals.saw();
        rivals.beside(false);
        time.pass(LATELY);
        rivals.takeFound();
        assertTrue(rivals.wereSeenLately());
    }

    @Test
    void ownAsksAreNobodyElses() {
        post("this", ask(null, 1));
        rivals.saw();
        rivals.beside(false);
        assertEquals(0, woken);
        assertFalse(rivals.hasFound());
    }

    @Test
    void whatWasFoundIsDroppedWhenSomebodyElseWrites() {
        post("other", ask(null, 1));
        rivals.saw();
        rivals.beside(false);
        rivals.dropFound();
        assertFalse(rivals.hasFound());
    }

    /** The look was under way when they were answered. */
    @Test
    void whatWasAnsweredHereIsNotAnsweredAgain() {
        InstanceAsk.Posted other = post("other", ask(null, 1));
        rivals.saw();
        rivals.beside(false);
        rivals.wrote(List.of(new InstanceAsk.Answered(other, List.of())));
        assertEquals(List.of(), rivals.takeFound());
    }

    @Test
    void theLastThousandThatWereAnsweredAreRemembered() {
        InstanceAsk.Posted other = post("other", ask(null, 1));
        rivals.wrote(List.of(new InstanceAsk.Answered(other, List.of())));
        answerOthers(999);
        rivals.saw();
        assertEquals(List.of(), rivals.look(null).asks());
        answerOthers(1);
        assertEquals(List.of(other), rivals.look(null).asks());
    }

    @Test
    void whoCanOnlyHelpItselfIsLetThroughOnce() {
        InstanceAsk.Posted other = post("other");
        rivals.took(ROUND_TRIP.toNanos());
        rivals.leave(List.of(other));
        time.pass(ROUND_TRIP);
        assertTrue(rivals.pausesForOthers());
        assertEquals(List.of(ROUND_TRIP.multipliedBy(7)), time.sleeps);
        assertFalse(rivals.pausesForOthers());
        rivals.leave(List.of(other));
        assertFalse(rivals.pausesForOthers());
    }

    @Test
    void aPauseForOthersTakesNoLongerThanARequestMay() {
        rivals = new Rivals(ID, surroundings(store), ROUND_TRIP, () -> {});
        rivals.took(ROUND_TRIP.toNanos());
        rivals.leave(List.of(post("other")));
        assertTrue(rivals.pausesForOthers());
        assertEquals(List.of(ROUND_TRIP), time.sleeps);
    }

    @Test
    void nobodyPausesForItself() {
        rivals.took(ROUND_TRIP.toNanos());
        rivals.leave(List.of(post("this")));
        assertFalse(rivals.pausesForOthers());
    }

    @Test
    void rowsThatNobodyNeedsAreRemovedOnceAMinute() {
        Duration minute = Duration.ofMinutes(1);
        time.pass(minute.minusNanos(1));
        lookAndExpect("asks");
        time.pass(Duration.ofNanos(1));
        lookAndExpect("asks", "remove");
        time.pass(minute.minusNanos(1));
        lookAndExpect("asks");
    }

    @Test
    void rowsAreNotRemovedTwiceAtATime() {
        Deque<Runnable> waiting = new ArrayDeque<>();
        rivals = rivals(waiting::add);
        time.pass(Duration.ofMinutes(1));
        rivals.saw();
        rivals.beside(false);
        waiting.removeFirst().run();
        time.pass(Duration.ofMinutes(1));
        rivals.saw();
        rivals.beside(false);
        waiting.removeLast().run();
        assertEquals(List.of("asks", "asks"), store.all);
        waiting.remove().run();
        rivals.beside(false);
        assertEquals(2, waiting.size(), "Another look, and another removal.");
    }

    private Rivals rivals(Executor leaders) {
        return new Rivals(
                ID,
                new Counter.Surroundings(store, time, () -> 0.5, leaders, "this", new Observations(1_000)),
                REQUEST_TIMEOUT,
                () -> woken++);
    }

    private void write() {
        rivals.beside(false);
        rivals.wrote(List.of());
    }

    private void sawAndRested(Duration rest) {
        rivals = rivals(Runnable::run);
        rivals.took(ROUND_TRIP.toNanos());
        rivals.wrote(List.of());
        rivals.saw();
        time.pass(rest);
        store.all.clear();
    }

    private void lookAndExpect(String... requests) {
        store.all.clear();
        rivals.saw();
        rivals.beside(false);
        assertEquals(List.of(requests), store.all);
    }

    private void answerOthers(int asks) {
        for (int ask = 0; ask < asks; ask++) {
            InstanceAsk answered = new InstanceAsk("another", "ask " + ask + " of " + asks, List.of());
            rivals.wrote(List.of(new InstanceAsk.Answered(
                    new InstanceAsk.Posted(answered, State.OPEN, null, "version"), List.of())));
        }
    }

    private InstanceAsk.Posted post(String process, Request.Allocate... requests) {
        InstanceAsk ask = new InstanceAsk(process, "ask of " + process, List.of(requests));
        return open(ask);
    }
}
