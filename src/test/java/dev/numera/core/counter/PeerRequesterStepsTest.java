package dev.numera.core.counter;

import static dev.numera.core.counter.ScriptedStore.after;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.counter.PeerRequest.State;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.fixtures.TestLimits;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The single steps of a peer request: its contents, how long it is valid, and the result of each step. */
class PeerRequesterStepsTest extends CounterFixture {
    private static final Duration ROUND_TRIP = Duration.ofMillis(10);
    private static final String LONG_KEY = "k".repeat(255);

    private final List<String> results = new ArrayList<>();
    private WriteGroup group;
    private double random = 0;
    private PeerWatcher peers;
    private KnownCounter known;
    private PeerAnswers answers;
    private PeerRequester requester;

    @BeforeEach
    void begin() {
        time.pass(Duration.ofHours(1));
        next();
        store.table.removePeerRequests(ID);
        store.log.clear();
        group = new WriteGroup();
        CounterEnvironment around = new CounterEnvironment(
                store, store, time, () -> random, Runnable::run, "this", new HighWaterMarks(1_000));
        peers = new PeerWatcher(ID, around, REQUEST_TIMEOUT, () -> {});
        known = new KnownCounter(ID, terms.current().fixed(), terms, around, peers);
        peers.took(ROUND_TRIP.toNanos());
        CounterEvents watched = new Watched(results);
        Attempt attempt =
                new Attempt(ID, terms.current().fixed(), LIMITS, around, watched, waiting -> {}, known, peers);
        answers = new PeerAnswers(ID, time, known, peers, plan -> attempt.commit(plan, 0));
        requester = new PeerRequester(ID, 1, LIMITS, TestLimits.DATES, around, known, peers, answers, watched);
    }

    @Test
    void peerRequestHolds97Requests() {
        assertEquals(97, requested(unkeyed(98)).size());
    }

    @Test
    void aCallWithoutRoomInThePeerRequestHasConsumedNothing() {
        WaitingCall first = add(LIMITS.deadline(), unkeyed(97).toArray(CounterRequest[]::new));
        WaitingCall second = add(LIMITS.deadline(), take(null, 1));
        assertTrue(requester.begin(group));
        assertTrue(first.mayHaveConsumed());
        assertFalse(second.mayHaveConsumed());
    }

    @Test
    void peerRequestHolds48Keys() {
        assertEquals(48, requested(keyed(49, "")).size());
    }

    @Test
    void aReservedKeyTakesTwoOfThem() {
        assertEquals(
                24,
                requested(IntStream.range(0, 25)
                                .mapToObj(key -> new NumberRequest("key " + key, 1, null, true).on(TODAY)))
                        .size());
    }

    @Test
    void peerRequestHoldsHalfOfALedgerRow() {
        List<NumberRequest> fitting = Stream.concat(unitsOfKeys(WriteLimits.LEDGER_UNITS / 2), unkeyed(1))
                .toList();
        assertEquals(fitting, requested(Stream.concat(fitting.stream(), keyed(1, ""))));
    }

    @Test
    void requestOneUnitTooLongIsNotPosted() {
        List<NumberRequest> tooLong =
                unitsOfKeys(WriteLimits.LEDGER_UNITS / 2 + 1).toList();
        assertEquals(tooLong.size() - 1, requested(tooLong.stream()).size());
    }

    @Test
    void aKeyThatComesAgainWaits() {
        assertEquals(
                Arrays.asList("order-1", null, null),
                requested(Stream.of(take("order-1", 1), take(null, 1), take("order-1", 1), take(null, 1))).stream()
                        .map(NumberRequest::key)
                        .toList());
    }

    @Test
    void callsBehindOneThatDoesNotFitWaitWithIt() {
        NumberRequest[] fitting =
                unitsOfKeys(WriteLimits.LEDGER_UNITS / 2 - 100).toArray(NumberRequest[]::new);
        add(
                LIMITS.deadline(),
                Stream.concat(Stream.of(fitting), Stream.of(take(LONG_KEY, 1), take("short", 1)))
                        .toArray(CounterRequest[]::new));
        add(LIMITS.deadline(), take("next", 1));
        assertTrue(requester.begin(group));
        assertEquals(List.of(fitting), group.ownRequest().request().requests());
    }

    /** Posting it would serve a caller that has already got the answer that nothing was consumed. */
    @Test
    void callThatGaveUpIsNotPosted() {
        WaitingCall waiting = add(LIMITS.deadline(), take(null, 1));
        add(LIMITS.deadline(), take(null, 1)).giveUp(time.nanoTime());
        assertFalse(requester.begin(group));
        assertFalse(group.isFrozen());
        assertFalse(waiting.mayHaveConsumed(), "Nothing was sent for it.");
    }

    @Test
    void requestThatMayBeRefusedIsNotPosted() {
        add(LIMITS.deadline(), take(null, 1), new NumberRequest(null, 1, TODAY.plusDays(401)).on(TODAY));
        assertFalse(requester.canRequest(group, terms.current()));
    }

    /**
     * The peer instance may already know a format that shows the year with two digits, and would then refuse the date.
     */
    @Test
    void requestThatAnotherFormatMayRefuseIsNotPosted() {
        add(LIMITS.deadline(), new NumberRequest(null, 1, LocalDate.of(1975, 12, 31)).on(TODAY));
        assertFalse(requester.canRequest(group, terms.current()));
    }

    @Test
    void blockIsPostedThoughItHasNoDate() {
        add(LIMITS.deadline(), NumberRequest.block(10));
        assertTrue(requester.canRequest(group, terms.current()));
    }

    @Test
    void callWithoutTimeToCloseItPostsNothing() {
        add(REQUEST_TIMEOUT.plusNanos(1), take(null, 1));
        assertTrue(requester.canRequest(group, terms.current()));
        time.pass(Duration.ofNanos(1));
        assertFalse(requester.canRequest(group, terms.current()));
    }

    @Test
    void itIsClosedWhileThereIsTimeForARequest() {
        add(REQUEST_TIMEOUT.plusSeconds(5), take(null, 1));
        add(REQUEST_TIMEOUT.plusSeconds(1), take(null, 1));
        assertClosesAfter(Duration.ofSeconds(1));
    }

    @Test
    void itIsClosedAfterHalfAMinuteHoweverMuchTimeThereIs() {
        add(Duration.ofMinutes(2), take(null, 1));
        assertClosesAfter(Duration.ofSeconds(30));
    }

    /**
     * Answering in the order of names would keep the instance with the last name waiting as long as the counter lives.
     */
    @Test
    void theOldestRequestIsAnsweredFirstWhateverItsName() {
        List<String> names = List.of("a", "b", "c", "d");
        for (int ordinal = 0; ordinal < names.size(); ordinal++) {
            String name = names.get(ordinal);
            NumberRequest[] keys = IntStream.range(0, WriteLimits.PEER_KEYS)
                    .mapToObj(key -> take(name + key, 1))
                    .toArray(NumberRequest[]::new);
            open(new PeerRequest(name, "request of " + name, List.of(keys))
                    .openedAt(Instant.EPOCH.minusSeconds(ordinal)));
        }
        PostedGroup own = beginRequesting();
        while (!store.log.contains("write")) {
            requester.follow(group, own);
        }
        assertEquals(
                List.of("d"),
                names.stream()
                        .filter(name -> row(name).state() == State.ANSWERED)
                        .toList());
    }

    @Test
    void callsKeepTheirAgeWhenTheyArePostedAgain() {
        PostedGroup first = beginRequesting();
        assertNull(first.request().openedAt());
        requester.follow(group, first);
        requester.follow(group, first);
        Instant since = row("this").openedAt();
        first.giveUp();
        requester.follow(group, first);
        assertFalse(group.isFrozen());

        PostedGroup again = beginRequesting();
        assertEquals(2, again.request().requests().size(), "A younger call joined.");
        assertEquals(since, again.request().openedAt());
        requester.follow(group, again);
        answer(row("this"));
        requester.follow(group, again);
        group.dismissAnswered();
        assertNull(beginRequesting().request().openedAt(), "Other calls are as old as their own row.");
    }

    @Test
    void waitForAnAnswerIsRandomized() {
        for (double chance : new double[] {0, 0.5, 1}) {
            random = chance;
            begin();
            PostedGroup own = beginRequesting();
            requester.follow(group, own);
            for (int takeover = 1; takeover <= 2; takeover++) {
                store.log.clear();
                store.onWrite(lost(WriteResult.Refused.CHANGED));
                while (!store.log.contains("write")) {
                    requester.follow(group, own);
                }
                long inVain = store.log.stream().filter("look"::equals).count() - 1;
                assertEquals(2 + 2 * chance, inVain, "by chance " + chance + ", takeover " + takeover);
                assertEquals(takeover, group.failures());
            }
        }
    }

    /** Each look is two round trips after the one before it. */
    @Test
    void looksCountOnlyAfterTheUsualTimeOfAnAnswer() {
        assertEquals(3, looksBeforeTheTakeover());

        begin();
        PostedGroup answered = beginRequesting();
        requester.follow(group, answered);
        time.pass(ROUND_TRIP.multipliedBy(10));
        answer(row("this"));
        requester.follow(group, answered);
        group.dismissAnswered();

        assertEquals(8, looksBeforeTheTakeover());
    }

    private int looksBeforeTheTakeover() {
        PostedGroup own = beginRequesting();
        requester.follow(group, own);
        store.log.clear();
        int looks = 0;
        for (; !store.log.contains("write"); looks++) {
            time.pass(ROUND_TRIP);
            requester.follow(group, own);
        }
        return looks;
    }

    @Test
    void postWaitsLongEnoughToBeFound() {
        PostedGroup own = beginRequesting();
        assertEquals(Optional.empty(), requester.follow(group, own));
        assertEquals(List.of(ROUND_TRIP), time.sleeps);
    }

    @Test
    void aPostWhoseAnswerIsLostIsFoundInTheRow() {
        PostedGroup own = beginRequesting();
        store.onPost(ScriptedStore.lostReply());
        assertInstanceOf(WriteResult.Unknown.class, requester.follow(group, own).orElseThrow());
        assertEquals(List.of(), time.sleeps);
        store.onLook(after(() -> time.pass(ROUND_TRIP.multipliedBy(8))));
        requester.follow(group, own);
        assertEquals(ROUND_TRIP.multipliedBy(2).toNanos(), peers.roundTripNanos(), "An eighth of what it took longer.");
        requester.follow(group, own);
        assertEquals(List.of("insert", "post", "look", "look"), store.log);
    }

    @Test
    void postWithoutAVersionInItsAnswerIsReadBack() {
        PostedGroup own = beginRequesting();
        store.onPost(request -> () -> {
            request.get();
            return new WriteResult.Won(null);
        });
        requester.follow(group, own);
        own.giveUp();
        requester.follow(group, own);
        requester.follow(group, own);
        assertEquals(List.of("insert", "post", "look", "close"), store.log);
        assertFalse(group.isFrozen());
    }

    @Test
    void aGroupOutOfAttemptsClosesItsPeerRequest() {
        WaitingCall call = add(LIMITS.deadline(), take(null, 1));
        requester.begin(group);
        requester.follow(group, group.ownRequest());
        tryTooOften(call);
        requester.follow(group, group.ownRequest());
        assertEquals(List.of("insert", "post", "close"), store.log);
        assertFalse(call.mayHaveConsumed());
    }

    @Test
    void aGroupOutOfAttemptsBeforeOpeningClosesNothing() {
        WaitingCall call = add(LIMITS.deadline(), take(null, 1));
        requester.begin(group);
        tryTooOften(call);
        requester.follow(group, group.ownRequest());
        assertEquals(List.of("insert"), store.log);
        assertFalse(group.isFrozen());
        assertFalse(call.mayHaveConsumed());
    }

    @Test
    void nothingIsFrozenWhereTheRowCannotBeInserted() {
        WaitingCall call = add(LIMITS.deadline(), take(null, 1));
        store.onInsert(ScriptedStore.swallowed());
        assertFalse(requester.begin(group));
        assertFalse(group.isFrozen());
        assertFalse(call.mayHaveConsumed());
        assertTrue(requester.begin(group));
        assertEquals(List.of("insert", "look", "insert"), store.log);
    }

    @Test
    void anInsertThatAnIntermediarySendsTwiceIsFound() {
        add(LIMITS.deadline(), take(null, 1));
        store.onInsert(ScriptedStore.duplicated());
        assertFalse(requester.begin(group));
        assertTrue(requester.begin(group));
        requester.follow(group, group.ownRequest());
        assertEquals(List.of("insert", "look", "post"), store.log);
        assertEquals(State.OPEN, row("this").state());
    }

    @Test
    void aPostThatAnIntermediarySendsTwiceIsFoundInTheRow() {
        PostedGroup own = beginRequesting();
        store.onPost(ScriptedStore.duplicated());
        requester.follow(group, own);
        answer(row("this"));
        requester.follow(group, own);
        assertEquals(List.of("insert", "post", "look"), store.log);
        assertEquals(List.of("requested WON"), results);
    }

    @Test
    void aCloseThatAnIntermediarySendsTwiceIsFoundInTheRow() {
        PostedGroup own = beginRequesting();
        requester.follow(group, own);
        own.giveUp();
        store.onPost(ScriptedStore.duplicated());
        requester.follow(group, own);
        assertTrue(group.isFrozen());
        requester.follow(group, own);
        assertEquals(List.of("insert", "post", "close", "look"), store.log);
        assertEquals(List.of("requested LOST"), results);
    }

    /** Peers remove rows that have not changed for a minute, so a version of that age proves nothing. */
    @Test
    void rowIsReliedOnForHalfAMinute() {
        askAndClose();
        time.pass(Duration.ofSeconds(30));
        store.log.clear();
        askAndClose();
        assertEquals(List.of("post", "close"), store.log);
        time.pass(Duration.ofSeconds(30).plusNanos(1));
        store.log.clear();
        askAndClose();
        assertEquals(List.of("look", "close", "post", "close"), store.log);
        store.table.removePeerRequests(ID);
        time.pass(Duration.ofMinutes(5));
        store.log.clear();
        askAndClose();
        assertEquals(List.of("look", "insert", "post", "close"), store.log);
        assertEquals(List.of("requested LOST", "requested LOST", "requested LOST", "requested LOST"), results);
    }

    /**
     * The row was removed between insert and post, for example because of a pause of minutes. The result of the post
     * stays unknown.
     */
    @Test
    void rowRemovedBeforeItWasOpenedLeavesTheOutcomeUnknown() {
        WaitingCall call = add(LIMITS.deadline(), take(null, 1));
        requester.begin(group);
        store.table.removePeerRequests(ID);
        requester.follow(group, group.ownRequest());
        requester.follow(group, group.ownRequest());
        assertEquals(List.of("insert", "post", "look"), store.log);
        group.dismissAnswered();
        assertProblem(ProblemType.OUTCOME_UNKNOWN, call.answers());
    }

    /**
     * The post was answered and its row was removed. The second copy of the insert then creates the row as it was
     * before the post, which must not pass for proof that the post never landed.
     */
    @Test
    void aLateCopyOfTheInsertDoesNotPassForTheRowBeforeThePost() {
        List<Supplier<WriteResult>> copies = new ArrayList<>();
        store.onInsert(request -> {
            copies.add(request);
            return request;
        });
        WaitingCall call = add(LIMITS.deadline(), take(null, 1));
        requester.begin(group);
        store.onPost(ScriptedStore.lostReply());
        requester.follow(group, group.ownRequest());
        answer(row("this"));
        store.table.removePeerRequests(ID);
        assertTrue(copies.remove(0).get() instanceof WriteResult.Won);
        requester.follow(group, group.ownRequest());
        group.dismissAnswered();
        assertProblem(ProblemType.OUTCOME_UNKNOWN, call.answers());
    }

    /** The earlier request was left open because its callers had no time to close it. */
    @Test
    void postThatFindsTheAnswerToTheEarlierRequestIsRepeated() {
        requester.follow(group, beginRequesting());
        group.reopen();
        group.forEach(call -> call.refuseRest(call.unsuccessful(time.nanoTime())));
        group.dismissAnswered();
        PostedGroup second = beginRequesting();
        answer(row("this"));
        for (int step = 0; step < 3; step++) {
            requester.follow(group, second);
        }
        assertEquals(List.of("insert", "post", "post", "look", "post"), store.log);
        assertEquals(second.request(), row("this").at(null).openedAt(null));
        assertEquals(State.OPEN, row("this").state());
    }

    @Test
    void aCloseIsNotSentAtTheVersionOfAnAnswerThatWasNotTakenOver() {
        PostedGroup own = beginRequesting();
        requester.follow(group, own);
        peerCall(new CounterRequest.Advance(100, ChangeNote.NONE));
        answer(row("this"));
        terms.failOnce(ScriptedStore.passing());
        assertThrows(StoreFailure.class, () -> requester.follow(group, own));
        own.giveUp();
        requester.follow(group, own);
        assertEquals(List.of("insert", "post", "look", "look"), store.log);
        assertEquals(List.of("requested WON"), results);
    }

    private void askAndClose() {
        PostedGroup own = beginRequesting();
        requester.follow(group, own);
        own.giveUp();
        requester.follow(group, own);
        group.forEach(call -> call.refuseRest(call.unsuccessful(time.nanoTime())));
        group.dismissAnswered();
    }

    private void tryTooOften(WaitingCall call) {
        for (int attempt = 0; attempt < LIMITS.maxAttempts(); attempt++) {
            call.failed(null);
        }
    }

    @Test
    void aCloseWhoseAnswerIsLostIsFoundInTheRow() {
        PostedGroup own = beginRequesting();
        requester.follow(group, own);
        own.giveUp();
        store.onPost(ScriptedStore.lostReply());
        assertInstanceOf(WriteResult.Unknown.class, requester.follow(group, own).orElseThrow());
        assertTrue(group.isFrozen());
        assertEquals(Optional.empty(), requester.follow(group, own));
        assertFalse(group.isFrozen());
        assertEquals(List.of("insert", "post", "close", "look"), store.log);
        assertEquals(List.of("requested LOST"), results);
    }

    @Test
    void aCallWithoutTimeIsRefusedWhenItsPeerRequestIsClosed() {
        WaitingCall late = add(REQUEST_TIMEOUT.plus(ROUND_TRIP), take(null, 1));
        WaitingCall other = add(LIMITS.deadline(), take(null, 1));
        requester.begin(group);
        requester.follow(group, group.ownRequest());
        requester.follow(group, group.ownRequest());
        assertEquals(List.of("insert", "post", "close"), store.log);
        assertProblem(ProblemType.CONTENTION, late.answers());
        assertEquals(List.of(other), group.calls());
        assertFalse(other.mayHaveConsumed());
    }

    /** Closing a request that was not taken over takes one more storage request, so the call needs time for both. */
    @Test
    void callWithoutTimeToTakeOverKeepsWaiting() {
        PostedGroup own = beginRequesting(REQUEST_TIMEOUT.plusSeconds(1));
        for (int step = 0; step < 10; step++) {
            requester.follow(group, own);
        }
        assertFalse(store.log.contains("write"), store.log::toString);
        time.pass(Duration.ofSeconds(1));
        requester.follow(group, own);
        assertEquals("close", store.log.get(store.log.size() - 1));
    }

    @Test
    void answerCarriesTheStateOfTheCounter() {
        WaitingCall call = add(LIMITS.deadline(), take(null, 1));
        requester.begin(group);
        PostedGroup own = group.ownRequest();
        known.keep(store.table.read(ID).orElseThrow());
        requester.follow(group, own);
        answer(row("this"));
        assertFalse(requester.wasJustAnswered());
        requester.follow(group, own);
        group.dismissAnswered();
        assertEquals(2, first(call.answers()));
        assertEquals(1, call.answers().join().attempts());
        assertEquals(ROUND_TRIP.toNanos(), call.answers().join().storageNanos());
        assertEquals(store.table.read(ID).orElseThrow().value().asObserved(), known.farthest());
        assertNull(known.kept());
        assertFalse(group.isFrozen());
        assertEquals(List.of("requested WON"), results);
    }

    @Test
    void anAnsweredRequesterIsBusyForARoundTrip() {
        PostedGroup own = beginRequesting();
        requester.follow(group, own);
        answer(row("this"));
        requester.follow(group, own);
        time.pass(Duration.ofNanos(peers.roundTripNanos()));
        assertTrue(requester.wasJustAnswered());
        time.pass(Duration.ofNanos(1));
        assertFalse(requester.wasJustAnswered());
    }

    @Test
    void callersOfAnAnsweredRequestAreAwaitedForHalfARoundTrip() {
        PostedGroup own = beginRequesting();
        requester.follow(group, own);
        answer(row("this"));
        requester.follow(group, own);
        time.sleeps.clear();
        time.pass(Duration.ofMillis(1));
        requester.awaitCallers();
        requester.awaitCallers();
        assertEquals(List.of(ROUND_TRIP.dividedBy(2).minusMillis(1)), time.sleeps);
    }

    @Test
    void anUnansweredRequesterIsNotBusy() {
        PostedGroup first = beginRequesting();
        requester.follow(group, first);
        answer(row("this"));
        requester.follow(group, first);
        group.dismissAnswered();
        PostedGroup second = beginRequesting();
        second.giveUp();
        requester.follow(group, second);
        assertFalse(requester.wasJustAnswered());
    }

    @Test
    void aTakeoverIsAWriteLikeAnyOther() {
        WaitingCall call = add(LIMITS.deadline(), take(null, 1));
        requester.begin(group);
        time.pass(Duration.ofSeconds(1));
        assertFalse(peers.areRequestsLikely());
        store.onWrite(after(() -> time.pass(ROUND_TRIP)));
        while (group.isFrozen()) {
            requester.follow(group, group.ownRequest());
        }
        group.dismissAnswered();
        assertEquals(2, first(call.answers()));
        assertEquals(1, call.answers().join().attempts());
        assertEquals(
                ROUND_TRIP.multipliedBy(4).toNanos(), call.answers().join().storageNanos(), "Three looks, a write.");
        assertEquals(store.table.read(ID), Optional.ofNullable(known.kept()));
        assertTrue(peers.areRequestsLikely());
        assertEquals(List.of("reached 3", "WON for 1 in 10 ms"), results);
        store.log.clear();
        askAndClose();
        assertEquals(List.of("look", "post", "close"), store.log, "No answer said at which version the row is.");
    }

    /**
     * The own request does not fit the range, so a plan would serve only the peer's request. This instance must not
     * take the peer's numbers for its own.
     */
    @Test
    void aRequestThatCannotBeTakenOverIsClosed() {
        add(LIMITS.deadline(), take(null, 1_000));
        requester.begin(group);
        post("other", take(null, 1));
        PostedGroup own = group.ownRequest();
        while (group.isFrozen()) {
            requester.follow(group, own);
        }
        assertEquals(List.of("insert", "post", "look", "look", "look", "read", "close"), store.log);
        assertEquals(State.OPEN, row("other").state());
    }

    @Test
    void takeoverThatClashesOnlyWithItsOwnKeysIsAbandoned() {
        assertClashIsAbandoned(true);
    }

    /** The conflicting key may belong to the other instance, so this instance pauses to let it find that out. */
    @Test
    void aTakeoverThatClashesIsTriedWithoutOthersFirst() {
        post("other", take("order-2", 1));
        assertClashIsAbandoned(false);
        assertTrue(peers.pauseForOthers());
    }

    private void assertClashIsAbandoned(boolean isGivenUp) {
        add(LIMITS.deadline(), take("order-1", 1));
        requester.begin(group);
        store.onWrite(lost(WriteResult.Refused.EXISTS));
        while (!store.log.contains("write")) {
            requester.follow(group, group.ownRequest());
        }
        assertEquals(isGivenUp, group.ownRequest().isToBeClosed(time.nanoTime()));
    }

    @Test
    void aFoundRequestIsAnsweredOnce() {
        PeerRequest other = post("other", take(null, 2));
        find();
        store.onWrite(after(() -> time.pass(ROUND_TRIP)));
        answers.serve();
        assertEquals(State.ANSWERED, row("other").state());
        assertEquals(store.table.read(ID), Optional.ofNullable(known.kept()));
        assertEquals(List.of("reached 4", "WON for 1 in 10 ms"), results);
        store.onPeerRequests(request -> () -> List.of(other));
        find();
        answers.serve();
        assertEquals(List.of(), store.log, "The look was under way when it was answered.");
    }

    @Test
    void aLossWhileAnsweringPeersRequiresARead() {
        post("other", take(null, 2));
        find();
        store.onWrite(request -> () -> {
            time.pass(Duration.ofSeconds(2));
            return WriteResult.Refused.CHANGED;
        });
        answers.serve();
        assertNull(known.kept());
        assertTrue(peers.areRequestsLikely());
        assertFalse(peers.pauseForOthers());
        assertEquals(List.of("LOST for 1 in 2000 ms"), results);
        assertTrue(peers.roundTripNanos() > ROUND_TRIP.toNanos());
    }

    @Test
    void peersWithClashingKeysGetAPause() {
        post("other", take("order-1", 2));
        find();
        store.onWrite(lost(WriteResult.Refused.EXISTS));
        answers.serve();
        assertTrue(peers.pauseForOthers());
    }

    @Test
    void noPeerRequestIsAnsweredDuringAPauseForPeers() {
        post("other", take(null, 2));
        find();
        peers.leave(List.of(post("pause")));
        answers.serve();
        assertEquals(List.of(ROUND_TRIP.multipliedBy(8)), time.sleeps);
        assertNull(known.kept());
        assertEquals(List.of(), store.log);
    }

    @Test
    void emptyPeerRequestRequestsAPause() {
        WaitingCall call = add(LIMITS.deadline(), new CounterRequest.Advance(100, ChangeNote.NONE));
        store.onPost(request -> () -> {
            time.pass(ROUND_TRIP);
            request.get();
            return ScriptedStore.unknown();
        });
        requester.requestPause(group);
        assertEquals(List.of(), row("this").requests());
        requester.requestPause(group);
        requester.requestPause(group);
        assertEquals(List.of("insert", "post", "look", "post", "post"), store.log);
        call.refuseRest(call.unsuccessful(time.nanoTime()));
        group.dismissAnswered();
        assertEquals(ROUND_TRIP.multipliedBy(2).toNanos(), call.answers().join().storageNanos());
    }

    private WaitingCall add(Duration deadline, CounterRequest... requests) {
        WaitingCall call = new WaitingCall(List.of(requests), time.nanoTime(), Deadline.in(deadline, time));
        group.add(call);
        return call;
    }

    private List<NumberRequest> requested(Stream<NumberRequest> wanted) {
        add(LIMITS.deadline(), wanted.toArray(CounterRequest[]::new));
        assertTrue(requester.begin(group));
        return group.ownRequest().request().requests();
    }

    private static Stream<NumberRequest> unkeyed(int count) {
        return Stream.generate(() -> take(null, 1)).limit(count);
    }

    /** Returns requests whose keys take the given number of UTF-16 units of the ledger's row. */
    private static Stream<NumberRequest> unitsOfKeys(int units) {
        int each = NumberRequest.ledgerUnits(LONG_KEY);
        int many = units / each - 1;
        int left = units - many * each - 2 * NumberRequest.ledgerUnits("");
        Stream<NumberRequest> last = Stream.of(take("l".repeat(left / 2), 1), take("m".repeat(left - left / 2), 1));
        return Stream.concat(keyed(many, LONG_KEY), last);
    }

    /** @param like a key whose length the new keys have, or a short key */
    private static Stream<NumberRequest> keyed(int count, String like) {
        return IntStream.range(100, 100 + count)
                .mapToObj(key -> take(like.substring(Math.min(3, like.length())) + key, 1));
    }

    private PostedGroup beginRequesting() {
        return beginRequesting(LIMITS.deadline());
    }

    private PostedGroup beginRequesting(Duration deadline) {
        add(deadline, take(null, 1));
        assertTrue(requester.begin(group));
        return group.ownRequest();
    }

    private void assertClosesAfter(Duration duration) {
        assertTrue(requester.begin(group));
        time.pass(duration.minusNanos(1));
        assertFalse(group.ownRequest().isToBeClosed(time.nanoTime()));
        time.pass(Duration.ofNanos(1));
        assertTrue(group.ownRequest().isToBeClosed(time.nanoTime()));
    }

    /** Makes this instance the last writer and reads the peer requests that are open. */
    private void find() {
        known.keep(store.table.read(ID).orElseThrow());
        peers.requested();
        peers.beside(true);
        store.log.clear();
    }

    private static UnaryOperator<Supplier<WriteResult>> lost(WriteResult.Refused reason) {
        return request -> () -> reason;
    }

    private PeerRequest post(String process, NumberRequest... requests) {
        PeerRequest take = new PeerRequest(process, "request of " + process, List.of(requests));
        return open(take);
    }

    private PeerRequest row(String process) {
        return store.table.find(ID, process).orElseThrow();
    }

    /** Answers the peer request with a write of another instance. */
    private void answer(PeerRequest posted) {
        Versioned<CounterState> base = store.table.read(ID).orElseThrow();
        Plan plan = NumberPlan.forPeers(ID, base, terms.current(), "other's", List.of(posted), time.now());
        assertTrue(store.table.write(plan.write()) instanceof WriteResult.Won);
    }
}
