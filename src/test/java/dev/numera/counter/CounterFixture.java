package dev.numera.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.CounterTable;
import dev.numera.contract.Defined;
import dev.numera.execution.Deadline;
import dev.numera.execution.Limits;
import dev.numera.execution.WriteResult;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import dev.numera.fixtures.Unwatched;
import dev.numera.model.Allocation;
import dev.numera.model.Answers;
import dev.numera.model.ChangeNote;
import dev.numera.model.CounterId;
import dev.numera.model.Definition;
import dev.numera.model.FixedFields;
import dev.numera.model.Guarantee;
import dev.numera.model.Outcome;
import dev.numera.model.Request;
import dev.numera.model.Sequence;
import dev.numera.model.SequenceName;
import dev.numera.model.Series;
import dev.numera.model.Take;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** A counter on one thread, over a store whose answers each test decides: every interleaving is forced at the seam. */
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
    /** What the counter's instance knows of the definition. */
    StaleTerms terms;

    Counter counter;
    /** Another instance, undisturbed on the same table. */
    Counter peer;

    private int peerCount;

    CounterFixture() {
        define(Guarantee.STRICT, NUMBERS);
    }

    /** Restarts with a definition under which no number was allocated. */
    final void define(Guarantee guarantee, Series series) {
        define(StaleTerms.definition(guarantee, series));
    }

    final void define(Definition definition) {
        store.table.put(Defined.stored(SEQUENCE, definition, false, null, null));
        terms = new StaleTerms(store.table, SEQUENCE);
        counter = counter(LIMITS);
        peer = peer();
    }

    /** What its owner does, who read the definition just now. */
    final void change(Definition definition) {
        Sequence present = definition();
        replace(Defined.stored(SEQUENCE, definition, present.isInUse(), present.retiredAt(), present.version()));
    }

    final void change(Series series) {
        change(StaleTerms.definition(Guarantee.STRICT, series));
    }

    final void retire(Instant at) {
        Sequence present = definition();
        replace(Defined.stored(SEQUENCE, present.definition(), present.isInUse(), at, present.version()));
    }

    /** As a restored copy from before the first number. */
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

    /** Its leaders run on threads that the test decides on. */
    final Counter counterWith(Executor leaders) {
        return new Counter(
                ID,
                fixed(),
                terms,
                LIMITS,
                new CounterEnvironment(store, store, time, () -> 0.5, leaders, "this", new Observations(1_000)),
                new Unwatched());
    }

    /** An instance that has just started. */
    final Counter peer() {
        return peer(ID);
    }

    final Counter peer(CounterId id) {
        return new Counter(
                id, fixed(), new StaleTerms(store.table, SEQUENCE), LIMITS, surroundings(store.table), new Unwatched());
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
                new Observations(1_000));
    }

    static Limits attempts(int maxAttempts) {
        return TEST_LIMITS.withMaxAttempts(maxAttempts).limits();
    }

    static Take take(String key, int count) {
        return new Take(key, count, null).on(TODAY);
    }

    final Deadline deadline() {
        return Deadline.in(LIMITS.deadline(), time);
    }

    final Answers<Outcome> call(Request... requests) {
        return counter.call(List.of(requests), deadline());
    }

    final CompletableFuture<Answers<Outcome>> submit(Request... requests) {
        return submit(counter, requests);
    }

    final CompletableFuture<Answers<Outcome>> submit(Counter to, Request... requests) {
        return to.submit(List.of(requests), deadline()).answers();
    }

    final long next() {
        return next(null).first();
    }

    final Allocation next(String key) {
        return (Allocation) call(take(key, 1)).only();
    }

    final Outcome advance(long nextAtLeast) {
        return call(new Request.Advance(nextAtLeast, ChangeNote.NONE)).only();
    }

    final long peerNext() {
        return ((Allocation) peerCall(take(null, 1)).only()).first();
    }

    final Answers<Outcome> peerCall(Request... requests) {
        return peer.call(List.of(requests), deadline());
    }

    static Allocation allocation(CompletableFuture<Answers<Outcome>> answers) {
        assertTrue(answers.isDone(), "It was left waiting.");
        return (Allocation) answers.join().only();
    }

    static long first(CompletableFuture<Answers<Outcome>> answers) {
        return allocation(answers).first();
    }

    static List<Long> firsts(Answers<Outcome> answers) {
        List<Long> firsts = new ArrayList<>();
        answers.answers().forEach(answer -> firsts.add(((Allocation) answer.orThrow()).first()));
        return firsts;
    }

    static ProblemException assertProblem(ProblemType type, CompletableFuture<Answers<Outcome>> answers) {
        assertTrue(answers.isDone(), "It was left waiting.");
        ProblemException problem = assertThrows(ProblemException.class, answers.join()::only);
        assertEquals(type, problem.type(), problem::getMessage);
        return problem;
    }

    /** The post of another instance's peer request. */
    final PeerRequest open(PeerRequest take) {
        PeerRequest nothing = new PeerRequest(take.process(), "row of " + take.process(), List.of());
        String version = won(store.table.post(ID, nothing.closed()));
        won(store.table.post(ID, take.at(version)));
        return store.table.find(ID, take.process()).orElseThrow();
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
