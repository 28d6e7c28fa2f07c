package dev.numera.core.counter;

import static dev.numera.core.counter.ScriptedStore.after;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.Defined;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.contract.Transactions;
import dev.numera.core.counter.PeerRequest.State;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.DateOrder;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Series;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Limits;
import dev.numera.core.retry.WriteResult;
import dev.numera.fixtures.TestClock;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * An instance that keeps losing requests numbers from the winners: the contents of a peer request, its moment, and the
 * meaning of an answer.
 */
class PeerRequesterTest extends CounterFixture {
    private int taken;

    @Test
    void losingInstanceIsAnsweredByTheWriter() {
        next();
        loseBeforePosting();
        store.onLook(after(this::answerPeerRequests));
        assertEquals(6, next());
        assertEquals(List.of("post", "look"), store.log.subList(store.log.indexOf("post"), store.log.size()));
        assertEquals(State.ANSWERED, row().state());
        assertEquals(7, peerNext());
        assertEquals(8, next());
    }

    @Test
    void allWaitingCallsAreRequestedTogether() {
        next();
        List<CompletableFuture<CallResult<CounterOutcome>>> others = new ArrayList<>();
        store.onWrite(after(() -> {
            peerNext();
            others.add(submit(take(null, 2)));
            others.add(submit(take("order-1", 3)));
        }));
        loseBeforePosting(Limits.LOSSES_BEFORE_PEER_REQUEST - 1);
        store.onLook(after(this::answerPeerRequests));
        assertEquals(6, next());
        assertEquals(7, first(others.get(0)));
        assertEquals(9, first(others.get(1)));
        assertEquals(9, firsts(call(take("order-1", 3))).get(0));
        assertEquals(12, next());
    }

    @Test
    void callersOfAnAnsweredRequestAreRequestedTogether() {
        next();
        loseBeforePosting();
        answerAfter(Duration.ofMillis(8));
        assertEquals(6, next());
        List<CompletableFuture<CallResult<CounterOutcome>>> others = new ArrayList<>();
        time.duringNextWait(() -> others.add(submit(take(null, 1))));
        answerAfter(Duration.ofMillis(8));
        assertEquals(7, next());
        assertEquals(8, first(others.get(0)));
        assertEquals(2, row().requests().size());
    }

    @Test
    void instanceWithoutAnAnswerBecomesTheWriter() {
        next();
        loseBeforePosting();
        assertEquals(6, next());
        assertEquals(State.ANSWERED, row().state());
        assertEquals(6, row().allocations().get(0).first());
        assertEquals("write", store.log.get(store.log.size() - 1));
        assertEquals(7, next());
    }

    @Test
    void newWriterAnswersOthersToo() {
        next();
        post("other", take("order-1", 2), take(null, 1));
        loseBeforePosting();
        assertEquals(6, next());
        PeerRequest other = store.table.find(ID, "other").orElseThrow();
        assertEquals(State.ANSWERED, other.state());
        assertEquals(
                List.of(7L, 9L),
                other.allocations().stream().map(Allocation::first).toList());
        assertEquals(7, firsts(call(take("order-1", 2))).get(0));
    }

    @Test
    void takeoverOfUnknownOutcomeIsResolvedByTheRow() {
        next();
        loseBeforePosting();
        store.onWrite(ScriptedStore.lostReply());
        assertEquals(6, next());
        assertEquals(7, next());
    }

    @Test
    void lateTakeoverIsRefusedOnceThePeerRequestIsAnswered() {
        next();
        loseBeforePosting();
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        store.onWrite(ScriptedStore.late(underWay));
        assertEquals(6, next());
        assertTrue(underWay.remove().get() instanceof WriteResult.Refused);
        assertEquals(7, next());
    }

    /** A call without a key would otherwise get numbers twice, from the late write and from the peer request. */
    @Test
    void nothingIsPostedWhileAnEarlierWriteMayStillWin() {
        next();
        loseBeforePosting(Limits.LOSSES_BEFORE_PEER_REQUEST - 1);
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        store.onWrite(request -> () -> {
            underWay.add(request);
            return WriteResult.Refused.CHANGED;
        });
        assertEquals(5, next());
        assertFalse(store.log.contains("post"), store.log::toString);
        assertTrue(underWay.remove().get() instanceof WriteResult.Refused, "It was the same write.");
        assertEquals(6, next());
    }

    @Test
    void aPostThatLandsLateChangesNothing() {
        next();
        loseBeforePosting();
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        store.onPost(ScriptedStore.late(underWay));
        store.onLook(request -> request);
        store.onLook(after(this::answerPeerRequests));
        assertEquals(6, next());
        assertTrue(underWay.remove().get() instanceof WriteResult.Refused);
        assertEquals(State.ANSWERED, row().state());
        assertEquals(7, next());
    }

    /** The callers were once answered that nothing was consumed, and then a peer answered their request. */
    @Test
    void insertThatLandsAfterItsRowWasRemovedOpensNothing() {
        next();
        loseUntilTheDeadline();
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        store.onInsert(ScriptedStore.late(underWay));
        assertRefused(ProblemType.CONTENTION);
        store.table.removePeerRequests(ID);
        assertTrue(underWay.remove().get() instanceof WriteResult.Won);
        assertEquals(List.of(), store.table.open(ID));
        assertEquals(2 + taken, peerNext());
    }

    @Test
    void aPostThatLandsAfterItsRowWasRemovedIsLost() {
        next();
        loseUntilTheDeadline();
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        store.onPost(ScriptedStore.late(underWay));
        assertRefused(ProblemType.CONTENTION);
        store.table.removePeerRequests(ID);
        assertTrue(underWay.remove().get() instanceof WriteResult.Refused);
        assertEquals(Optional.empty(), store.table.find(ID, "this"));
    }

    /** The answer to the post was lost, and the row with its result was removed. */
    @Test
    void postWhoseRowVanishedUnobservedLeavesTheOutcomeUnknown() {
        next();
        loseUntilTheDeadline();
        store.onPost(ScriptedStore.lostReply());
        store.onLook(after(() -> {
            answerPeerRequests();
            store.table.removePeerRequests(ID);
        }));
        assertRefused(ProblemType.OUTCOME_UNKNOWN);
    }

    @Test
    void requestNotAnsweredInTimeIsClosedAndNothingIsConsumed() {
        next();
        loseUntilTheDeadline();
        assertRefused(ProblemType.CONTENTION);
        assertEquals(State.CLOSED, row().state());
        assertEquals(2 + taken, peerNext());
    }

    @Test
    void aPostThatLandsAfterItWasClosedChangesNothing() {
        next();
        loseUntilTheDeadline();
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        for (int post = 0; post < 1_000; post++) {
            store.onPost(request -> () -> {
                underWay.add(request);
                time.pass(Duration.ofSeconds(1));
                return ScriptedStore.unknown();
            });
        }
        assertRefused(ProblemType.OUTCOME_UNKNOWN);
        assertTrue(underWay.size() > 2, "It is posted and closed again and again.");
        Supplier<WriteResult> close = underWay.removeLast();
        assertTrue(close.get() instanceof WriteResult.Won);
        underWay.forEach(post -> assertTrue(post.get() instanceof WriteResult.Refused));
        assertEquals(State.CLOSED, row().state());
    }

    @Test
    void peerRequestAnsweredWhileItIsClosedHasItsNumbers() {
        next();
        loseUntilTheDeadline();
        store.onPost(request -> request);
        store.onPost(after(this::answerPeerRequests));
        long number = next();
        assertEquals(number, row().allocations().get(0).first());
    }

    /**
     * The instance once closed the row at the version of the answer and reported to its callers that nothing was
     * consumed.
     */
    @Test
    void answerNotTakenOverAtOnceIsReadAgainAndNotClosed() {
        next();
        loseBeforePosting();
        store.onLook(after(() -> {
            answerInANewEpoch();
            terms.failOnce(ScriptedStore.passing());
            time.pass(LIMITS.deadline().minus(REQUEST_TIMEOUT));
        }));
        assertEquals(100, next());
        assertEquals(State.ANSWERED, row().state());
        assertEquals(101, next());
    }

    @Test
    void anAnswerNotTakenOverByTheDeadlineIsOutcomeUnknown() {
        next();
        loseBeforePosting();
        store.onLook(after(() -> {
            answerInANewEpoch();
            for (int reading = 0; reading < 1_000; reading++) {
                terms.failOnce(ScriptedStore.passing());
            }
        }));
        assertRefused(ProblemType.OUTCOME_UNKNOWN);
        assertEquals(State.ANSWERED, row().state());
    }

    @Test
    void answerOlderThanTheObservedStateMeansARestoredTable() {
        next();
        MemoryCounterStore.Backup backup = store.table.backup();
        loseBeforePosting();
        store.onLook(after(() -> {
            PeerRequest requested = row();
            store.table.restore(backup);
            open(requested);
            answerPeerRequests();
        }));
        assertRefused(ProblemType.ROLLED_BACK);
        assertRefused(ProblemType.ROLLED_BACK);
    }

    @Test
    void aRowThatVanishedLeavesTheOutcomeUnknown() {
        next();
        loseBeforePosting();
        store.onLook(after(() -> {
            answerPeerRequests();
            store.table.removePeerRequests(ID);
        }));
        assertRefused(ProblemType.OUTCOME_UNKNOWN);
        assertEquals(7, next());
    }

    /** The instance once repeated, until its deadline, a request that no peer could serve. */
    @Test
    void exhaustionIsReportedAfterOnePeerRequest() {
        define(Guarantee.STRICT, new Series(1, 1, 1, 6, false));
        next();
        loseBeforePosting();
        store.onLook(after(this::takeOne));
        assertRefused(ProblemType.EXHAUSTED);
        assertEquals(State.CLOSED, row().state());
        assertEquals(1, store.log.stream().filter("post"::equals).count());
    }

    @Test
    void aKeyThatGotItsNumbersMeanwhileIsAnsweredFromTheLedger() {
        next();
        loseBeforePosting();
        store.onLook(after(() -> peerCall(take("order-1", 1))));
        Allocation found = next("order-1");
        assertEquals(6, found.first());
        assertTrue(found.replayed());
        assertEquals(State.CLOSED, row().state());
    }

    /**
     * Instances of a cached sequence once requested only pauses: four of them allocated half as many numbers as one.
     */
    @Test
    void blockIsRequestedFromPeers() {
        next();
        loseBeforePosting();
        store.onLook(after(this::answerPeerRequests));
        assertBlock(6, 10, 1, takeBlock(10));
        assertEquals(State.ANSWERED, row().state());
        assertEquals(16, peerNext());
    }

    @Test
    void instanceWithoutABlockBecomesTheWriter() {
        define(Guarantee.CACHED, new Series(1, 3, 1, 100, false));
        next();
        loseBeforePosting();
        assertBlock(8, 10, 3, takeBlock(10));
        assertEquals(State.ANSWERED, row().state());
        assertEquals(38, next());
    }

    /**
     * Peers do not know that a request is for a block and may be answered with fewer numbers, so they pause to let this
     * instance write.
     */
    @Test
    void blockThatEndsWithTheRangeRequestsAPause() {
        define(Guarantee.CACHED, new Series(1, 1, 1, 8, false));
        next();
        loseBeforePosting();
        assertBlock(6, 3, 1, takeBlock(10));
        assertEquals(List.of(), row().requests());
        assertRefused(ProblemType.EXHAUSTED);
    }

    @Test
    void blockRequestedBeforeTheRoundEndedIsTakenByItsOwnInstance() {
        define(Guarantee.CACHED, new Series(1, 1, 1, 10, true));
        next();
        loseBeforePosting();
        store.onLook(after(this::takeOne));
        assertBlock(7, 4, 1, takeBlock(5));
        assertEquals(State.CLOSED, row().state());
        assertEquals(1, next());
    }

    @Test
    void otherRequestedNumbersStartTheNextRound() {
        define(Guarantee.STRICT, new Series(1, 1, 1, 6, true));
        next();
        loseBeforePosting();
        store.onLook(after(this::answerPeerRequests));
        CallResult<CounterOutcome> result = call(take(null, 1), take(null, 1));
        assertEquals(List.of(6L, 1L), firsts(result));
        assertEquals(State.ANSWERED, row().state());
    }

    /**
     * The sequence may have been retired meanwhile, so the new writer reads the definition before it starts a round.
     */
    @Test
    void newWriterStartsNoRoundOfARetiredSequence() {
        define(Guarantee.STRICT, new Series(1, 1, 1, 5, true));
        next();
        loseBeforePosting();
        store.onLook(after(() -> retire(TestClock.START)));
        assertRefused(ProblemType.RETIRED);
        assertEquals(0, store.table.read(ID).orElseThrow().value().round());
    }

    /**
     * A thread that waited for the block once formatted its numbers with the previous epoch's definition, which may
     * repeat texts.
     */
    @Test
    void definitionOfANewEpochIsReadBeforeTheNumbersAreReturned() {
        next();
        int[] reads = new int[2];
        store.onWrite(after(() -> {
            peerNext();
            submit(NumberRequest.block(10)).thenRun(() -> reads[1] = terms.reads);
        }));
        loseBeforePosting(Limits.LOSSES_BEFORE_PEER_REQUEST - 1);
        store.onLook(after(() -> {
            peerCall(new CounterRequest.Advance(100, ChangeNote.NONE));
            answerPeerRequests();
            reads[0] = terms.reads;
        }));
        assertEquals(100, next());
        assertEquals(reads[0] + 1, reads[1]);
    }

    /** Peers answer only requests for numbers, so this instance asks them to pause while it advances the counter. */
    @Test
    void requestThatNoPeerCanServeRequestsAPause() {
        next();
        loseBeforePosting();
        advance(100);
        assertEquals(List.of(), row().requests());
        assertEquals(100, next());
    }

    @Test
    void aWriterAnswersPeersBesideItsOwnCalls() {
        next();
        peerNext();
        post("other", take("order-1", 2));
        assertEquals(3, next());
        assertEquals(State.ANSWERED, store.table.find(ID, "other").orElseThrow().state());
        assertEquals(4, firsts(peerCall(take("order-1", 2))).get(0));
        assertEquals(6, next());
    }

    @Test
    void aWriterLeavesRequestsThatItCannotDecide() {
        next();
        next("order-1");
        peerNext();
        post("other", take("order-1", 1));
        post("pause");
        assertEquals(4, next());
        assertEquals(5, next());
        assertEquals(State.OPEN, store.table.find(ID, "other").orElseThrow().state());
        assertEquals(State.OPEN, store.table.find(ID, "pause").orElseThrow().state());
    }

    /**
     * A longer pause, after slow requests of storage, would refuse calls that have little time left although nothing is
     * wrong.
     */
    @Test
    void aPauseForOthersIsNoLongerThanARequestMayTake() {
        Duration atMost = Duration.ofMillis(25);
        counter = counter(TEST_LIMITS.withRequestTimeout(atMost).limits());
        for (int write = 0; write < 10; write++) {
            store.onWrite(after(() -> time.pass(Duration.ofMillis(10))));
        }
        next();
        peerNext();
        post("pause");
        next();
        next();
        next();
        long paused = time.sleeps.stream().mapToLong(Duration::toMillis).sum();
        assertTrue(0 < paused && paused <= atMost.toMillis(), () -> time.sleeps.toString() + store.log);
    }

    @Test
    void peerRequestClosedMeanwhileIsOmitted() {
        next();
        peerNext();
        next();
        PeerRequest requested = post("other", take(null, 2));
        store.onWrite(request -> request);
        store.onWrite(after(() -> close(requested)));
        assertEquals(4, next());
        assertEquals(5, next());
        assertEquals(6, next());
        assertEquals(State.CLOSED, store.table.find(ID, "other").orElseThrow().state());
    }

    /** A shorter request once overtook an earlier request of the batch that did not fit the peer request. */
    @Test
    void batchIsNumberedInItsOrderHoweverMuchIsRequestedFromPeers() {
        next();
        loseBeforePosting();
        store.onLook(after(() -> {
            assertEquals(24, row().requests().size());
            answerPeerRequests();
        }));
        List<CounterRequest> batch = new ArrayList<>();
        for (int key = 0; key < 23; key++) {
            batch.add(reserved("reserved " + key));
        }
        batch.addAll(List.of(take("plain", 1), reserved("no room"), take("room", 1), take(null, 1)));
        List<Long> firsts = firsts(call(batch.toArray(CounterRequest[]::new)));
        assertEquals(firsts.stream().sorted().toList(), firsts);
    }

    /**
     * The instance posts calls in the order of dates, like its own writes. In another order, the earlier dates would be
     * refused.
     */
    @Test
    void callsOfSeveralDatesAreRequestedInTheOrderOfDates() {
        define(Defined.ordered(StaleDefinition.definition(Guarantee.STRICT, NUMBERS), DateOrder.ASCENDING));
        call(on(TODAY.minusDays(1), "first"));
        List<CompletableFuture<CallResult<CounterOutcome>>> yesterday = new ArrayList<>();
        store.onWrite(after(() -> {
            peerNextOn(TODAY.minusDays(1));
            yesterday.add(submit(on(TODAY.minusDays(1), "yesterday")));
        }));
        for (int loss = 1; loss < Limits.LOSSES_BEFORE_PEER_REQUEST; loss++) {
            store.onWrite(after(() -> peerNextOn(TODAY.minusDays(1))));
        }
        store.onLook(after(this::answerPeerRequests));
        List<Long> firsts = firsts(call(today(48)));
        assertEquals(Collections.min(firsts) - 1, first(yesterday.get(0)));
    }

    /**
     * The instance posts only the rows before a row of an earlier date, because only that instance can refuse the row.
     */
    @Test
    void listIsRequestedUpToARowOfAnEarlierDate() {
        define(Defined.ordered(StaleDefinition.definition(Guarantee.STRICT, NUMBERS), DateOrder.ASCENDING));
        call(on(TODAY.minusDays(1), "first"));
        for (int loss = 0; loss < Limits.LOSSES_BEFORE_PEER_REQUEST; loss++) {
            store.onWrite(after(() -> peerNextOn(TODAY.minusDays(1))));
        }
        store.onLook(after(() -> {
            assertEquals(5, row().requests().size());
            answerPeerRequests();
        }));
        List<CounterRequest> list = new ArrayList<>(List.of(today(5)));
        list.add(on(TODAY.minusDays(1), "yesterday"));
        list.add(on(TODAY, "late"));
        List<Result<CounterOutcome>> results =
                call(list.toArray(CounterRequest[]::new)).results();
        assertEquals(ProblemType.DATE_ORDER, results.get(5).refusal().type());
        assertEquals(
                ((Allocation) results.get(4).orThrow()).first() + 1,
                ((Allocation) results.get(6).orThrow()).first());
    }

    private void peerNextOn(LocalDate date) {
        peerCall(new NumberRequest(null, 1, date).on(date));
    }

    private static CounterRequest[] today(int count) {
        CounterRequest[] requests = new CounterRequest[count];
        for (int key = 0; key < count; key++) {
            requests[key] = on(TODAY, "today " + key);
        }
        return requests;
    }

    private static NumberRequest on(LocalDate date, String key) {
        return new NumberRequest(key, 1, date).on(date);
    }

    private static NumberRequest reserved(String key) {
        return new NumberRequest(key, 1, null, true).on(TODAY);
    }

    private void answerInANewEpoch() {
        peerCall(new CounterRequest.Advance(100, ChangeNote.NONE));
        answerPeerRequests();
    }

    private CounterOutcome.Block takeBlock(int size) {
        return (CounterOutcome.Block) call(NumberRequest.block(size)).only();
    }

    /**
     * Asserts the block and the counter state that the answer reports. This state must be the written one, because
     * later checks of the block compare with it.
     */
    private void assertBlock(long first, int count, long increment, CounterOutcome.Block block) {
        CounterState written = store.table.read(ID).orElseThrow().value();
        assertEquals(new CounterOutcome.Block(first, count, increment, written), block);
    }

    private void loseBeforePosting() {
        loseBeforePosting(Limits.LOSSES_BEFORE_PEER_REQUEST);
    }

    private void loseBeforePosting(int losses) {
        for (int loss = 0; loss < losses; loss++) {
            store.onWrite(after(this::takeOne));
        }
    }

    private void loseUntilTheDeadline() {
        loseBeforePosting(1_000);
    }

    private PeerRequest row() {
        return store.table.find(ID, "this").orElseThrow();
    }

    private PeerRequest post(String process, NumberRequest... requests) {
        PeerRequest take = new PeerRequest(process, "request of " + process, List.of(requests));
        open(take);
        return take;
    }

    private void close(PeerRequest take) {
        String version = store.table.find(ID, take.counterName()).orElseThrow().version();
        assertTrue(store.table.post(ID, take.closed().at(version)) instanceof WriteResult.Won);
    }

    /** Takes one number with a write of another instance that answers no peer requests. */
    private void takeOne() {
        Versioned<CounterState> base = store.table.read(ID).orElseThrow();
        CounterState state = base.value();
        long next = state.next();
        CounterState after =
                state.allocated(next, next + 1, state.allocated() + 1, null, "other's " + next, time.now());
        Transaction write = Transactions.of(ID, base.version(), after, List.of(), null);
        assertTrue(store.table.write(write) instanceof WriteResult.Won);
        taken++;
    }

    private void answerAfter(Duration roundTrip) {
        store.onLook(after(() -> {
            answerPeerRequests();
            time.pass(roundTrip);
        }));
    }

    /** Answers the open peer requests with a write of another instance. */
    private void answerPeerRequests() {
        Versioned<CounterState> base = store.table.read(ID).orElseThrow();
        Sequence known = new StaleDefinition(store.table, SEQUENCE).current();
        Plan plan = NumberPlan.forPeers(ID, base, known, "other's", store.table.open(ID), time.now());
        assertTrue(store.table.write(plan.write()) instanceof WriteResult.Won);
    }
}
