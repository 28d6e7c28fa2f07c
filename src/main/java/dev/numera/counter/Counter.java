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
 *   <li>A counter that stands before what this process has seen was put back by somebody: it is refused until it is advanced, which
 *       gives it a new epoch.
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

    private final CounterId id;
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

    public Counter(CounterId id, Terms.Source terms, CounterLimits limits, Surroundings surroundings) {
        this.id = id;
        this.terms = terms;
        this.limits = limits;
        this.store = surroundings.store();
        this.time = surroundings.time();
        this.random = surroundings.random();
        this.leaders = surroundings.leaders();
        this.events = surroundings.events();
        this.line = new WaitingLine<>(limits.maxWaitingCalls());
        this.turn = new Turn(limits.burst());
    }

    /**
     * Does what is asked and waits for it, at most for the deadline of the limits.
     *
     * @param requests allocations, answered in order and numbered in order, at most {@link Group#MAX_KEYS} with a key; or one of
     *     another kind
     * @throws ProblemException {@code overloaded} when too many calls wait, or this one waited for its turn for too long. Whatever
     *     else goes wrong stands in the answers.
     */
    public Answers call(List<? extends Request> requests) {
        Call call = newCall(requests);
        submit(call);
        try {
            return time.await(call.answers(), timeLeft(call));
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
    public CompletableFuture<Answers> submit(List<? extends Request> requests) {
        Call call = newCall(requests);
        submit(call);
        return call.answers();
    }

    /**
     * The epoch that the counter is in now, by one read.
     *
     * @throws ProblemException {@code storage-unavailable}, or {@code rolled-back} where the counter is gone
     */
    public long readEpoch() {
        try {
            return store.read(id).orElseThrow(() -> rolledBack("is gone")).state().epoch();
        } catch (StoreFailure e) {
            throw new ProblemException(ProblemType.STORAGE_UNAVAILABLE, e.getMessage());
        }
    }

    Timekeeper time() {
        return time;
    }

    /** Takes no more calls; those that wait are still served. */
    public void close() {
        line.close();
    }

    private Call newCall(List<? extends Request> requests) {
        long now = time.nanoTime();
        return new Call(requests, now, now + limits.deadline().toNanos());
    }

    private void submit(Call call) {
        switch (line.join(call)) {
            case TURNED_AWAY -> throw overloaded("too many calls wait already");
            case AS_LEADER -> leadFor(call);
            case AS_FOLLOWER -> { }
        }
    }

    private Duration timeLeft(Call call) {
        return Duration.ofNanos(Math.max(0, limits.deadline().toNanos() - call.waitedNanos(time.nanoTime())));
    }

    private Answers giveUp(Call call) {
        if (line.leave(call)) {
            throw overloaded("its turn did not come in time");
        }
        ProblemException problem = call.giveUp(time.nanoTime());
        if (call.answers().isDone()) {
            return call.answers().join();
        }
        throw problem;
    }

    private ProblemException overloaded(String why) {
        return new ProblemException(ProblemType.OVERLOADED,
                "The call to the sequence " + id + " was turned away: " + why + ". At most " + limits.maxWaitingCalls()
                        + " are under way at once, each for " + limits.deadline().toMillis() + " ms. Try again later, or spread the load over more sequences.");
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
        List<Call> answered = group.dismissAnswered();
        // First: whoever has its answer may be back at once, and finds its place free.
        line.served(answered.size());
        answered.forEach(Call::complete);
    }

    private void serve(Group group, BooleanSupplier isDone) {
        try {
            admit(group);
            tryUntil(isDone, group);
        } catch (StoreFailure e) {
            group.failed(e);
            long now = time.nanoTime();
            refuseRest(group, call -> call.unsuccessful(now));
        } catch (RuntimeException e) {
            refuseRest(group, call -> e);
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
        Versioned base = kept != null && !turnIsOver() ? kept : read(group);
        if (group.isWrittenIn(base.state())) {
            events.foundWon(id);
            return settle(group, base.version());
        }
        resolveClash(group, base);
        thawIfChanged(group, base);
        dismissAnswered(group);
        if (!dismissOver(group) || !group.isFrozen() && !plan(group, base)) {
            return Ended.SETTLED;
        }
        return write(group);
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

    private Versioned read(Group group) {
        Versioned before = kept;
        kept = null;
        Optional<Versioned> found = timed(group, () -> store.read(id));
        // Where this process has seen a counter, only an advance may begin another one: it says from where on.
        boolean mayOpen = lastSeen == null || !group.isAllocation();
        if (found.isEmpty() && mayOpen) {
            open(group);
            found = timed(group, () -> store.read(id));
        }
        Versioned read = found.orElseThrow(() -> mayOpen
                ? new StoreFailure("The counter of " + id + " could not be created: another writer came between.", true, null)
                : rolledBack("is gone"));
        if (before != null) {
            afterPause(before.version().equals(read.version()));
        }
        checkAgainstSeen(group, read);
        return read;
    }

    private void afterPause(boolean isUnused) {
        if (isUnused) {
            turn.sawNobody();
        } else {
            turn.sawRival();
        }
    }

    private void open(Group group) {
        Terms opening = terms.reloaded();
        CounterState first = CounterState.first(opening.series().start(), group.operationId() + "-open", time.now());
        timed(group, () -> {
            store.open(id, opening.fixed(), first);
            return null;
        });
    }

    /** A restored table is refused until someone moves the counter on: only then it has an epoch of its own. */
    private void checkAgainstSeen(Group group, Versioned read) {
        Terms known = terms.current();
        boolean isNewEpoch = lastSeen != null && lastSeen.state().epoch() != read.state().epoch();
        if (isNewEpoch || !known.isPinned()) {
            known = terms.reloaded();
        }
        if (group.isAllocation()) {
            if (lastSeen != null && read.state().isBehind(lastSeen.state(), known.series())) {
                throw rolledBack("stands at " + read.state().next() + ", but " + lastSeen.state().next() + " was reached before");
            }
            if (Objects.equals(epochBehindLedger, read.state().epoch())) {
                throw rolledBack("is behind its ledger");
            }
        }
        if (lastSeen == null || !read.state().isBehind(lastSeen.state(), known.series())) {
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
        } else if (group.pending().base().version().equals(base.version())) {
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

    private void thawIfChanged(Group group, Versioned base) {
        if (group.isFrozen() && !group.pending().base().version().equals(base.version())) {
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
        Map<String, Outcome.Allocation> found = timed(group, () -> store.find(id.sequence(), keys));
        for (Call.Slot slot : slots) {
            if (slot.request instanceof Request.Allocate request && found.containsKey(request.key())) {
                Outcome.Allocation earlier = found.get(request.key());
                KeyMatch.mismatch(request, id.period(), earlier).ifPresentOrElse(slot::refuse, () -> slot.answer(earlier.asReplay()));
            }
        }
        return !found.isEmpty();
    }

    /** Computes what to write and freezes the group on it; returns whether there is anything to write. */
    private boolean plan(Group group, Versioned base) {
        Plan plan = planFor(group, base);
        if (!plan.refused().isEmpty() && answerFromLedger(group, group.openSlots())) {
            // A known key takes no numbers after all, which may leave enough for those who were refused.
            plan = planFor(group, base);
        }
        plan.refused().forEach(refusal -> refusal.slot().refuse(refusal.problem()));
        if (plan.isEmpty()) {
            // What was read for anything but an allocation may be a restored counter, and was not refused for it.
            kept = group.isAllocation() ? base : null;
            return false;
        }
        group.freeze(plan);
        return true;
    }

    private Plan planFor(Group group, Versioned base) {
        return Plan.of(id, base, terms.current(), group.operationId(), group.openSlots(), time.now());
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
            WriteResult result = timed(group, () -> store.replace(id, plan.base().version(), plan.after(), plan.ledger()));
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
        turn.wrote(time.nanoTime());
        group.forEach(Call::won);
        plan.shares().forEach(share -> share.slot().answer(share.outcome()));
        group.thaw();
        dismissAnswered(group);
        events.reached(id, plan.series(), plan.after());
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
