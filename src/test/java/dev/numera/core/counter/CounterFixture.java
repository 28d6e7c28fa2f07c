package dev.numera.core.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.CounterTable;
import dev.numera.contract.Defined;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.Definition;
import dev.numera.core.model.FixedFields;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Series;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.Limits;
import dev.numera.core.retry.WriteResult;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import dev.numera.fixtures.Unwatched;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A counter on one thread, over a store whose answers the test scripts. Tests force each interleaving at the calls of
 * the store.
 */
abstract class CounterFixture {
    static final SequenceName SEQUENCE = new SequenceName("Test", "invoice");
    static final CounterId ID = new CounterId(SEQUENCE, "");
    static final LocalDate TODAY = LocalDate.of(2026, 11, 21);
    static final Series NUMBERS = new Series(1, 1, 1, 1_000, false);
    static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);
    static final TestLimits TEST_LIMITS = TestLimits.DEFAULT
            .withDeadline(Duration.ofSeconds(10))
            .withRequestTimeout(REQUEST_TIMEOUT)
            .withMaxWaitingCalls(100);
    static final Limits LIMITS = TEST_LIMITS.limits();

    final TestClock time = TestClock.alone();
    final ScriptedStore store = new ScriptedStore(() -> time.pass(Duration.ofMillis(10)));
    /** The definition as the counter's instance has read it. */
    StaleDefinition terms;

    Counter counter;
    /** Another instance on the same table, without scripted answers. */
    Counter peer;

    private int peerCount;

    CounterFixture() {
        define(Guarantee.STRICT, NUMBERS);
    }

    /** Restarts with a definition that is not in use yet. */
    final void define(Guarantee guarantee, Series series) {
        define(StaleDefinition.definition(guarantee, series));
    }

    final void define(Definition definition) {
        store.table.put(Defined.stored(SEQUENCE, definition, false, null, null));
        terms = new StaleDefinition(store.table, SEQUENCE);
        counter = counter(LIMITS);
        peer = peer();
    }

    /** Replaces the stored definition, at its present version. The instances learn of it when they read it again. */
    final void change(Definition definition) {
        Sequence present = definition();
        replace(Defined.stored(SEQUENCE, definition, present.isInUse(), present.retiredAt(), present.version()));
    }

    final void change(Series series) {
        change(StaleDefinition.definition(Guarantee.STRICT, series));
    }

    final void retire(Instant at) {
        Sequence present = definition();
        replace(Defined.stored(SEQUENCE, present.definition(), present.isInUse(), at, present.version()));
    }

    /** Removes the mark "in use", as if the table were restored from a copy older than the first number. */
    final void unmark() {
        Sequence present = definition();
        replace(Defined.stored(SEQUENCE, present.definition(), false, present.retiredAt(), present.version()));
    }

    private void replace(Sequence definition) {
        assertTrue(store.table.replace(definition, Defined.change()) instanceof WriteResult.Won);
    }

    final Sequence definition() {
        return store.table.find(SEQUENCE).orElseThrow();
    }

    final Counter counter(Limits limits) {
        return new Counter(ID, fixed(), terms, limits, surroundings(store), new Unwatched());
    }

    /** Creates a counter whose leaders run on the given executor, so that the test decides when. */
    final Counter counterWith(Executor leaders) {
        return new Counter(
                ID,
                fixed(),
                terms,
                LIMITS,
                new CounterEnvironment(store, store, time, () -> 0.5, leaders, "this", new HighWaterMarks(1_000)),
                new Unwatched());
    }

    /** Returns a counter of an instance that has just started. */
    final Counter peer() {
        return peer(ID);
    }

    final Counter peer(CounterId id) {
        return new Counter(
                id,
                fixed(),
                new StaleDefinition(store.table, SEQUENCE),
                LIMITS,
                surroundings(store.table),
                new Unwatched());
    }

    private FixedFields fixed() {
        return definition().definition().fixed();
    }

    final CounterEnvironment surroundings(CounterTable over) {
        return new CounterEnvironment(
                over,
                over,
                time,
                () -> 0.5,
                Runnable::run,
                over == store ? "this" : "peer-" + ++peerCount,
                new HighWaterMarks(1_000));
    }

    static Limits attempts(int maxAttempts) {
        return TEST_LIMITS.withMaxAttempts(maxAttempts).limits();
    }

    static NumberRequest take(String key, int count) {
        return new NumberRequest(key, count, null).on(TODAY);
    }

    final Deadline deadline() {
        return Deadline.in(LIMITS.deadline(), time);
    }

    final CallResult<CounterOutcome> call(CounterRequest... requests) {
        return counter.call(List.of(requests), deadline());
    }

    final CompletableFuture<CallResult<CounterOutcome>> submit(CounterRequest... requests) {
        return submit(counter, requests);
    }

    final CompletableFuture<CallResult<CounterOutcome>> submit(Counter to, CounterRequest... requests) {
        return to.submit(List.of(requests), deadline()).answers();
    }

    final long next() {
        return next(null).first();
    }

    final Allocation next(String key) {
        return (Allocation) call(take(key, 1)).only();
    }

    final CounterOutcome advance(long nextAtLeast) {
        return call(new CounterRequest.Advance(nextAtLeast, ChangeNote.NONE)).only();
    }

    final long peerNext() {
        return ((Allocation) peerCall(take(null, 1)).only()).first();
    }

    final CallResult<CounterOutcome> peerCall(CounterRequest... requests) {
        return peer.call(List.of(requests), deadline());
    }

    static Allocation allocation(CompletableFuture<CallResult<CounterOutcome>> answers) {
        assertTrue(answers.isDone(), "It was left waiting.");
        return (Allocation) answers.join().only();
    }

    static long first(CompletableFuture<CallResult<CounterOutcome>> answers) {
        return allocation(answers).first();
    }

    static List<Long> firsts(CallResult<CounterOutcome> result) {
        List<Long> firsts = new ArrayList<>();
        result.results().forEach(answer -> firsts.add(((Allocation) answer.orThrow()).first()));
        return firsts;
    }

    static ProblemException assertProblem(ProblemType type, CompletableFuture<CallResult<CounterOutcome>> answers) {
        assertTrue(answers.isDone(), "It was left waiting.");
        ProblemException problem = assertThrows(ProblemException.class, answers.join()::only);
        assertEquals(type, problem.type(), problem::getMessage);
        return problem;
    }

    /** Inserts a peer request closed and opens it at its version, as another instance does. */
    final PeerRequest open(PeerRequest take) {
        PeerRequest nothing = new PeerRequest(take.counterName(), "row of " + take.counterName(), List.of());
        String version = won(store.table.post(ID, nothing.closed()));
        won(store.table.post(ID, take.at(version)));
        return store.table.find(ID, take.counterName()).orElseThrow();
    }

    static String won(WriteResult result) {
        return assertInstanceOf(WriteResult.Won.class, result).version();
    }

    final ProblemException assertRefused(ProblemType type) {
        ProblemException problem = assertThrows(ProblemException.class, this::next);
        assertEquals(type, problem.type(), problem::getMessage);
        return problem;
    }
}
