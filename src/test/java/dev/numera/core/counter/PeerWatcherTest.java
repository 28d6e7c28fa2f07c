package dev.numera.core.counter;

import static dev.numera.core.counter.ScriptedStore.after;
import static dev.numera.core.counter.ScriptedStore.failing;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.model.CounterState;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Versioned;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** The watch for peer requests: when an instance looks, its reaction, and how long it pauses for peers. */
class PeerWatcherTest extends CounterFixture {
    private static final Duration ROUND_TRIP = Duration.ofMillis(10);
    private static final Duration LATELY = Duration.ofSeconds(1);
    private static final Duration LONG_AGO = Duration.ofSeconds(30);
    private static final Duration BUSY = Duration.ofMillis(100);

    private int woken;
    private PeerWatcher peers;

    PeerWatcherTest() {
        time.pass(Duration.ofHours(1));
        peers = peers(Runnable::run);
    }

    @Test
    void roundTripFollowsTheRequestsSlowlyUpToALimit() {
        assertEquals(0, peers.roundTripNanos());
        peers.took(8_000);
        assertEquals(8_000, peers.roundTripNanos());
        peers.took(16_000);
        assertEquals(9_000, peers.roundTripNanos());
        peers.took(1_000);
        assertEquals(8_000, peers.roundTripNanos());
        PeerWatcher others = peers(Runnable::run);
        others.took(Duration.ofSeconds(5).toNanos());
        assertEquals(Duration.ofMillis(100).toNanos(), others.roundTripNanos());
    }

    @Test
    void requestsAreLikelyForASecondAfterOne() {
        assertFalse(peers.areRequestsLikely());
        peers.requested();
        time.pass(LATELY.minusNanos(1));
        assertTrue(peers.areRequestsLikely());
        time.pass(Duration.ofNanos(1));
        assertFalse(peers.areRequestsLikely());
    }

    @Test
    void occasionalWriterDoesNotLookForPeers() {
        for (int write = 0; write < 5; write++) {
            write();
            time.pass(BUSY);
        }
        assertEquals(List.of(), store.all);
    }

    @Test
    void busyInstanceLooksTenTimesASecond() {
        Duration gap = BUSY.dividedBy(2);
        for (int write = 0; write < 7; write++) {
            write();
            time.pass(gap);
        }
        assertEquals(List.of("requests", "requests", "requests"), store.all);
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
        assertEquals(List.of("requests"), store.all);
    }

    @Test
    void eachWriteLooksAsLongAsThereWerePeersLately() {
        peers.requested();
        write();
        write();
        assertEquals(List.of("requests", "requests"), store.all);
    }

    @Test
    void afterARestTheCounterIsReadBesideAWriteThatComesFromMemory() {
        peer.call(List.of(take(null, 1)), deadline());
        sawAndRested(ROUND_TRIP.multipliedBy(2).plusNanos(1));
        peers.beside(true);
        assertEquals(List.of("requests", "read"), store.all);
        assertEquals(store.table.read(ID), peers.look("another").counter());
        assertEquals(List.of("requests", "read"), store.all, "What was read beside the write is enough.");
        peers.look("another");
        assertEquals(List.of("requests", "read", "requests", "read"), store.all, "It is good for one look.");
    }

    @Test
    void stateReadBesideAWriteIsUsedHoweverLongAgoAPeerWasSeen() {
        peer.call(List.of(take(null, 1)), deadline());
        sawAndRested(LATELY);
        peers.beside(true);
        assertEquals(new PeerWatcher.Look(store.table.read(ID), null), peers.look("another"));
        assertEquals(List.of("read"), store.all);
    }

    @Test
    void aStateThatTheWriteLostAgainstIsNotUsed() {
        peer.call(List.of(take(null, 1)), deadline());
        String stale = store.table.read(ID).orElseThrow().version();
        for (String version : new String[] {stale, null}) {
            store.all.clear();
            sawAndRested(Duration.ofMillis(50));
            peers.beside(true);
            peers.look(version);
            assertEquals(List.of("requests", "read", "requests", "read"), store.all);
        }
    }

    @Test
    void theCounterIsNotReadBesideAWriteThatFollowsARead() {
        sawAndRested(Duration.ofMillis(50));
        peers.beside(false);
        assertEquals(List.of("requests"), store.all);
    }

    @Test
    void theCounterIsNotReadBesideAWriteThatComesAtOnce() {
        sawAndRested(ROUND_TRIP.multipliedBy(2));
        peers.beside(true);
        assertEquals(List.of("requests"), store.all);
    }

    @Test
    void theCounterIsReadBesideAWriteForHalfAMinuteAfterAPeer() {
        sawAndRested(LONG_AGO.minusNanos(1));
        peers.beside(true);
        assertEquals(List.of("read"), store.all);
        sawAndRested(LONG_AGO);
        peers.beside(true);
        assertEquals(List.of(), store.all);
    }

    @Test
    void aStateReadBesideAWonWriteIsForgotten() {
        peer.call(List.of(take(null, 1)), deadline());
        sawAndRested(Duration.ofMillis(50));
        peers.beside(true);
        peers.wrote(List.of(), List.of());
        peers.look("another");
        assertEquals(List.of("requests", "read", "requests", "read"), store.all);
    }

    @Test
    void afterALossRequestsAreLookedForUntilAWriteWins() {
        peers.lost();
        peers.look(null);
        write();
        assertEquals(List.of("requests", "read", "requests"), store.all);
        write();
        peers.look(null);
        assertEquals(List.of("requests", "read", "requests", "read"), store.all);
    }

    @Test
    void aKeptStateIsProbablyOutdatedIfTheLastTwoWere() {
        sawAndRested(Duration.ofMillis(50));
        assertFalse(peers.isProbablyOutdated());
        losesBesideItsRead();
        assertFalse(rested().isProbablyOutdated(), "It may be called twice in each of its turns.");
        losesBesideItsRead();
        assertFalse(peers.isProbablyOutdated(), "It has not rested.");
        assertTrue(rested().isProbablyOutdated());
        Versioned<CounterState> kept = store.table.read(ID).orElseThrow();
        peers.compared(null, kept);
        assertTrue(peers.isProbablyOutdated(), "Nothing was compared.");
        peers.compared(kept, kept);
        assertFalse(peers.isProbablyOutdated());
        peer.call(List.of(take(null, 1)), deadline());
        peers.compared(kept, store.table.read(ID).orElseThrow());
        peers.compared(kept, store.table.read(ID).orElseThrow());
        assertTrue(peers.isProbablyOutdated());
        time.pass(LONG_AGO);
        assertFalse(peers.isProbablyOutdated(), "No peer was seen for half a minute.");
    }

    @Test
    void aKeptStateThatWonAfterARestIsTakenForPresentNextTime() {
        sawAndRested(Duration.ofMillis(50));
        losesBesideItsRead();
        rested();
        peers.beside(true);
        peers.wrote(List.of(), List.of());
        rested();
        losesBesideItsRead();
        assertFalse(rested().isProbablyOutdated());
    }

    @Test
    void aRequestThatWasFoundAndDroppedIsLookedForAgain() {
        PeerRequest other = post("other", take(null, 1));
        peers.requested();
        peers.beside(false);
        time.pass(LATELY);
        peers.dropFound();
        assertEquals(List.of(other), peers.look(null).requests());
    }

    @Test
    void aLossMakesRequestsLikelyForASecond() {
        peers.lost();
        time.pass(LATELY.minusNanos(1));
        assertTrue(peers.areRequestsLikely());
        time.pass(Duration.ofNanos(1));
        assertFalse(peers.areRequestsLikely());
    }

    private void losesBesideItsRead() {
        peer.call(List.of(take(null, 1)), deadline());
        peers.beside(true);
        peers.lost();
        peers.look("another");
        peers.wrote(List.of(), List.of());
    }

    private PeerWatcher rested() {
        time.pass(Duration.ofMillis(50));
        return peers;
    }

    @Test
    void whereThereWereNoPeersOnlyTheCounterIsRead() {
        post("other", take(null, 1));
        assertNull(peers.look(null).requests());
        assertEquals(List.of("read"), store.all);
        assertEquals(0, peers.roundTripNanos());
    }

    @Test
    void lookReturnsPeerRequestsAndTheRoundTrip() {
        PeerRequest other = post("other", take(null, 1));
        post("this", take(null, 2));
        peers.requested();
        store.onRead(after(() -> time.pass(ROUND_TRIP)));
        assertEquals(List.of(other), peers.look(null).requests());
        assertEquals(ROUND_TRIP.toNanos(), peers.roundTripNanos());
        assertFalse(peers.hasFound(), "It is in the look.");
    }

    @Test
    void peerRequestIsReadFromItsRowUnlessItIsListed() {
        PeerRequest other = post("other", take(null, 1));
        List<PeerRequest> answered = List.of(other);
        assertFalse(peers.haveLeft(answered, List.of(other)));
        assertEquals(List.of(), store.log);
        assertFalse(peers.haveLeft(answered, List.of()));
        assertFalse(peers.haveLeft(answered, null));
        assertEquals(List.of("look", "look"), store.log);
        won(store.table.post(ID, other.closed()));
        assertTrue(peers.haveLeft(answered, List.of()));
        store.table.removePeerRequests(ID);
        assertTrue(peers.haveLeft(answered, null));
        assertFalse(peers.haveLeft(List.of(), null));
    }

    @Test
    void failedLookReturnsTheCounterAlone() {
        post("other", take(null, 1));
        peers.requested();
        store.onPeerRequests(failing(ScriptedStore.passing()));
        assertNull(peers.look(null).requests());
        assertEquals(1, peers.look(null).requests().size(), "The next one is another one.");
    }

    @Test
    void aLookThatTakesTooLongIsNotWaitedFor() {
        Deque<Runnable> waiting = new ArrayDeque<>();
        peers = peers(waiting::add);
        peers.requested();
        long before = time.nanoTime();
        assertNull(peers.look(null).requests());
        assertEquals(REQUEST_TIMEOUT.toNanos(), time.nanoTime() - before);
        peers.requested();
        assertNull(peers.look(null).requests());
        assertEquals(1, waiting.size(), "It is under way still.");
        waiting.remove().run();
        peers.requested();
        peers.beside(false);
        assertEquals(1, waiting.size());
    }

    @Test
    void interruptedWaitReturnsTheRequestsFoundSoFar() {
        peers = peers(new ArrayDeque<Runnable>()::add);
        peers.requested();
        Thread.currentThread().interrupt();
        assertNull(peers.look(null).requests());
        assertEquals(Duration.ofHours(1).toNanos(), time.nanoTime());
        assertTrue(Thread.interrupted(), "The next wait is interrupted, too.");
    }

    @Test
    void peersAreNotLookedForWithoutAThread() {
        peers = peers(task -> {
            throw new RejectedExecutionException();
        });
        peers.requested();
        assertNull(peers.look(null).requests());
        assertEquals(List.of("read"), store.all);
    }

    @Test
    void requestFoundBesideAWriteWakesACallThatCanAnswer() {
        PeerRequest other = post("other", take(null, 1));
        peers.requested();
        peers.beside(false);
        assertEquals(1, woken);
        assertTrue(peers.hasFound());
        assertEquals(List.of(other), peers.takeFound());
        assertFalse(peers.hasFound());
        assertEquals(List.of(), peers.takeFound());
    }

    @Test
    void withdrawnPeerRequestIsForgotten() {
        post("other", take(null, 1));
        peers.requested();
        peers.beside(false);
        store.table.removePeerRequests(ID);
        peers.beside(false);
        assertFalse(peers.hasFound());
    }

    @Test
    void peerRequestIsATraceOfAPeer() {
        post("other", take(null, 1));
        peers.requested();
        peers.beside(false);
        time.pass(LATELY);
        peers.takeFound();
        assertTrue(peers.areRequestsLikely());
    }

    @Test
    void ownPeerRequestsAreIgnored() {
        post("this", take(null, 1));
        peers.requested();
        peers.beside(false);
        assertEquals(0, woken);
        assertFalse(peers.hasFound());
    }

    @Test
    void foundRequestsAreDroppedWhenAPeerWrites() {
        post("other", take(null, 1));
        peers.requested();
        peers.beside(false);
        peers.dropFound();
        assertFalse(peers.hasFound());
    }

    /** The instance was reading the open requests when they were answered, so its list is old. */
    @Test
    void answeredRequestIsNotAnsweredAgain() {
        PeerRequest other = post("other", take(null, 1));
        peers.requested();
        peers.beside(false);
        peers.wrote(List.of(other), List.of());
        assertEquals(List.of(), peers.takeFound());
    }

    @Test
    void theLastThousandThatWereAnsweredAreRemembered() {
        PeerRequest other = post("other", take(null, 1));
        peers.wrote(List.of(other), List.of());
        answerOthers(999);
        peers.requested();
        assertEquals(List.of(), peers.look(null).requests());
        answerOthers(1);
        assertEquals(List.of(other), peers.look(null).requests());
    }

    @Test
    void peerThatRequestsAPauseGetsOne() {
        PeerRequest other = post("other");
        peers.took(ROUND_TRIP.toNanos());
        peers.leave(List.of(other));
        time.pass(ROUND_TRIP);
        assertTrue(peers.pauseForOthers());
        assertEquals(List.of(ROUND_TRIP.multipliedBy(7)), time.sleeps);
        assertFalse(peers.pauseForOthers());
        peers.leave(List.of(other));
        assertFalse(peers.pauseForOthers());
    }

    @Test
    void aPauseForOthersTakesNoLongerThanARequestMay() {
        peers = new PeerWatcher(ID, surroundings(store), ROUND_TRIP, () -> {});
        peers.took(ROUND_TRIP.toNanos());
        peers.leave(List.of(post("other")));
        assertTrue(peers.pauseForOthers());
        assertEquals(List.of(ROUND_TRIP), time.sleeps);
    }

    @Test
    void instanceDoesNotPauseForItself() {
        peers.took(ROUND_TRIP.toNanos());
        peers.leave(List.of(post("this")));
        assertFalse(peers.pauseForOthers());
    }

    @Test
    void unneededRowsAreRemovedOnceAMinute() {
        Duration minute = Duration.ofMinutes(1);
        time.pass(minute.minusNanos(1));
        lookAndExpect("requests");
        time.pass(Duration.ofNanos(1));
        lookAndExpect("requests", "remove");
        time.pass(minute.minusNanos(1));
        lookAndExpect("requests");
    }

    @Test
    void instanceThatWritesSeldomRemovesTheRowsThatOthersLeft() {
        Duration minute = Duration.ofMinutes(1);
        post("other", take(null, 1));
        time.pass(minute.minusNanos(1));
        assertEquals(List.of(), removedBesideAWrite());
        time.pass(Duration.ofNanos(1));
        assertEquals(List.of("remove"), removedBesideAWrite());
        time.pass(minute);
        assertEquals(List.of("remove"), removedBesideAWrite(), "A row was left, which was not old.");
        store.table.removePeerRequests(ID);
        time.pass(minute);
        assertEquals(List.of("remove"), removedBesideAWrite());
        time.pass(minute);
        assertEquals(List.of(), removedBesideAWrite(), "No row was left, and no peer was seen.");
        peers.requested();
        time.pass(minute);
        assertEquals(List.of("remove"), removedBesideAWrite());
    }

    private List<String> removedBesideAWrite() {
        store.all.clear();
        write();
        return List.copyOf(store.all);
    }

    @Test
    void rowsAreNotRemovedTwiceAtATime() {
        Deque<Runnable> waiting = new ArrayDeque<>();
        peers = peers(waiting::add);
        time.pass(Duration.ofMinutes(1));
        peers.requested();
        peers.beside(false);
        waiting.removeFirst().run();
        time.pass(Duration.ofMinutes(1));
        peers.requested();
        peers.beside(false);
        waiting.removeLast().run();
        assertEquals(List.of("requests", "requests"), store.all);
        waiting.remove().run();
        peers.beside(false);
        assertEquals(2, waiting.size(), "Another look, and another removal.");
    }

    private PeerWatcher peers(Executor leaders) {
        return new PeerWatcher(
                ID,
                new CounterEnvironment(store, store, time, () -> 0.5, leaders, "this", new HighWaterMarks(1_000)),
                REQUEST_TIMEOUT,
                () -> woken++);
    }

    private void write() {
        peers.beside(false);
        peers.wrote(List.of(), List.of());
    }

    private void sawAndRested(Duration rest) {
        peers = peers(Runnable::run);
        peers.took(ROUND_TRIP.toNanos());
        peers.wrote(List.of(), List.of());
        peers.requested();
        time.pass(rest);
        store.all.clear();
    }

    private void lookAndExpect(String... requests) {
        store.all.clear();
        peers.requested();
        peers.beside(false);
        assertEquals(List.of(requests), store.all);
    }

    private void answerOthers(int takes) {
        for (int take = 0; take < takes; take++) {
            PeerRequest answered = new PeerRequest("another", "request " + take + " of " + takes, List.of());
            peers.wrote(List.of(answered.at("version")), List.of());
        }
    }

    private PeerRequest post(String process, NumberRequest... requests) {
        PeerRequest take = new PeerRequest(process, "request of " + process, List.of(requests));
        return open(take);
    }
}
