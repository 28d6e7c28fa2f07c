package dev.numera.core.counter;

import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.DateLimits;
import dev.numera.core.model.DefinitionChangedException;
import dev.numera.core.model.KeyForm;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Series;
import dev.numera.core.model.Versioned;
import dev.numera.core.retry.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;

/**
 * Computes the plan of a group from the counter that was read, and freezes the group on it. Chooses the definition to
 * plan by, and reads the ledger as far as the plan needs it. Not thread-safe: only the leading thread calls it.
 */
final class GroupPlanner {
    private final CounterId id;
    private final DateLimits dateLimits;
    private final Clock time;
    private final KnownCounter knownCounter;
    private final PeerWatcher peers;
    private final LedgerReads ledger;

    GroupPlanner(
            CounterId id,
            DateLimits dateLimits,
            Clock time,
            KnownCounter known,
            PeerWatcher peers,
            LedgerReads ledger) {
        this.id = id;
        this.dateLimits = dateLimits;
        this.time = time;
        this.knownCounter = known;
        this.peers = peers;
        this.ledger = ledger;
    }

    /**
     * Plans a write for requests of any kind except imports.
     *
     * @param requests peer requests, which the plan answers in this order as long as they fit
     */
    static Plan planOf(
            CounterId id,
            Versioned<CounterState> base,
            Sequence definition,
            String operationId,
            List<WaitingCall.Slot> slots,
            List<PeerRequest> requests,
            DateLimits limits,
            Instant now) {
        return slots.isEmpty() || slots.get(0).request instanceof NumberRequest
                ? NumberPlan.of(id, base, definition, operationId, slots, requests, limits, now)
                : MovePlan.of(id, base, definition, operationId, slots.get(0), now);
    }

    /**
     * Computes the plan of a group, and freezes the group on it. From then on no call joins or leaves the group, and
     * each attempt sends this plan, until its outcome is known.
     *
     * @param others peer requests that the write may answer
     * @param isKept whether the base was kept from the last write instead of being read
     * @return whether the group has a plan to write
     */
    boolean freeze(
            WriteGroup group, Versioned<CounterState> base, List<PeerRequest> others, boolean isKept, Sequence known) {
        answerOtherForms(group, known);
        Plan plan = planFor(group, base, known, others);
        if (isKept && plan.isRefusedByState()) {
            // Another instance may have written since the base was kept. Read the counter again, so that the refusal
            // states the numbers that are left now.
            knownCounter.forget();
            return false;
        }
        if (!plan.refused().isEmpty()) {
            // A request whose key is in the ledger takes no numbers, so it is answered instead of refused. The
            // definition is read again below, because its range may be wider now or the sequence revived.
            ledger.answer(group, ledger.find(group, WaitingCall.keys(group.openSlots())));
        }
        if (!plan.refused().isEmpty() || plan.beginsRound()) {
            plan = planFor(group, base, knownCounter.reloaded(), others);
        }
        peers.leave(plan.undecided());
        plan.refusedAnyway().forEach(Plan.Settled::answer);
        if (plan.isEmpty()) {
            plan.shares().forEach(Plan.Settled::answer);
            // A base is kept only if the next allocation may rely on it. For a move, the counter was read without being
            // refused as restored. An absent counter proves nothing later: its absence was judged by a definition that
            // was read before it.
            knownCounter.keep(!group.isMove() && !base.isAbsent() ? base : null);
            return false;
        }
        if (!group.unsought().isEmpty()) {
            throw new DefinitionChangedException();
        }
        group.freezeOn(plan);
        return true;
    }

    private Plan planFor(WriteGroup group, Versioned<CounterState> base, Sequence known, List<PeerRequest> others) {
        Sequence usable = definitionToPlanBy(group, base, known);
        requireOpenable(group, base, usable);
        List<WaitingCall.Slot> slots = group.openSlots();
        if (group.isAllocation()) {
            List<PeerRequest> requests =
                    PeerTurns.inOrder(peers.unhandled(others), base.value().epoch());
            return NumberPlan.of(id, base, usable, group.operationId(), slots, requests, dateLimits, time.now());
        }
        return group.isImport()
                ? imported(group, base, usable, slots)
                : MovePlan.of(id, base, usable, group.operationId(), slots.get(0), time.now());
    }

    /**
     * Rejects the plan of a new counter whose definition has a restore margin. The counter may have existed before the
     * restore, so a separate write opens it beyond the margin first.
     */
    private static void requireOpenable(WriteGroup group, Versioned<CounterState> base, Sequence present) {
        if (base.isAbsent() && present.restoreMargin() > 0) {
            boolean isRefused = present.isStopped() && !group.isMove();
            if (!isRefused && !group.isSkip()) {
                throw new DefinitionChangedException();
            }
        }
    }

    /** Plans an import. The ledger is read after the counter, on whose version the write is conditioned. */
    private Plan imported(
            WriteGroup group, Versioned<CounterState> base, Sequence usable, List<WaitingCall.Slot> slots) {
        if (usable.isStopped()) {
            return Plan.refuseAll(base, slots, usable.refusalAsStopped(), usable);
        }
        if (slots.get(0).request instanceof CounterRequest.Accept request) {
            return accepted(group, base, usable, request);
        }
        List<CounterRequest.Import> requests =
                slots.stream().map(slot -> (CounterRequest.Import) slot.request).toList();
        if (usable.keyForm() != KeyForm.NFC && requests.stream().anyMatch(CounterRequest.Import::hasKeyForms)) {
            throw new DefinitionChangedException();
        }
        NavigableMap<Long, LedgerRow> byNumber = ledger.rows(group, requests);
        requireNotBehind(group, base, usable.series(), byNumber.values());
        ImportPlan plan = new ImportPlan(base, usable, requests.get(0).change(), byNumber, time.now());
        List<String> keys = group.everClashed() ? ImportPlan.keys(requests) : plan.uncertainKeys(requests);
        return plan.plan(id, group.operationId(), slots, ledger.find(group, keys));
    }

    /**
     * Plans the acceptance of left-out numbers. Reads one row more than a write can change, so that a longer range is
     * refused.
     */
    private Plan accepted(
            WriteGroup group, Versioned<CounterState> base, Sequence usable, CounterRequest.Accept request) {
        List<LedgerRow> rows = ledger.rowsFrom(group, request.lowest(), WriteLimits.ACCEPTED + 1);
        requireNotBehind(group, base, usable.series(), rows);
        return new Accepting(id, base, usable, request, time.now())
                .plan(group.operationId(), group.openSlots().get(0), rows);
    }

    /**
     * Refuses the group if a ledger row is at or beyond the counter's next number: an old counter was restored. If
     * another instance has moved the counter since it was read, the row proves nothing: the group's write will be lost,
     * and the numbers that its plan refuses stay refused.
     */
    private void requireNotBehind(
            WriteGroup group, Versioned<CounterState> base, Series series, Collection<LedgerRow> rows) {
        boolean isBehind = rows.stream()
                .anyMatch(row -> !series.isBefore(row.last(), base.value().next()));
        if (isBehind && ledger.isStill(group, base)) {
            throw knownCounter.behindLedger(base.value());
        }
    }

    /**
     * Returns the definition to plan by. An instance allocates numbers only by a definition that it has read as in use,
     * or that it marks as in use in the same transaction.
     */
    private Sequence definitionToPlanBy(WriteGroup group, Versioned<CounterState> base, Sequence known) {
        boolean isNew = base.isAbsent();
        Sequence present = known;
        boolean isMarked = present.isInUse();
        if (!isNew && !isMarked) {
            present = knownCounter.reloaded();
            isMarked = present.isInUse();
        }
        if (!isNew && !isMarked && !group.isMove()) {
            throw knownCounter.rolledBack("exists, but its definition was never marked as in use");
        }
        return !isNew && isMarked && group.isAllocation() ? present : knownCounter.markable();
    }

    /**
     * Answers the requests whose keys an earlier version stored in another Unicode form. The result "no row under any
     * form" is final only after the sequence stores all keys in NFC: from then on, another instance can add a row only
     * in that form.
     */
    private void answerOtherForms(WriteGroup group, Sequence known) {
        List<WaitingCall.Slot> unsought = group.unsought();
        if (!unsought.isEmpty()) {
            ledger.answer(group, ledger.find(group, WaitingCall.keys(unsought)));
            if (known.keyForm() == KeyForm.NFC) {
                unsought.forEach(WaitingCall.Slot::sought);
            }
        }
    }
}
