package dev.numera.counter;

import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One counter in one process: the optimistic increment, merged.
 *
 * <h2>How it works</h2>
 *
 * <p>Calls wait in a {@link WaitingLine}. Its leader takes as many as fit one write, computes a {@link Plan} from the counter's state,
 * and writes it on condition that the counter is still at the version of that state. Meanwhile the next group gathers, so the more
 * calls wait, the more numbers one write hands out; nobody waits for company. The state and version of a won write are kept, so the
 * next attempt needs no read: an uncontended allocation is one round trip.
 *
 * <p>A caller that finds nobody waiting leads for itself, on its own thread. When others have come meanwhile, a thread of the executor
 * leads on, in the middle of a group if need be, so that no caller pays for others once it has its answer.
 *
 * <h2>Why no number is handed out twice</h2>
 *
 * <ul>
 *   <li>Version and state come from one answer. Answers leave only after the write is known to have won.
 *   <li>A write that was not won leaves its group frozen: same members, same plan, same operation id. The next attempt reads first. A
 *       counter that carries the id was written by this group, however the write was answered: by a timeout, by a refusal that an
 *       intermediary's second copy got, or late. A counter at the same version gets the same plan again, and at most one of all these
 *       writes can win. A counter at another version proves that none can win any more; only then the group changes, under a new id.
 *   <li>If others wrote over a write that was won unnoticed, its numbers are skipped, or found in the ledger by their keys.
 *   <li>A counter is made in one transaction with the first write to it, under the very version of the definition that the write was
 *       computed by, which marks the definition as in use. So a change of the definition and a first number never mix. A write that was
 *       conditioned on the definition can win no more once the definition, and then the counter, were read and tell of others.
 *   <li>A counter that stands before what this process has seen was put back by somebody: it is refused until it is advanced, which
 *       gives it a new epoch. So is one that is gone, though its definition is in use.
 * </ul>
 *
 * <p>Thread-safe. What is not final belongs to the leader; the line hands it from one to the next.
 */
public final class Counter {
    /** Where a counter lives: its store, the clock, chance, threads to lead on, and who watches. */
    public record Surroundings(CounterStore store, Timekeeper time, DoubleSupplier random, Executor leaders, CounterEvents events) {
        public Surroundings(CounterStore store, Timekeeper time, DoubleSupplier random, Executor leaders) {
            this(store, time, random, leaders, CounterEvents.NONE);
        }
    }

    private enum Ended {
        /** Everyone who took part has an answer. */
        SETTLED,
        /** To be tried again at once: a clash in the ledger, whose cause the next attempt finds out; or a caller gave up before the write. */
        AGAIN,
        /** Lost or unknown. */
        FAILED
    }

    /** Ends an attempt: the terms are no longer those that this counter was made for, and nothing was consumed. */
    private static final class OutdatedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OutdatedException() {
            super("The definition was changed.", null, false, false);
        }
    }

    private final CounterId id;
    private final FixedFields fixed;
    private final Terms.Source terms;
    private final CounterLimits limits;
    private final CounterStore store;
    private final Timekeeper time;
    private final DoubleSupplier random;
    private final Executor leaders;
    private final CounterEvents events;
    private final WaitingLine<Call> line;
    private final Turn turn;

    private Versioned kept;
    private Versioned lastSeen;
    private Long epochBehindLedger;

    /** @param fixed the fields by which callers chose this counter; while the terms say otherwise it answers {@link Outcome.Outdated} */
    public Counter(CounterId id, FixedFields fixed, Terms.Source terms, CounterLimits limits, Surroundings surroundings) {
        this.id = id;
        this.fixed = fixed;
        this.terms = terms;
        this.limits = limits;
        this.store = surroundings.store();
        this.time = surroundings.time();
        this.random = surroundings.random();
        this.leaders = surroundings.leaders();
        this.events = surroundings.events();
        this.line = new WaitingLine<>();
        this.turn = new Turn(limits.burst());
    }

    /**
     * Does what is asked and waits for it, at most until the deadline.
     *
     * @param requests allocations, answered in order and numbered in order, at most {@link Group#MAX_KEYS} with a key; or one of
     *     another kind
     * @throws ProblemException {@code overloaded} when this call waited for its turn for too long. Whatever else goes wrong stands in the
     *     answers.
     */
    public Answers call(List<? extends Request> requests, Deadline deadline) {
        Call call = submitted(requests, deadline);
        try {
            return time.await(call.answers(), deadline.left());
        } catch (TimeoutException e) {
            return giveUp(call);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return giveUp(call);
        } catch (ExecutionException e) {
            throw new IllegalStateException("A call is completed with answers, never with an exception.", e);
        }
    }

    /** As {@link #call}, but waits only while this thread leads. The future is never completed with an exception. */
    public CompletableFuture<Answers> submit(List<? extends Request> requests, Deadline deadline) {
        return submitted(requests, deadline).answers();
    }

    private Call submitted(List<? extends Request> requests, Deadline deadline) {
        Call call = new Call(requests, time.nanoTime(), deadline.nanos());
        if (line.join(call)) {
            leadFor(call);
        }
        return call;
    }

    /**
     * Whether the counter is still in the epoch of a state that it was written in, and not before it; by one read.
     *
     * @throws ProblemException {@code storage-unavailable}, or {@code rolled-back} where the counter is gone
     */
    boolean hasKept(CounterState written) {
        try {
            CounterState present = store.read(id).orElseThrow(() -> rolledBack("is gone")).state();
            return present.epoch() == written.epoch() && !present.isBehind(written, fixed);
        } catch (StoreFailure e) {
            throw new ProblemException(ProblemType.STORAGE_UNAVAILABLE, e.getMessage());
        }
    }

    Deadline newDeadline() {
        return Deadline.in(limits.deadline(), time);
    }

    Timekeeper time() {
        return time;
    }

    private Answers giveUp(Call call) {
        if (line.leave(call)) {
            throw new ProblemException(ProblemType.OVERLOADED, "The call to the sequence " + id + " was turned away: its turn did not come"
                    + " in time. Try again later, or spread the load over more sequences.");
        }
        ProblemException problem = call.giveUp(time.nanoTime());
        if (call.answers().isDone()) {
            return call.answers().join();
        }
        throw problem;
    }

    /** Leads on the caller's own thread until it is answered or its time is over, even if others of its group are not. */
    private void leadFor(Call own) {
        handOver(lead(new Group(), () -> own.answers().isDone() || own.isOver(time.nanoTime(), limits.maxAttempts())));
    }

    private void handOver(Group begun) {
        for (Group group = begun; group != null; group = lead(group, group::isEmpty)) {
            Group rest = group;
            try {
                leaders.execute(() -> leadOn(rest));
                return;
            } catch (RuntimeException | Error e) {
                // No thread is to be had: those who wait are served on this one, rather than never, until there is one again.
            }
        }
    }

    private void leadOn(Group begun) {
        Group group = begun;
        while (group != null) {
            // Those who were just answered may come back before the next group closes; this costs nothing when nobody else can run.
            Thread.yield();
            group = lead(group, group::isEmpty);
        }
    }

    /** Serves a group and whoever joins it; returns the one to go on with, or null if the leadership is over. */
    private Group lead(Group group, BooleanSupplier isDone) {
        try {
            serve(group, isDone);
            if (!group.isEmpty()) {
                return group;
            }
            return line.resign() ? null : new Group();
        } catch (Throwable e) {
            // Not even to refuse them worked, as when memory has run out. Their deadlines free them, and whoever comes next leads the line.
            line.abandon();
            throw e;
        }
    }

    private void dismissAnswered(Group group) {
        group.dismissAnswered().forEach(Call::complete);
    }

    private void serve(Group group, BooleanSupplier isDone) {
        try {
            admit(group);
            tryUntil(isDone, group);
        } catch (StoreFailure e) {
            group.failed(e);
            long now = time.nanoTime();
            refuseRest(group, call -> call.unsuccessful(now));
        } catch (OutdatedException e) {
            kept = null;
            group.openSlots().forEach(slot -> slot.answer(new Outcome.Outdated()));
            dismissAnswered(group);
        } catch (RuntimeException e) {
            long now = time.nanoTime();
            refuseRest(group, call -> call.mayHaveConsumed() ? call.unsuccessful(now) : e);
        } catch (Throwable e) {
            // Whatever is thrown, an Error too: nobody may be left waiting, and the line must go on.
            refuseRest(group, call -> new IllegalStateException("The attempt on " + id + " broke off: " + e, e));
        }
    }

    private void tryUntil(BooleanSupplier isDone, Group group) {
        while (dismissOver(group) && !isDone.getAsBoolean()) {
            Ended ended = Ended.FAILED;
            StoreFailure failure = null;
            try {
                ended = attempt(group);
            } catch (StoreFailure e) {
                if (!e.isWorthRetrying()) {
                    throw e;
                }
                kept = null;
                failure = e;
            }
            dismissAnswered(group);
            if (ended == Ended.FAILED && !group.isEmpty()) {
                group.failed(failure);
                pause(limits.backoff().delay(group.failures(), random.getAsDouble()));
            }
        }
    }

    private Ended attempt(Group group) {
        // Before the counter is read: what follows from the two is safe in this order only.
        Terms known = agreed(group.isFrozen() && group.pending().marksDefinition() ? terms.reloaded() : terms.current());
        Versioned base = kept != null && !turnIsOver() ? kept : read(group, known);
        if (group.isWrittenIn(base.state())) {
            events.foundWon(id);
            return settle(group, base.version());
        }
        resolveClash(group, base);
        thawIfOvertaken(group, base, known);
        dismissAnswered(group);
        if (!dismissOver(group) || !group.isFrozen() && !plan(group, base, base == kept ? known : agreed(terms.current()))) {
            return Ended.SETTLED;
        }
        if (group.isAllocation() && isOpenedAlready(group.pending())) {
            group.thaw();
            return Ended.FAILED;
        }
        return write(group);
    }

    /** The definition came into use after the counter was looked for: only another look tells whether it was opened meanwhile, or is gone. */
    private boolean isOpenedAlready(Plan plan) {
        return plan.base().isAbsent() && plan.terms().isInUse() && fixed.isNeverReset();
    }

    private Terms agreed(Terms present) {
        if (!present.fixed().equals(fixed)) {
            throw new OutdatedException();
        }
        return present;
    }

    /** Returns whether anybody is left. */
    private boolean dismissOver(Group group) {
        long now = time.nanoTime();
        List<Call> over = group.calls().stream().filter(call -> call.isOver(now, limits.maxAttempts())).toList();
        // A frozen group loses nobody, but it may be given up as a whole: its id will never be looked for again.
        if (!group.isFrozen() || over.size() == group.calls().size()) {
            over.forEach(call -> call.refuseRest(call.unsuccessful(now)));
            dismissAnswered(group);
        }
        return !group.isEmpty();
    }

    private void admit(Group group) {
        Call next = line.takeIf(group::admits);
        while (next != null) {
            group.add(next);
            events.waited(id, next.waitedNanos(time.nanoTime()));
            next = line.takeIf(group::admits);
        }
    }

    private boolean turnIsOver() {
        if (!turn.isOver(time.nanoTime())) {
            return false;
        }
        pause(turn.end(random.getAsDouble()));
        return true;
    }

    private Versioned read(Group group, Terms known) {
        Versioned before = kept;
        kept = null;
        Optional<Versioned> found = timed(group, () -> store.read(id));
        if (found.isEmpty()) {
            return absent(group, known);
        }
        if (before != null) {
            afterPause(before.version().equals(found.get().version()));
        }
        checkAgainstSeen(group, found.get());
        return found.get();
    }

    /** Where a counter of this definition was there already, only an advance may begin another one: it says from where on. */
    private Versioned absent(Group group, Terms known) {
        CounterState first = CounterState.first(fixed.start(), time.now());
        boolean wasThere = lastSeen != null || known.isInUse() && fixed.isNeverReset();
        if (wasThere && group.isAllocation() && !isBegunAgain(first)) {
            throw rolledBack("is gone");
        }
        return new Versioned(first, null);
    }

    /** Whether the owner has defined the sequence anew after its table was lost, and to begin beyond what this process has seen. */
    private boolean isBegunAgain(CounterState first) {
        return !agreed(terms.reloaded()).isInUse() && (lastSeen == null || !first.isBehind(lastSeen.state(), fixed));
    }

    private void afterPause(boolean isUnused) {
        if (isUnused) {
            turn.sawNobody();
        } else {
            turn.sawRival();
        }
    }

    /** A restored table is refused until someone moves the counter on: only then it has an epoch of its own. */
    private void checkAgainstSeen(Group group, Versioned read) {
        if (lastSeen == null || lastSeen.state().epoch() != read.state().epoch()) {
            // Somebody may have changed the format and then advanced further than the range that the kept one may be used in.
            agreed(terms.reloaded());
        }
        boolean isBehind = lastSeen != null && read.state().isBehind(lastSeen.state(), fixed);
        if (group.isAllocation()) {
            if (isBehind) {
                throw rolledBack("stands at " + read.state().next() + ", but " + lastSeen.state().next() + " was reached before");
            }
            if (Objects.equals(epochBehindLedger, read.state().epoch())) {
                throw rolledBack("is behind its ledger");
            }
        }
        if (!isBehind) {
            lastSeen = read;
        }
    }

    private ProblemException rolledBack(String how) {
        return new ProblemException(ProblemType.ROLLED_BACK,
                "The counter of " + id + " " + how + ": an old table seems to have been restored. Advance the sequence beyond every number"
                        + " that was handed out; until then it gives none.");
    }

    /** Finds out which row of the ledger was in the way, now that the counter is read and was not written by this group. */
    private void resolveClash(Group group, Versioned base) {
        if (!group.hasClashed()) {
            return;
        }
        if (answerFromLedger(group, group.openSlots())) {
            // A key of the group exists, so no write of the whole group can win any more.
            group.thaw();
            admit(group);
        } else if (Objects.equals(group.pending().base().version(), base.version())) {
            resolveBehindLedger(group, base);
        }
    }

    private void resolveBehindLedger(Group group, Versioned base) {
        if (group.isAllocation()) {
            epochBehindLedger = base.state().epoch();
            throw rolledBack("is behind its ledger");
        }
        // The range that is passed over ends where a row of the ledger ends that outlived a restore: whatever comes next begins there.
        group.freeze(group.pending().withoutLedger());
    }

    private void thawIfOvertaken(Group group, Versioned base, Terms known) {
        if (group.isFrozen() && group.pending().isOvertaken(base, known)) {
            turn.sawRival();
            group.thaw();
            admit(group);
        }
    }

    /** Answers those whose key stands in the ledger; returns whether there were any. */
    private boolean answerFromLedger(Group group, List<Call.Slot> slots) {
        List<String> keys = slots.stream()
                .map(slot -> slot.request instanceof Request.Allocate allocate ? allocate.key() : null)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        if (keys.isEmpty()) {
            return false;
        }
        Map<String, Outcome.Allocation> found = timed(group, () -> store.find(id.sequence(), keys, timeLeft(group)));
        for (Call.Slot slot : slots) {
            if (slot.request instanceof Request.Allocate request && found.containsKey(request.key())) {
                Outcome.Allocation earlier = found.get(request.key());
                KeyMatch.mismatch(request, id.period(), earlier).ifPresentOrElse(slot::refuse, () -> slot.answer(earlier.asReplay()));
            }
        }
        return !found.isEmpty();
    }

    /** Of the one who may wait longest: the others go when theirs is over. */
    private Duration timeLeft(Group group) {
        long now = time.nanoTime();
        return Duration.ofNanos(group.calls().stream().mapToLong(call -> call.leftNanos(now)).max().orElse(0));
    }

    /** Computes what to write and freezes the group on it; returns whether there is anything to write. */
    private boolean plan(Group group, Versioned base, Terms known) {
        Plan plan = planFor(group, base, known);
        if (!plan.refused().isEmpty()) {
            // A known key takes no numbers after all; and the definition may have become wider, or revived.
            answerFromLedger(group, group.openSlots());
            plan = planFor(group, base, agreed(terms.reloaded()));
        }
        plan.refused().forEach(refusal -> refusal.slot().refuse(refusal.problem()));
        if (plan.isEmpty()) {
            // What was read for anything but an allocation may be a restored counter, and was not refused for it. That there is no counter
            // says nothing later on: it follows only from a definition that was read before.
            kept = group.isAllocation() && !base.isAbsent() ? base : null;
            return false;
        }
        group.freeze(plan);
        return true;
    }

    private Plan planFor(Group group, Versioned base, Terms known) {
        return Plan.of(id, base, usable(group, base, known), group.operationId(), group.openSlots(), time.now());
    }

    /** An instance gives numbers only by a definition that it has read as in use, or marks so in the same transaction. */
    private Terms usable(Group group, Versioned base, Terms known) {
        Terms present = base.isAbsent() || known.isInUse() ? known : agreed(terms.reloaded());
        if (!Plan.marksDefinition(base, present)) {
            return present;
        }
        if (!base.isAbsent() && group.isAllocation()) {
            throw rolledBack("is there, but its definition is from before its first number");
        }
        return agreed(terms.markable());
    }

    private Ended write(Group group) {
        Plan plan = group.pending();
        int calls = group.calls().size();
        List<Call> certain = group.calls().stream().filter(call -> !call.mayHaveConsumed()).toList();
        if (!certain.stream().allMatch(Call::enlist)) {
            certain.forEach(call -> call.setMayHaveConsumed(false));
            group.thaw();
            return Ended.AGAIN;
        }
        kept = null;
        // Also when an Error breaks it off: whether it was sent is then not known.
        CounterEvents.Result seen = CounterEvents.Result.UNKNOWN;
        long began = time.nanoTime();
        try {
            WriteResult result = timed(group, () -> store.write(plan.write(id)));
            seen = seen(result);
            if (result instanceof WriteResult.Won won) {
                return settle(group, won.version());
            }
            if (seen == CounterEvents.Result.CLASHED) {
                group.clashed();
                return Ended.AGAIN;
            }
            return Ended.FAILED;
        } catch (StoreFailure e) {
            seen = CounterEvents.Result.FAILED;
            throw e;
        } finally {
            // Who has a won request among others that are still open has consumed numbers, too.
            if (seen != CounterEvents.Result.UNKNOWN && seen != CounterEvents.Result.WON) {
                certain.forEach(call -> call.setMayHaveConsumed(false));
            }
            events.attempted(id, seen, calls, time.nanoTime() - began);
        }
    }

    private static CounterEvents.Result seen(WriteResult result) {
        if (result instanceof WriteResult.Lost lost) {
            return lost.reason() == WriteResult.Reason.EXISTS ? CounterEvents.Result.CLASHED : CounterEvents.Result.LOST;
        }
        return result instanceof WriteResult.Won ? CounterEvents.Result.WON : CounterEvents.Result.UNKNOWN;
    }

    private Ended settle(Group group, String version) {
        Plan plan = group.pending();
        if (group.isAllocation()) {
            // After anything else the next attempt reads, and finds out whether a restored counter was moved far enough.
            lastSeen = new Versioned(plan.after(), version);
            kept = version == null ? null : lastSeen;
        }
        if (plan.marksDefinition()) {
            terms.marked(plan.terms());
        }
        turn.wrote(time.nanoTime());
        group.forEach(Call::won);
        plan.shares().forEach(share -> share.slot().answer(share.outcome()));
        group.thaw();
        dismissAnswered(group);
        events.reached(id, plan.terms().series(), plan.after());
        return Ended.SETTLED;
    }

    private void refuseRest(Group group, Function<Call, RuntimeException> reason) {
        kept = null;
        group.forEach(call -> call.refuseRest(reason.apply(call)));
        dismissAnswered(group);
    }

    private void pause(Duration delay) {
        try {
            time.sleep(delay);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreFailure("The thread was interrupted while it waited for another attempt on " + id + ".", false, e);
        }
    }

    private <T> T timed(Group group, Supplier<T> request) {
        long began = time.nanoTime();
        try {
            return request.get();
        } finally {
            long nanos = time.nanoTime() - began;
            group.forEach(call -> call.countStorage(nanos));
        }
    }
}
