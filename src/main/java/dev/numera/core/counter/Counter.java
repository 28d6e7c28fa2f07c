package dev.numera.core.counter;

import dev.numera.core.model.CallResult;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.DefinitionChangedException;
import dev.numera.core.model.FixedFields;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.Limits;
import dev.numera.core.retry.RetryPolicy;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves the calls of this process to one counter, which has the numbers of a sequence in one period: groups them,
 * writes conditionally and answers. Merges the calls that wait into one conditional write, and repeats that write until
 * its outcome is known.
 *
 * <p>Calls wait in a {@link WaitingLine}. The leader takes as many as fit one write, computes a {@link Plan} from the
 * counter's state, and writes on condition that the counter still has the version of that state. Meanwhile the next
 * group gathers, so the more calls wait, the more numbers one write allocates; no call waits for others to join. The
 * leader keeps the state and version of a won write, so the next attempt needs no read: an uncontended allocation is
 * one round trip.
 *
 * <p>A caller that finds no other call waiting leads on its own thread until its own call is answered. If other calls
 * have arrived meanwhile, a thread of the executor takes over, in the middle of a group if necessary, so no caller
 * waits for others once it has its answer.
 *
 * <p>{@link Attempt} explains why no number is allocated twice.
 *
 * <p>Thread-safe. The fields that are not final belong to the leader; the line passes them safely from one leader to
 * the next.
 *
 * <p>Decision: {@code docs/decisions/waiting-calls-share-one-write.md}.
 */
public final class Counter {
    private final CounterId id;
    private final Limits limits;
    private final int maxAttempts;
    private final Clock time;
    private final DoubleSupplier random;
    private final RetryPolicy retries;
    private final Executor leaders;
    private final CounterEvents events;
    private final WaitingLine<WaitingCall> line;
    private final CounterStore store;
    private final KnownCounter knownCounter;
    private final Attempt attempt;

    /**
     * @param fixed the fixed fields that callers chose this counter by. If the definition has other ones, the counter
     *     answers with a {@link DefinitionChangedException}
     */
    public Counter(
            CounterId id,
            FixedFields fixed,
            DefinitionSource source,
            Limits limits,
            CounterEnvironment environment,
            CounterEvents events) {
        this.id = id;
        this.limits = limits;
        this.maxAttempts = limits.maxAttempts();
        this.time = environment.time();
        this.random = environment.random();
        this.retries = new RetryPolicy(limits, time, random);
        this.leaders = environment.leaders();
        this.events = events;
        this.line = new WaitingLine<>();
        PeerWatcher peers = new PeerWatcher(id, environment, limits.requestTimeout(), this::wake);
        this.store = environment.store();
        this.knownCounter = new KnownCounter(id, fixed, source, environment, peers);
        this.attempt = new Attempt(id, fixed, limits, environment, events, this::admit, knownCounter, peers);
    }

    /**
     * Performs the requests and waits for the answers, at most until the deadline.
     *
     * @param requests one of three kinds: allocations, which are answered and numbered in order, at most
     *     {@link WriteLimits#KEYS} with a key; numbers of one import and one period, in the order of the series, at
     *     most {@link WriteLimits#IMPORTED}; or a single request of another kind
     * @throws ProblemException {@code overloaded} if this call waited too long for its turn. All other refusals are in
     *     the answers.
     * @throws IllegalStateException a program error interrupted the call
     */
    public CallResult<CounterOutcome> call(List<? extends CounterRequest> requests, Deadline deadline) {
        WaitingCall call = submit(requests, deadline);
        try {
            return time.await(call.answers(), deadline.left());
        } catch (TimeoutException e) {
            return giveUp(call);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return giveUp(call);
        } catch (ExecutionException e) {
            throw brokenOff(e);
        }
    }

    /**
     * Queues a call and returns. Blocks only if this thread has to serve the waiting calls. Its answers complete
     * exceptionally only after a program error.
     */
    WaitingCall submit(List<? extends CounterRequest> requests, Deadline deadline) {
        WaitingCall call = new WaitingCall(requests, time.nanoTime(), deadline);
        if (line.join(call)) {
            // Leads on the caller's own thread until that caller is answered, its deadline has passed or the thread is
            // interrupted, even if other calls of the group have no answer yet.
            handOver(lead(new WriteGroup(), new Stint(call)));
        }
        return call;
    }

    /**
     * Whether no advance, import or restore has come between since this process wrote a state: the counter is in the
     * same epoch, and at that state or beyond. Blocks for one read.
     *
     * @throws ProblemException {@code storage-unavailable}, or {@code rolled-back} if the counter is gone
     */
    boolean isNotRolledBack(CounterState written) {
        CounterState before = Objects.requireNonNullElse(knownCounter.farthest(), written);
        CounterState present =
                store.read(id).orElseThrow(() -> knownCounter.gone()).value();
        return present.epoch() == written.epoch()
                && !knownCounter.isBehind(present, written)
                && !knownCounter.isBehind(present, before);
    }

    /** The policy for retries outside the write attempts of a call, for example while a call waits for a block. */
    RetryPolicy retries() {
        return retries;
    }

    Deadline newDeadline() {
        return Deadline.in(limits.deadline(), time);
    }

    Clock time() {
        return time;
    }

    private CallResult<CounterOutcome> giveUp(WaitingCall call) {
        if (line.leave(call)) {
            throw call.withoutAttempt(time.nanoTime());
        }
        ProblemException problem = call.giveUp(time.nanoTime());
        if (!call.answers().isDone()) {
            throw problem;
        }
        try {
            return call.answers().join();
        } catch (CompletionException e) {
            throw brokenOff(e);
        }
    }

    private static IllegalStateException brokenOff(Exception thrown) {
        Throwable fault = Objects.requireNonNull(thrown.getCause(), "A call that was broken off says by what.");
        return new IllegalStateException(fault.getMessage(), fault);
    }

    /**
     * The time during which one thread serves the waiting calls: until its own caller is answered or out of time. A
     * caller's own thread leads only until that caller is answered or its deadline has passed, and the storage requests
     * have the same deadline. Another thread then continues with the rest of the group.
     *
     * @param own the caller that owns the thread; null if the thread leads for all callers
     */
    private record Stint(@Nullable WaitingCall own) {
        static final Stint FOR_ALL = new Stint(null);

        boolean isDone(WriteGroup group, long nowNanos, int maxAttempts) {
            return own == null
                    ? group.isEmpty()
                    : own.answers().isDone()
                            || own.isOver(nowNanos, maxAttempts)
                            || Thread.currentThread().isInterrupted();
        }

        Deadline deadline(WriteGroup group) {
            return own == null ? group.deadline() : own.deadline();
        }
    }

    /** Makes a thread lead the line because peers have requested numbers, unless a leader is active. */
    private void wake() {
        if (line.lead()) {
            handOver(new WriteGroup());
        }
    }

    private void handOver(@Nullable WriteGroup begun) {
        for (WriteGroup group = begun; group != null; group = lead(group, Stint.FOR_ALL)) {
            WriteGroup rest = group;
            try {
                leaders.execute(() -> leadOn(rest));
                return;
            } catch (RuntimeException | Error e) {
                // No thread is available. This thread serves the waiting calls, and offers the lead to the executor
                // again after each group.
            }
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // Nothing relies on it: it only makes groups larger.
    private void leadOn(WriteGroup begun) {
        WriteGroup group = begun;
        while (group != null) {
            // Callers that were just answered may come back before the next group closes; this costs nothing when no
            // other thread can run.
            Thread.yield();
            group = lead(group, Stint.FOR_ALL);
        }
    }

    /**
     * Serves a group and the calls that join it; returns the group to continue with, or null if leadership has ended.
     */
    private @Nullable WriteGroup lead(WriteGroup group, Stint stint) {
        try {
            serve(group, stint);
            if (!group.isEmpty()) {
                return group;
            }
            return line.resign(attempt::hasPeerRequests) ? null : new WriteGroup();
        } catch (Throwable e) {
            // Failing the calls failed as well, for example with an OutOfMemoryError. Each caller leaves at its
            // deadline, and the next call becomes the leader.
            line.abandon();
            throw e;
        }
    }

    private void serve(WriteGroup group, Stint stint) {
        try {
            admit(group);
            if (group.isEmpty()) {
                attempt.servePeers();
            }
            tryFor(stint, group);
        } catch (StoreFailure e) {
            group.failed(e);
            long now = time.nanoTime();
            end(group, call -> call.refuseRest(call.unsuccessful(now)));
        } catch (ProblemException e) {
            long now = time.nanoTime();
            end(
                    group,
                    call -> call.refuseRest(
                            call.mayHaveConsumed() && !isConclusive(e, group, call) ? call.unsuccessful(now) : e));
        } catch (Throwable e) {
            // Catches Errors too: no call may be left waiting, and the line needs a next leader.
            IllegalStateException fault = new IllegalStateException("The attempt on " + id + " broke off: " + e, e);
            end(group, call -> call.breakOff(fault));
        }
    }

    /**
     * Whether a problem that occurred after a write was sent is the final answer for a call. It is final only if it
     * follows from the counter's state. Example: the write wins, an intermediary sends a second copy, and the refusal
     * of that copy is the only answer that arrives. If the definition cannot be read next, the call may still have its
     * numbers, so its outcome is unknown.
     */
    private static boolean isConclusive(ProblemException problem, WriteGroup group, WaitingCall call) {
        if (problem instanceof DefinitionChangedException) {
            // If the pending write marks the definition, the change of the definition proves that the write was lost.
            // Another write without an answer may have won.
            return !(group.state() instanceof GroupState.Pending pending)
                    || !pending.everUnknown()
                    || pending.plan().marksDefinition();
        }
        return problem.type() == ProblemType.ROLLED_BACK && group.isEachWriteRefused(call);
    }

    private void end(WriteGroup group, Consumer<WaitingCall> how) {
        attempt.forget();
        group.forEach(how);
        group.dismissAnswered();
    }

    private void tryFor(Stint stint, WriteGroup group) {
        while (!group.isEmpty() && goesOn(group, stint)) {
            long now = time.nanoTime();
            if (stint.isDone(group, now, maxAttempts)) {
                return;
            }
            try {
                group.forEach(call -> call.tried(now));
                Optional<WriteResult> result = stint.deadline(group).limit(() -> attempt.once(group));
                group.dismissAnswered();
                result.ifPresent(sent -> attempted(group, sent));
            } catch (StoreFailure e) {
                if (!e.isWorthRetrying()) {
                    throw e;
                }
                attempt.forget();
                group.dismissAnswered();
                if (!group.isEmpty()) {
                    group.failed(e);
                    backOff(group);
                }
            }
        }
    }

    private void attempted(WriteGroup group, WriteResult result) {
        if (group.isEmpty() || result instanceof WriteResult.Won || result.hasClashed()) {
            return;
        }
        group.failed(result);
        if (!result.isOvertaken() || group.losses() > limits.lossesBeforePeerRequest()) {
            backOff(group);
        }
    }

    /**
     * Waits before the next attempt. An interrupt ends the wait, and {@link Stint#isDone} then decides whether this
     * thread continues to lead.
     */
    private void backOff(WriteGroup group) {
        try {
            time.sleep(limits.backoff().delay(group.failures(), random.getAsDouble()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Refuses the calls that may not try again, and returns whether any call is left. Before that, it finds out how a
     * refused write ended, even if that takes up to one request timeout more than the callers have.
     */
    private boolean goesOn(WriteGroup group, Stint stint) {
        if (group.wasRefused() && group.isOver(time.nanoTime(), maxAttempts)) {
            stint.deadline(group).later(limits.requestTimeout()).limit(() -> {
                attempt.conclude(group);
                return group;
            });
            group.dismissAnswered();
        }
        return group.dismissOver(time.nanoTime(), maxAttempts);
    }

    private void admit(WriteGroup group) {
        WaitingCall next = line.takeIf(group::admits);
        while (next != null) {
            group.add(next);
            events.waited(next.waitedNanos(time.nanoTime()));
            next = line.takeIf(group::admits);
        }
    }
}
