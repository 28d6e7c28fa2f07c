package dev.numera.core.counter;

import static dev.numera.core.counter.ScriptedStore.after;
import static dev.numera.core.counter.ScriptedStore.failing;
import static dev.numera.core.counter.ScriptedStore.lasting;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.Allocations;
import dev.numera.core.counter.PeerRequest.State;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.Change;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Status;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.WriteResult;
import dev.numera.fixtures.TestClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * One write attempt, and its reactions to ledger rows that exist already, to peer requests that are withdrawn
 * meanwhile, to imports, and to callers that give up at its last moment.
 */
class AttemptTest extends CounterFixture {
    private static final Change IMPORT = Change.imported("i1", TestClock.START, null);

    /** The requesting instance alone can look up its key, so this instance pauses to let that instance write. */
    @Test
    void peerRequestWithAKnownKeyIsLeftToItsOwnInstance() {
        meetPeer();
        peerCall(take("known", 1));
        PeerRequest other = post(take("known", 1));
        store.log.clear();
        assertEquals(5, next());
        assertEquals(State.OPEN, take().state());
        assertEquals(List.of("write", "read", "write", "read", "write"), store.log);
        assertEquals(List.of(List.of(), List.of("request of other"), List.of()), answeredRequests(3));
        assertEquals(3, operationIds(3), "No write that answers it may count for one that does not.");
        assertEquals(1, time.sleeps.size(), "It pauses for the other.");
        assertEquals(6, next());
        assertEquals(other, take());
    }

    /**
     * The ledger rows survived a restore of the counter. The advance leaves these rows as they are, and the next caller
     * starts after them.
     */
    @Test
    void advanceOverLedgerRowsLeavesThemUnchanged() {
        define(Guarantee.GAPLESS, NUMBERS);
        peerCall(take("old", 5));
        store.table.remove(ID);
        store.onWrite(request -> request);
        store.onWrite(request -> request);
        boolean[] isAdvanced = new boolean[1];
        store.onWrite(after(() -> assertTrue(isAdvanced[0], "It is refused without end.")));
        assertEquals(new Change.Move(ID.period(), 1, 6), advance(6));
        isAdvanced[0] = true;
        assertEquals(List.of("read", "write", "read", "write"), store.log);
        assertEquals(
                List.of(false, true),
                store.written.stream().map(write -> write.rows().isEmpty()).toList());
        assertEquals(1, operationIds(2), "It is the same advance.");
        assertEquals(5, ((Allocation) call(take("old", 5)).only()).last());
        assertEquals(6, next());
    }

    /**
     * The write lands between the two reads. An instance that read the counter first would not find the write and would
     * repeat it.
     */
    @Test
    void outcomeOfAWriteIsReadAfterItsPeerRequestWasFoundClosed() {
        meetPeer();
        peerNext();
        post(take(null, 2));
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        store.onWrite(request -> request);
        store.onWrite(ScriptedStore.late(underWay));
        for (String at : List.of("the first read", "the second write")) {
            store.onPeerRequests(after(() -> assertTrue(underWay.isEmpty(), at)));
        }
        Optional<Versioned<CounterState>> before = store.table.read(ID);
        store.onPeerRequests(after(() -> assertTrue(underWay.remove().get() instanceof WriteResult.Won)));
        store.onRead(request -> request);
        store.onRead(request -> () -> before);
        store.log.clear();
        assertEquals(5, next());
        assertEquals(List.of("write", "read", "write", "read", "look", "read"), store.log);
        assertEquals(6, take().allocations().get(0).first());
        assertEquals(8, next());
    }

    /**
     * The list of open peer requests omits rows that are older than a minute. Whether a peer request is still open
     * therefore follows from its own row.
     */
    @Test
    void openButUnlistedPeerRequestMayStillBeAnsweredByTheEarlierWrite() {
        meetPeer();
        peerNext();
        post(take(null, 2));
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        store.onWrite(request -> request);
        store.onWrite(ScriptedStore.late(underWay));
        store.onWrite(after(() -> assertTrue(underWay.remove().get() instanceof WriteResult.Won)));
        for (String at : List.of("the first read", "the second write")) {
            store.onPeerRequests(after(() -> assertTrue(underWay.isEmpty(), at)));
        }
        store.onPeerRequests(request -> List::of);
        assertEquals(5, next());
        assertEquals(2, operationIds(3), "The second write and the third are the same.");
        assertEquals(8, next());
    }

    @Test
    void peerRequestClosedMeanwhileIsNotAnsweredByALaterWrite() {
        meetPeer();
        peerNext();
        PeerRequest other = post(take(null, 2));
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        store.onWrite(request -> request);
        store.onWrite(request -> () -> {
            underWay.add(request);
            assertTrue(store.table.post(ID, other.closed()) instanceof WriteResult.Won);
            return ScriptedStore.unknown();
        });
        assertEquals(5, next());
        assertEquals(State.CLOSED, take().state());
        assertEquals(List.of(List.of(), List.of("request of other"), List.of()), answeredRequests(3));
        assertEquals(3, operationIds(3));
        assertTrue(underWay.remove().get() instanceof WriteResult.Refused);
        assertEquals(6, next());
    }

    /** The attempt once repeated the same write, with the closed peer request, until its deadline. */
    @Test
    void peerRequestClosedMeanwhileIsOmittedHoweverLongRequestsTake() {
        meetPeer();
        peerNext();
        PeerRequest other = post(take(null, 2));
        Duration slow = Duration.ofMillis(1_100);
        store.onWrite(request -> request);
        store.onWrite(after(() -> {
            won(store.table.post(ID, other.closed()));
            time.pass(slow);
        }));
        for (int write = 0; write < 10; write++) {
            store.onWrite(after(() -> time.pass(slow)));
        }
        assertEquals(5, next());
        assertEquals(List.of(List.of(), List.of("request of other"), List.of()), answeredRequests(3));
    }

    @Test
    void callThatGivesUpBeforeItsWriteConsumesNothing() {
        next();
        List<WaitingCall> waiting = new ArrayList<>();
        store.onWrite(
                after(() -> waiting.add(counter.submit(List.of(take("left", 1), take(null, 2_000)), deadline()))));
        store.onFind(after(() -> assertEquals(
                ProblemType.OVERLOADED, waiting.get(0).giveUp(time.nanoTime()).type())));
        assertEquals(2, next());
        assertTrue(waiting.get(0).answers().isDone());
        assertEquals(2, store.written.size());
        assertEquals(3, next("left").first());
    }

    /** A call was once marked as sent for a write that was never sent, so its outcome counted as unknown. */
    @Test
    void callInAGroupThatGivesUpConsumesNothingEither() {
        counter = counter(attempts(2));
        next();
        List<WaitingCall> waiting = new ArrayList<>();
        store.onWrite(after(() -> {
            waiting.add(counter.submit(List.of(take(null, 1)), deadline()));
            waiting.add(counter.submit(List.of(take("left", 1), take(null, 2_000)), deadline()));
        }));
        store.onFind(after(() -> waiting.get(1).giveUp(time.nanoTime())));
        store.onWrite(after(this::peerNext));
        store.onWrite(after(this::peerNext));
        assertEquals(2, next());
        assertProblem(ProblemType.CONTENTION, waiting.get(0).answers());
        assertEquals(5, peerNext());
    }

    /** Otherwise this instance would number as many keys as all others together. */
    @Test
    void peersHaveTheirTurnWhileOwnCallsWait() {
        for (int write = 0; write < 4; write++) {
            next();
            time.pass(Duration.ofMillis(60));
        }
        post(keyed("theirs", 48));
        open(new PeerRequest("third", "request of third", List.of(keyed("others", 46))));
        List<CompletableFuture<CallResult<CounterOutcome>>> waiting = new ArrayList<>();
        store.onWrite(after(() -> waiting.add(submit(keyed("later", 98)))));

        call(keyed("first", 98));

        assertEquals(
                List.of(List.of(), List.of("request of other", "request of third"), List.of()), answeredRequests(3));
        assertEquals(
                List.of(98, 94, 98),
                last(3).stream().map(write -> write.allocations().size()).toList());
        assertTrue(waiting.get(0).isDone());
    }

    private static NumberRequest[] keyed(String prefix, int count) {
        return IntStream.range(0, count)
                .mapToObj(ordinal -> take(prefix + " " + ordinal, 1))
                .toArray(NumberRequest[]::new);
    }

    @Test
    void nothingIsImportedIntoARetiredSequence() {
        next();
        retire(TestClock.START);
        assertProblem(ProblemType.RETIRED, submit(imported(5)));
        assertEquals(1, store.written.size());
    }

    @Test
    void importMovesTheCounterBeyondItsNumbers() {
        next();
        assertEquals(List.of(4L, 5L), importedNumbers(imported(4, 5)));
        assertEquals(6, next());
    }

    @Test
    void nothingIsImportedBehindTheLedger() {
        peerNext();
        Optional<Versioned<CounterState>> before = store.table.read(ID);
        peerCall(take("later", 1));
        store.onRead(request -> () -> before);
        store.onRead(request -> () -> before);
        assertProblem(ProblemType.ROLLED_BACK, submit(imported(2)));
        assertEquals(0, store.written.size());
    }

    /** The peer wrote its row after the counter was read, so the row says nothing about a restore. */
    @Test
    void aRowThatAPeerHasJustWrittenIsNoSignOfARestore() {
        peerNext();
        store.onRows(after(() -> peerCall(take("later", 1))));
        assertEquals(
                ProblemType.NUMBER_TAKEN, results(imported(2)).get(0).problem().type());
        assertEquals(List.of(3L), importedNumbers(imported(3)));
    }

    /**
     * Both imports find the number unallocated and write different rows. Only the version of the counter makes one of
     * them lose.
     */
    @Test
    void ofTwoImportsAtOnceOneImportsTheNumber() {
        advance(100);
        assertEquals(100, next());
        store.onWrite(after(() -> peerCall(
                Allocations.imported(old("other 50", 50), IMPORT), Allocations.imported(old("other 51", 51), IMPORT))));
        assertEquals(
                ProblemType.NUMBER_TAKEN, results(imported(50)).get(0).problem().type());
        assertEquals(101, next());
    }

    @Test
    void anImportReadsAllRowsThatHoldItsNumbers() {
        for (int number = 1; number <= 45; number++) {
            peerCall(take("key " + number, 1));
        }
        List<Result<Allocation>> results = results(imported(41, 2, 21, 46));
        assertEquals(
                List.of("key 41", "key 2", "key 21"),
                results.subList(0, 3).stream()
                        .map(result -> result.problem().members().get("key"))
                        .toList());
        assertEquals(46, results.get(3).orThrow().first());
    }

    /**
     * Each imported number adds two rows of its own and one row for the numbers passed over, so one write holds 32
     * numbers.
     */
    @Test
    void importedNumbersThatDoNotFitGetTheNextWrite() {
        next();
        long[] numbers = everySecond();
        assertEquals(LongStream.of(numbers).boxed().toList(), importedNumbers(imported(numbers)));
        assertEquals(
                List.of(32, 8),
                last(2).stream().map(write -> write.allocations().size()).toList());
        assertEquals(2, operationIds(2));
        assertEquals(82, next());
    }

    @Test
    void importedNumbersStayImportedWhenTheNextWriteFails() {
        next();
        store.onWrite(request -> request);
        store.onWrite(failing(lasting()));
        List<Result<Allocation>> results = results(imported(everySecond()));
        assertEquals(
                LongStream.of(everySecond()).limit(32).boxed().toList(),
                results.stream()
                        .limit(32)
                        .map(result -> result.orThrow().first())
                        .toList());
        results.subList(32, 40)
                .forEach(result -> assertEquals(
                        ProblemType.OUTCOME_UNKNOWN, result.refusal().type()));
        assertEquals(40, importedNumbers(imported(everySecond())).size());
        assertEquals(
                List.of(8),
                last(1).stream().map(write -> write.allocations().size()).toList());
    }

    @Test
    void callThatGivesUpBetweenTheWritesOfAnImportHasAnUnknownOutcome() {
        next();
        List<WaitingCall> waiting = new ArrayList<>();
        store.onWrite(after(() -> waiting.add(counter.submit(List.of(imported(everySecond())), deadline()))));
        store.onRows(request -> request);
        store.onRows(after(() -> assertEquals(
                ProblemType.OUTCOME_UNKNOWN,
                waiting.get(0).giveUp(time.nanoTime()).type())));
        assertEquals(2, next());
        assertTrue(waiting.get(0).answers().isDone());
    }

    /**
     * The write was once repeated each time the counter had moved, and refused again each time, without looking up the
     * key.
     */
    @Test
    void knownKeyIsFoundWhileOthersWriteAllTheTime() {
        peerCall(take("known", 1));
        for (int write = 0; write < 3; write++) {
            store.onWrite(request -> () -> {
                WriteResult refused = request.get();
                peerNext();
                return refused;
            });
        }
        Allocation found = next("known");
        assertEquals(1, found.first());
        assertTrue(found.replayed());
        assertEquals(List.of("read", "write", "read", "find [known]"), store.log);
    }

    /** The requesting instance has withdrawn its peer request, so this instance has no reason to pause for it. */
    @Test
    void peerRequestClosedMeanwhileWithAKnownKeyCausesNoPause() {
        meetPeer();
        peerCall(take("known", 1));
        PeerRequest other = post(take("known", 1));
        store.onWrite(request -> request);
        store.onWrite(request -> () -> {
            WriteResult refused = request.get();
            won(store.table.post(ID, other.closed()));
            return refused;
        });
        assertEquals(5, next());
        assertEquals(List.of(List.of(), List.of("request of other"), List.of()), answeredRequests(3));
        assertEquals(6, next());
        assertEquals(List.of(), time.sleeps);
    }

    /** The test invents the refusal. The row that the attempt then finds was written after the counter was read. */
    @Test
    void aRowThatAPeerWritesWhileAKeyIsLookedUpIsNoSignOfARestore() {
        next();
        store.onWrite(request -> () -> WriteResult.Refused.EXISTS);
        store.onFind(after(() -> peerCall(take("other", 1))));
        assertEquals(3, next("mine").first());
    }

    /**
     * Makes this instance observe a peer's write, so that it looks for peer requests with each later read of the
     * counter.
     */
    private void meetPeer() {
        time.pass(Duration.ofHours(1));
        next();
        peerNext();
        store.onWrite(after(() -> time.pass(Duration.ofMillis(10))));
        assertEquals(3, next());
    }

    private PeerRequest post(NumberRequest... requests) {
        PeerRequest take = new PeerRequest("other", "request of other", List.of(requests));
        return open(take);
    }

    private PeerRequest take() {
        return store.table.find(ID, "other").orElseThrow();
    }

    /** Returns the ids of the peer requests that each of the last writes would answer. */
    private List<List<String>> answeredRequests(int writes) {
        return last(writes).stream()
                .map(write ->
                        write.answered().stream().map(answered -> answered.id()).toList())
                .toList();
    }

    private long operationIds(int writes) {
        return last(writes).stream()
                .map(write -> write.state().operationId())
                .distinct()
                .count();
    }

    private List<Transaction> last(int writes) {
        return store.written.subList(store.written.size() - writes, store.written.size());
    }

    private static long[] everySecond() {
        return LongStream.range(0, 40).map(index -> 3 + 2 * index).toArray();
    }

    private static CounterRequest.Import[] imported(long... numbers) {
        return LongStream.of(numbers)
                .mapToObj(number -> Allocations.imported(old(number), IMPORT))
                .toArray(CounterRequest.Import[]::new);
    }

    private static Allocation old(long number) {
        return old("imported " + number, number);
    }

    private static Allocation old(String key, long number) {
        return Allocations.of(key, number, number, 1, "", TODAY, null, 0, TestClock.START, false, Status.SIMPLY_ISSUED);
    }

    private List<Result<Allocation>> results(CounterRequest.Import... requested) {
        return call(requested).results().stream()
                .map(result -> result.map(Allocation.class::cast))
                .toList();
    }

    private List<Long> importedNumbers(CounterRequest.Import... requested) {
        return results(requested).stream()
                .map(result -> result.orThrow().first())
                .toList();
    }
}
