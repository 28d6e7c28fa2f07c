package dev.numera.counter;

import dev.numera.problem.ProblemException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
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
 *       win any more; only then the group changes, under a new id.
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
 * <p>Belongs to the leader of the line, but for {@link #hasKept}.
 */
final class Writer {
    /** Ends an attempt: the terms are no longer those that this counter was made for, and nothing was consumed. */
    static final class OutdatedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OutdatedException() {
            super("The definition was changed.", null, false, false);
        }
    }

    private final CounterId id;
    private final FixedFields fixed;
    private final Terms.Source terms;
    private final int maxAttempts;
    private final CounterStore store;
    private final Timekeeper time;
    private final DoubleSupplier random;
    private final CounterEvents events;
    private final Consumer<Group> admit;
    private final Turn turn;
    private final Seen seen;

    private @Nullable Versioned kept;

    /** @param admit lets those join a group who wait, as far as it admits them */
    Writer(
            CounterId id,
            FixedFields fixed,
            Terms.Source terms,
            CounterLimits limits,
            Counter.Surroundings surroundings,
            CounterEvents events,
            Consumer<Group> admit) {
        this.id = id;
        this.fixed = fixed;
        this.terms = terms;
        this.maxAttempts = limits.maxAttempts();
        this.store = surroundings.store();
        this.time = surroundings.time();
        this.random = surroundings.random();
        this.events = events;
        this.admit = admit;
        this.turn = new Turn(limits.burst());
        this.seen = new Seen(id, fixed);
    }

    /** As {@link Counter#hasKept}. Thread-safe. */
    boolean hasKept(CounterState written) {
        CounterState present =
                store.read(id).orElseThrow(() -> seen.rolledBack("is gone")).state();
        return present.epoch() == written.epoch() && !present.isBehind(written, fixed);
    }

    /** Lets the next attempt read. */
    void forget() {
        kept = null;
    }

    /**
     * Tries to write what a group needs; who has an answer then is dismissed by the caller.
     *
     * @throws StoreFailure before anything was written
     * @throws OutdatedException the definition's fixed fields are others now
     * @throws ProblemException what concerns all of them
     */
    Ended attempt(Group group) {
        // Before the counter is read: what follows from the two is safe in this order only.
        Terms known =
                agreed(group.isFrozen() && group.pending().marksDefinition() ? terms.reloaded() : terms.current());
        Versioned base = kept != null && !turnIsOver() ? kept : read(group, known);
        if (group.isWrittenIn(base.state())) {
            events.foundWon();
            settle(group, base.version());
            return Ended.UNSENT;
        }
        resolveClash(group, base);
        thawIfOvertaken(group, base, known);
        group.dismissAnswered();
        if (!group.dismissOver(time.nanoTime(), maxAttempts)
                || !group.isFrozen() && !plan(group, base, base.equals(kept) ? known : agreed(terms.current()))) {
            return Ended.UNSENT;
        }
        if (group.isAllocation() && isOpenedAlready(group.pending())) {
            group.thaw();
            return Ended.LOST;
        }
        return write(group);
    }

    /**
     * The definition came into use after the counter was looked for: only another look tells whether it was opened
     * meanwhile, or is gone.
     */
    private boolean isOpenedAlready(Plan plan) {
        return plan.base().isAbsent() && plan.terms().isInUse() && fixed.isNeverReset();
    }

    private Terms agreed(Terms present) {
        if (!present.fixed().equals(fixed)) {
            throw new OutdatedException();
        }
        return present;
    }

    private boolean turnIsOver() {
        if (!turn.isOver(time.nanoTime())) {
            return false;
        }
        time.pause(turn.end(random.getAsDouble()));
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
            afterPause(Objects.equals(before.version(), found.get().version()));
        }
        if (seen.isOfAnotherEpoch(found.get().state())) {
            // Somebody may have changed the format and then advanced further than the range that the kept one may be
            // used in.
            agreed(terms.reloaded());
        }
        seen.compare(found.get().state(), group.isAllocation());
        return found.get();
    }

    /**
     * Where a counter of this definition was there already, only an advance may begin another one: it says from where
     * on.
     */
    private Versioned absent(Group group, Terms known) {
        CounterState first = CounterState.first(fixed.start(), time.now());
        boolean wasThere = seen.isAny() || known.isInUse() && fixed.isNeverReset();
        if (wasThere && group.isAllocation() && !isBegunAgain(first)) {
            throw seen.rolledBack("is gone");
        }
        return new Versioned(first, null);
    }

    /**
     * Whether the owner has defined the sequence anew after its table was lost, and to begin beyond what this process
     * has seen.
     */
    private boolean isBegunAgain(CounterState first) {
        return !agreed(terms.reloaded()).isInUse() && !seen.isBeyond(first);
    }

    private void afterPause(boolean isUnused) {
        if (isUnused) {
            turn.sawNobody();
        } else {
            turn.sawRival();
        }
    }

    /**
     * Finds out which row of the ledger was in the way, now that the counter is read and was not written by this group.
     */
    private void resolveClash(Group group, Versioned base) {
        if (!group.hasClashed()) {
            return;
        }
        if (answerFromLedger(group, group.openSlots())) {
            // A key of the group exists, so no write of the whole group can win any more.
            group.thaw();
            admit.accept(group);
        } else if (Objects.equals(group.pending().base().version(), base.version())) {
            resolveBehindLedger(group, base);
        }
    }

    private void resolveBehindLedger(Group group, Versioned base) {
        if (group.isAllocation()) {
            throw seen.behindLedger(base.state());
        }
        // The range that is passed over ends where a row of the ledger ends that outlived a restore: whatever comes
        // next begins there.
        group.freeze(group.pending().withoutLedger());
    }

    private void thawIfOvertaken(Group group, Versioned base, Terms known) {
        if (group.isFrozen() && group.pending().isOvertaken(base, known)) {
            turn.sawRival();
            group.thaw();
            admit.accept(group);
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
                KeyMatch.mismatch(request, id.period(), earlier)
                        .ifPresentOrElse(slot::refuse, () -> slot.answer(earlier.asReplay()));
            }
        }
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
    private boolean plan(Group group, Versioned base, Terms known) {
        Plan plan = planFor(group, base, known);
        if (!plan.refused().isEmpty()) {
            // A known key takes no numbers after all; and the definition may have become wider, or revived.
            answerFromLedger(group, group.openSlots());
            plan = planFor(group, base, agreed(terms.reloaded()));
        }
        plan.refused().forEach(refusal -> refusal.slot().refuse(refusal.problem()));
        if (plan.isEmpty()) {
            // What was read for anything but an allocation may be a restored counter, and was not refused for it. That
            // there is no counter
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

    /**
     * An instance gives numbers only by a definition that it has read as in use, or marks so in the same transaction.
     */
    private Terms usable(Group group, Versioned base, Terms known) {
        Terms present = base.isAbsent() || known.isInUse() ? known : agreed(terms.reloaded());
        if (!Plan.marksDefinition(base, present)) {
            return present;
        }
        if (!base.isAbsent() && group.isAllocation()) {
            throw seen.rolledBack("is there, but its definition is from before its first number");
        }
        return agreed(terms.markable());
    }

    private Ended write(Group group) {
        List<Call> certain =
                group.calls().stream().filter(call -> !call.mayHaveConsumed()).toList();
        if (!certain.stream().allMatch(Call::enlist)) {
            certain.forEach(Call::discharge);
            group.thaw();
            return Ended.UNSENT;
        }
        kept = null;
        int calls = group.calls().size();
        // Also when an Error breaks it off: whether it was sent is then not known.
        Ended ended = Ended.UNKNOWN;
        long began = time.nanoTime();
        try {
            WriteResult result = timed(group, () -> store.write(group.pending().write(id)));
            ended = ended(result);
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

    private static Ended ended(WriteResult result) {
        if (result instanceof WriteResult.Lost lost) {
            return lost.reason() == WriteResult.Reason.EXISTS ? Ended.CLASHED : Ended.LOST;
        }
        return result instanceof WriteResult.Won ? Ended.WON : Ended.UNKNOWN;
    }

    private void settle(Group group, @Nullable String version) {
        Plan plan = group.pending();
        if (group.isAllocation()) {
            // After anything else the next attempt reads, and finds out whether a restored counter was moved far
            // enough.
            seen.wrote(plan.after());
            kept = version == null ? null : new Versioned(plan.after(), version);
        }
        if (plan.marksDefinition()) {
            terms.marked(plan.terms());
        }
        turn.wrote(time.nanoTime());
        group.forEach(Call::won);
        plan.shares().forEach(share -> share.slot().answer(share.outcome()));
        group.thaw();
        group.dismissAnswered();
        events.reached(plan.terms().series(), plan.after());
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
