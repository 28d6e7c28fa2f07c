package dev.numera.counter;

import dev.numera.problem.ProblemException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Attempts on one counter for one group of calls after the other: read, plan, write, settle.
 *
 * <p>Why no number is handed out twice:
 *
 * <ul>
 *   <li>Version and state come from one answer. Answers leave only after the write is known to have won.
 *   <li>A write that was not won leaves its group frozen: same members, same plan, same operation id. The next attempt
 *       reads first. A counter that carries the id was written by this group, however the write was answered: by a
 *       timeout, by a refusal that an intermediary's second copy got, or late. A counter at the same version gets the
 *       same plan again, and at most one of all these writes can win. A counter at another version proves that none can
 *       win any more; only then the group changes, under a new id. So does an ask of another instance, which the write
 *       would have answered, if it is open no longer and the counter was read after that.
 *   <li>If others wrote over a write that was won unnoticed, its numbers are skipped, or found in the ledger by their
 *       keys.
 *   <li>A counter is made in one transaction with the first write to it, under the very version of the definition that
 *       the write was computed by, which marks the definition as in use. So a change of the definition and a first
 *       number never mix. A write that was conditioned on the definition can win no more once the definition, and then
 *       the counter, were read and tell of others.
 *   <li>A counter that stands before what this process has seen was put back by somebody: it is refused until it is
 *       advanced, which gives it a new epoch. So is one that is gone, though its definition is in use.
 * </ul>
 *
 * <p>Who loses again and again asks those who win: see {@link Asker}. Belongs to the leader of the line, but for
 * {@link #hasKept} and {@link #hasAsks}.
 */
final class Writer {
    private static final int LEDGER_ROWS_AT_ONCE = 20;

    private final CounterId id;
    private final FixedFields fixed;
    private final CounterLimits limits;
    private final CounterStore store;
    private final Timekeeper time;
    private final CounterEvents events;
    private final Consumer<Group> admit;
    private final Rivals rivals;
    private final View view;
    private final Asker asker;

    /**
     * @param admit lets those join a group who wait, as far as it admits them
     * @param wake makes somebody lead the line, on any thread: others ask for something
     */
    Writer(
            CounterId id,
            FixedFields fixed,
            Terms.Source terms,
            CounterLimits limits,
            Counter.Surroundings surroundings,
            CounterEvents events,
            Consumer<Group> admit,
            Runnable wake) {
        this.id = id;
        this.fixed = fixed;
        this.limits = limits;
        this.store = surroundings.store();
        this.time = surroundings.time();
        this.events = events;
        this.admit = admit;
        this.rivals = new Rivals(id, surroundings, limits.requestTimeout(), wake);
        this.view = new View(id, fixed, terms, time, rivals);
        this.asker = new Asker(id, fixed.increment(), limits, surroundings, view, rivals, events);
    }

    /** As {@link Counter#hasKept}. Thread-safe. */
    boolean hasKept(CounterState written) {
        CounterState present = store.read(id)
                .orElseThrow(() -> view.seen().rolledBack("is gone"))
                .state();
        return present.epoch() == written.epoch() && !present.isBehind(written, fixed);
    }

    /** Lets the next attempt read. */
    void forget() {
        view.forget();
    }

    /** Whether other instances ask for something that this one can give at once. */
    boolean hasAsks() {
        return view.kept() != null && rivals.hasFound();
    }

    /** Gives other instances what they ask for, where this one has nothing to write itself. */
    void serveAsks() {
        asker.serve();
    }

    /**
     * Tries to write what a group needs. Some of those who have an answer then were let go already; the caller lets the
     * others go.
     *
     * @throws StoreFailure before anything was written
     * @throws View.OutdatedException the definition's fixed fields are others now
     * @throws ProblemException what concerns all of them
     */
    Ended attempt(Group group) {
        Asked asked = group.asked();
        if (asked != null) {
            return asker.follow(group, asked);
        }
        // Before the counter is read: what follows from the two is safe in this order only.
        Terms known = group.isFrozen() && group.pending().marksDefinition() ? view.reloaded() : view.current();
        if (!group.isFrozen() && asker.wasJustAnswered() && asks(group, known)) {
            return Ended.UNSENT;
        }
        if (rivals.pausesForOthers()) {
            view.forget();
        }
        Versioned kept = view.kept();
        Base base = kept == null ? read(group, known) : new Base(kept, rivals.takeFound(), true);
        if (group.isWrittenIn(base.counter().state())) {
            events.foundWon();
            settle(group, base.counter().version());
            return Ended.UNSENT;
        }
        if (base.isAskLeft()) {
            thaw(group);
        }
        resolveClash(group, base.counter());
        thawIfOvertaken(group, base.counter(), known);
        group.dismissAnswered();
        if (!group.dismissOver(time.nanoTime(), limits.maxAttempts())
                || !group.isFrozen() && !isPlanned(group, base, known)) {
            return Ended.UNSENT;
        }
        if (!group.isMove() && view.isOpenedAlready(group.pending())) {
            group.thaw();
            return Ended.LOST;
        }
        return write(group);
    }

    /**
     * What an attempt begins with.
     *
     * @param asks of other instances, that may be answered with it
     * @param isKept whether it is from the last write, not from a read
     * @param isAskLeft whether an ask that the pending write would answer is open no longer: no earlier write can win
     */
    private record Base(Versioned counter, List<InstanceAsk.Posted> asks, boolean isKept, boolean isAskLeft) {
        Base(Versioned counter, List<InstanceAsk.Posted> asks, boolean isKept) {
            this(counter, asks, isKept, false);
        }
    }

    private Base read(Group group, Terms known) {
        String stale = group.isFrozen() ? group.pending().base().version() : null;
        Rivals.Look look = group.timed(time, () -> rivals.look(stale));
        boolean isAskLeft = isAskLeft(group, look);
        // Whether an earlier write has won tells only what is read after the ask was seen at another version.
        Optional<Versioned> counter = isAskLeft ? group.timed(time, () -> store.read(id)) : look.counter();
        Versioned accepted = view.accept(counter, known, !group.isMove());
        return new Base(accepted, Objects.requireNonNullElse(look.asks(), List.of()), false, isAskLeft);
    }

    /** Freezes the group on a plan, unless there is nothing to write or others are asked for it. */
    private boolean isPlanned(Group group, Base base, Terms known) {
        if (base.isKept()) {
            return plan(group, base.counter(), known, base.asks());
        }
        boolean isUnlucky = group.losses() >= limits.lossesBeforeAsking();
        if (isUnlucky && !base.counter().isAbsent() && isAnsweredLater(group, base.counter(), known)) {
            return false;
        }
        return plan(group, base.counter(), view.current(), base.asks());
    }

    /** Asks those who win: for numbers, or where nobody else can do it, for a pause. */
    private boolean isAnsweredLater(Group group, Versioned base, Terms known) {
        if (group.imported() == null) {
            Plan alone = Plan.of(id, base, known, group.operationId(), group.openSlots(), List.of(), time.now());
            if (!alone.refused().isEmpty()) {
                // It is not for want of luck.
                return false;
            }
            if (!alone.cutsABlock() && asks(group, known)) {
                return true;
            }
        }
        if (group.losses() % limits.lossesBeforeAsking() == 0) {
            asker.askForPause(group);
        }
        return false;
    }

    private boolean asks(Group group, Terms known) {
        return known.isInUse() && !known.isRetired() && asker.canAsk(group) && asker.begin(group);
    }

    /**
     * Whether an ask that the pending write would answer is open no longer. Looks for it only while the counter is as
     * it was: at another version it proves by itself that no earlier write can win.
     */
    private boolean isAskLeft(Group group, Rivals.Look look) {
        if (!group.isFrozen()) {
            return false;
        }
        Plan pending = group.pending();
        boolean isCounterAsBefore = look.counter()
                .map(Versioned::version)
                .equals(Optional.ofNullable(pending.base().version()));
        return isCounterAsBefore
                && group.timed(time, () -> rivals.haveLeft(pending.asks().answered(), look.asks()));
    }

    private void thaw(Group group) {
        rivals.saw();
        group.thaw();
        admit.accept(group);
    }

    /**
     * Finds out which row of the ledger was in the way, now that the counter is read and was not written by this group.
     */
    private void resolveClash(Group group, Versioned base) {
        if (!group.hasClashed()) {
            return;
        }
        if (group.imported() != null || answerFromLedger(group, group.openSlots())) {
            // A row of the group exists, so no write of the whole group can win any more.
            group.thaw();
            admit.accept(group);
        } else if (Objects.equals(group.pending().base().version(), base.version())) {
            resolveBehindLedger(group, base);
        }
    }

    private void resolveBehindLedger(Group group, Versioned base) {
        List<InstanceAsk.Posted> others = group.pending().asks().withKeys();
        if (!others.isEmpty()) {
            // One of their keys may stand in the ledger already: their own instances find out.
            rivals.leave(others);
            thaw(group);
            return;
        }
        if (group.isAllocation()) {
            throw view.seen().behindLedger(base.state());
        }
        // The range that is passed over ends where a row of the ledger ends that outlived a restore: whatever comes
        // next begins there.
        group.freeze(group.pending().withoutLedger());
    }

    private void thawIfOvertaken(Group group, Versioned base, Terms known) {
        if (group.isFrozen() && group.pending().isOvertaken(base, known)) {
            thaw(group);
        }
    }

    /** Answers those whose key stands in the ledger; returns whether there were any. */
    private boolean answerFromLedger(Group group, List<Call.Slot> slots) {
        List<String> keys = KeyMatch.keys(slots);
        if (keys.isEmpty()) {
            return false;
        }
        Map<String, Outcome.Allocation> found =
                group.timed(time, () -> store.find(id.sequence(), keys, timeLeft(group)));
        KeyMatch.answer(slots, id.period(), found);
        return !found.isEmpty();
    }

    /** Of the one who may wait longest: the others go when theirs is over. */
    private Duration timeLeft(Group group) {
        long now = time.nanoTime();
        return Duration.ofNanos(group.calls().stream()
                .mapToLong(call -> call.leftNanos(now))
                .max()
                .orElse(0));
    }

    /** Computes what to write and freezes the group on it; returns whether there is anything to write. */
    private boolean plan(Group group, Versioned base, Terms known, List<InstanceAsk.Posted> others) {
        Plan plan = planFor(group, base, known, others);
        if (!plan.refused().isEmpty()) {
            // A known key takes no numbers after all; and the definition may have become wider, or revived.
            answerFromLedger(group, group.openSlots());
            plan = planFor(group, base, view.reloaded(), others);
        }
        rivals.leave(plan.asks().undecided());
        plan.refused().forEach(refusal -> refusal.slot().refuse(refusal.problem()));
        if (plan.isEmpty()) {
            plan.shares().forEach(share -> share.slot().answer(share.outcome()));
            // What was read for anything but an allocation may be a restored counter, and was not refused for it.
            // That there is no counter says nothing later on: it follows only from a definition that was read before.
            view.keep(!group.isMove() && !base.isAbsent() ? base : null);
            return false;
        }
        group.freeze(plan);
        return true;
    }

    private Plan planFor(Group group, Versioned base, Terms known, List<InstanceAsk.Posted> others) {
        Terms usable = usable(group, base, known);
        Request.Import asked = group.imported();
        if (asked != null) {
            return imported(group, base, usable, asked);
        }
        List<InstanceAsk.Posted> asks = rivals.unhandled(others);
        return Plan.of(id, base, usable, group.operationId(), group.openSlots(), asks, time.now());
    }

    /** What stands in the ledger is read after the counter, on whose version the write is conditioned. */
    private Plan imported(Group group, Versioned base, Terms usable, Request.Import asked) {
        List<Call.Slot> slots = group.openSlots();
        if (usable.isRetired()) {
            return Plan.refuseAll(base, slots, Terms.retired(id.sequence()), usable);
        }
        List<String> keys = asked.numbers().stream()
                .map(number -> Objects.requireNonNull(number.key(), "What is imported has a key."))
                .distinct()
                .toList();
        Map<String, Outcome.Allocation> byKey =
                group.timed(time, () -> store.find(id.sequence(), keys, timeLeft(group)));
        NavigableMap<Long, LedgerRow> byNumber = group.timed(time, () -> rowsOf(asked.numbers()));
        requireNotBehind(group, base, usable.series(), byNumber.values());
        return new Importing(base, usable, asked.note(), byKey, byNumber, time.now())
                .plan(group.operationId(), slots.get(0), asked.numbers());
    }

    /**
     * A row at or beyond the next number tells of a counter that was put back, unless others have moved it on since it
     * was read: then the write will be lost, and what is refused meanwhile is refused for good.
     */
    private void requireNotBehind(Group group, Versioned base, Series series, Collection<LedgerRow> rows) {
        boolean isBehind = rows.stream()
                .anyMatch(row -> !series.isBefore(row.last(), base.state().next()));
        if (isBehind
                && Objects.equals(
                        group.timed(time, () -> store.read(id))
                                .map(Versioned::version)
                                .orElse(null),
                        base.version())) {
            throw view.seen().behindLedger(base.state());
        }
    }

    /** The rows of the ledger that hold some of these numbers, by their highest ones; and some others. */
    private NavigableMap<Long, LedgerRow> rowsOf(List<Outcome.Allocation> numbers) {
        NavigableMap<Long, LedgerRow> rows = new TreeMap<>();
        long[] ascending =
                numbers.stream().mapToLong(Outcome.Allocation::first).sorted().toArray();
        long known = Long.MIN_VALUE;
        for (long number : ascending) {
            if (number > known) {
                List<LedgerRow> found = store.rowsFrom(id, number, LEDGER_ROWS_AT_ONCE);
                found.forEach(row -> rows.put(row.highest(), row));
                known = found.size() < LEDGER_ROWS_AT_ONCE
                        ? Long.MAX_VALUE
                        : found.get(found.size() - 1).highest();
            }
        }
        return rows;
    }

    /**
     * An instance gives numbers only by a definition that it has read as in use, or marks so in the same transaction.
     */
    private Terms usable(Group group, Versioned base, Terms known) {
        Terms present = base.isAbsent() || known.isInUse() ? known : view.reloaded();
        if (!Plan.marksDefinition(base, present)) {
            return group.isAllocation() ? present : view.markable();
        }
        if (!base.isAbsent() && !group.isMove()) {
            throw view.seen().rolledBack("is there, but its definition is from before its first number");
        }
        return view.markable();
    }

    private Ended write(Group group) {
        List<Call> certain =
                group.calls().stream().filter(call -> !call.mayHaveConsumed()).toList();
        if (!certain.stream().allMatch(Call::enlist)) {
            certain.forEach(Call::discharge);
            group.thaw();
            return Ended.UNSENT;
        }
        view.sending();
        int calls = group.calls().size() + group.pending().asks().answered().size();
        // Also when an Error breaks it off: whether it was sent is then not known.
        Ended ended = Ended.UNKNOWN;
        long began = time.nanoTime();
        try {
            WriteResult result =
                    group.timed(time, () -> store.write(group.pending().write(id)));
            ended = Ended.of(result);
            rivals.took(time.nanoTime() - began);
            if (result instanceof WriteResult.Won won) {
                settle(group, won.version());
            } else if (ended == Ended.CLASHED) {
                group.clashed();
            }
            return ended;
        } catch (StoreFailure e) {
            ended = Ended.FAILED;
            throw e;
        } finally {
            // Who has a won request among others that are still open has consumed numbers, too.
            if (ended.isSurelyNotWritten()) {
                certain.forEach(Call::discharge);
            }
            events.attempted(ended, calls, time.nanoTime() - began);
        }
    }

    private void settle(Group group, @Nullable String version) {
        Plan plan = group.pending();
        // After a move the next attempt reads, and finds out whether a restored counter was moved far enough.
        if (!group.isMove()) {
            view.wrote(plan.after(), version);
        }
        if (plan.marksDefinition()) {
            view.marked(plan.terms());
        }
        rivals.wrote(plan.asks().answered());
        group.forEach(Call::won);
        plan.shares().forEach(share -> share.slot().answer(share.outcome()));
        group.thaw();
        group.dismissAnswered();
        events.reached(plan.terms(), plan.after());
    }
}
