package dev.numera.core.counter;

import dev.numera.core.counter.WriteVerdict.Evidence;
import dev.numera.core.counter.WriteVerdict.Missing;
import dev.numera.core.counter.WriteVerdict.Proved;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.DateLimits;
import dev.numera.core.model.DefinitionChangedException;
import dev.numera.core.model.FixedFields;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.Limits;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Attempts to write for one group of calls after another: reads the counter, plans, writes and answers. Sends the
 * storage requests in a safe order; the decisions are made by {@link NumberPlan} and {@link WriteVerdict}.
 *
 * <p>Why no number is allocated twice:
 *
 * <ul>
 *   <li>The counter's version and state come from one response of storage. Callers get numbers only after the write is
 *       known to have won.
 *   <li>A write that is not known to have won leaves its group frozen: same members, same plan, same operation id. The
 *       next attempt reads first. If the id is among the counter's last ids, the write has won, even if storage
 *       answered with a timeout, with the refusal of an intermediary's second copy, or late. If the counter is at the
 *       same version, the same plan is sent again, and at most one of these writes can win. If the counter is at
 *       another version, none of them can still win. The same holds if a row on which the write was conditioned, the
 *       definition or a peer request, was found at another version before the counter was read.
 *   <li>If no write has won, the group continues under a new id. The counter's last ids prove this as long as they
 *       reach back to the state that the plan was computed from. The ledger rows of the keys contain the id of their
 *       write, so they prove it at any time. Without either proof, the outcome stays unknown.
 *   <li>The first write to a counter creates it, in one transaction that also marks the definition as in use. The
 *       transaction is conditioned on the version of the definition that the plan was computed from, so a change of the
 *       definition and a first number never mix. If a later read finds that the definition and then the counter have
 *       changed, a write conditioned on the definition can no longer win.
 *   <li>A key with several Unicode forms is looked up in all of them, until the definition says that every instance
 *       stores only one form. From then on, a row in that form prevents a second number.
 *   <li>A counter that is behind the state that this process has observed was restored. Allocations from it are refused
 *       until an operator advances it, which gives it a new epoch. They are also refused if the counter no longer
 *       exists although its definition is in use.
 * </ul>
 *
 * <p>A group that keeps losing requests its numbers from the instances that win: see {@link PeerRequester}. Not
 * thread-safe: only the leading thread calls it, except {@link #hasKept} and {@link #hasPeerRequests}.
 */
final class Attempt {
    /** The verdicts after which the attempt continues, with the same write or with a released group. */
    private static final Set<Proved> ATTEMPTED_FURTHER = EnumSet.of(
            Proved.LOST, Proved.PROBABLY_LOST, Proved.STILL_OPEN, Proved.NOT_OURS_TO_DECIDE, Proved.BEHIND_LEDGER);

    private final CounterId id;
    private final FixedFields fixed;
    private final Limits limits;
    private final CounterStore store;
    private final Clock time;
    private final CounterEvents events;
    private final Consumer<WriteGroup> admit;
    private final PeerWatcher peers;
    private final KnownCounter knownCounter;
    private final PeerAnswers answers;
    private final PeerRequester requester;
    private final LedgerReads ledger;
    private final GroupPlanner planner;

    /** @param admit lets waiting calls join a group, as far as the group admits them */
    Attempt(
            CounterId id,
            FixedFields fixed,
            Limits limits,
            CounterEnvironment environment,
            CounterEvents events,
            Consumer<WriteGroup> admit,
            KnownCounter known,
            PeerWatcher peers) {
        this.id = id;
        this.fixed = fixed;
        this.limits = limits;
        DateLimits dateLimits = new DateLimits(limits.maxDaysAhead(), limits.maxDaysBack());
        this.store = environment.store();
        this.time = environment.time();
        this.events = events;
        this.admit = admit;
        this.peers = peers;
        this.knownCounter = known;
        this.answers = new PeerAnswers(id, time, known, peers, plan -> commit(plan, 0));
        this.requester = new PeerRequester(
                id, fixed.increment(), limits, dateLimits, environment, known, peers, answers, events);
        this.ledger = new LedgerReads(id, environment);
        this.planner = new GroupPlanner(id, dateLimits, time, known, peers, ledger);
    }

    /**
     * Whether the counter is still in the epoch of this state, and not behind it; see {@link Counter#hasKept}.
     * Thread-safe.
     */
    boolean hasKept(CounterState written) {
        CounterState before = Objects.requireNonNullElse(knownCounter.farthest(), written);
        CounterState present =
                store.read(id).orElseThrow(() -> knownCounter.gone()).value();
        return present.epoch() == written.epoch()
                && !present.isBehind(written, fixed)
                && !present.isBehind(before, fixed);
    }

    /** Drops the kept state, so that the next attempt reads the counter. */
    void forget() {
        knownCounter.forget();
    }

    /** Whether this instance has found peer requests that it can answer without reading the counter. */
    boolean hasPeerRequests() {
        return knownCounter.kept() != null && peers.hasFound();
    }

    /** Answers peer requests when this instance has nothing to write for its own callers. */
    void servePeers() {
        answers.serve();
    }

    /**
     * Tries to write the numbers that a group needs. Removes some of the calls that it answers; the caller removes the
     * rest.
     *
     * @return how the write ended; empty if the next attempt may follow at once, because there was nothing to write, a
     *     caller gave up just before, or the attempt was a step of a peer request
     * @throws StoreFailure if storage failed before anything was written
     * @throws DefinitionChangedException if the fixed fields of the definition have changed
     * @throws ProblemException if the whole group is refused
     */
    Optional<WriteResult> once(WriteGroup group) {
        PostedGroup own = group.ownRequest();
        if (own != null) {
            return requester.follow(group, own);
        }
        // Reads the definition before the counter: conclusions from both, for example that a pending write can no
        // longer
        // win, are safe only in this order.
        Sequence known = definitionFor(group);
        if (!group.isFrozen() && requester.requestAgain(group, known, admit)) {
            return Optional.empty();
        }
        Base base = keptOrRead(group, known);
        if (group.isFrozen()) {
            Proved verdict = resolve(group, base, known);
            if (!ATTEMPTED_FURTHER.contains(verdict)) {
                return verdict == Proved.SPURIOUS_REFUSAL ? Optional.of(WriteResult.Lost.CHANGED) : Optional.empty();
            }
        }
        boolean hasWrite = group.dismissOver(time.nanoTime(), limits.maxAttempts())
                && (group.isFrozen() || freezeOnPlan(group, base, known));
        return hasWrite ? write(group) : Optional.empty();
    }

    /**
     * Finds out whether the last write of a group has won, before the group is dismissed. Does nothing unless that
     * write was refused.
     *
     * @throws StoreFailure if storage failed, so the outcome stays unknown
     */
    void conclude(WriteGroup group) {
        if (group.wasRefused()) {
            Sequence known = definitionFor(group);
            resolve(group, read(group, known), known);
        }
    }

    /**
     * Returns the definition that was read last, or reads it again if a pending write was conditioned on its version.
     */
    private Sequence definitionFor(WriteGroup group) {
        return group.isFrozen() && group.pending().plan().marksDefinition()
                ? knownCounter.reloaded()
                : knownCounter.current();
    }

    /**
     * The counter and the peer requests that an attempt starts from.
     *
     * @param requests the peer requests that may be answered with the write
     * @param isKept whether the counter is from the last write, not from a read
     * @param isPeerGone whether a peer request that the pending write would answer is no longer open, so that no
     *     earlier write can win
     * @param isNumberTaken whether the ledger has a row with the numbers of the pending write; null if the ledger was
     *     not searched
     */
    private record Base(
            Versioned<CounterState> counter,
            List<PeerRequest> requests,
            boolean isKept,
            boolean isPeerGone,
            @Nullable Boolean isNumberTaken) {
        Base(Versioned<CounterState> counter, List<PeerRequest> requests, boolean isKept) {
            this(counter, requests, isKept, false, null);
        }
    }

    /** Returns the state that the last write left, or reads the counter if another instance may have written since. */
    private Base keptOrRead(WriteGroup group, Sequence known) {
        if (peers.pauseForOthers()) {
            knownCounter.forget();
        }
        Versioned<CounterState> kept = knownCounter.kept();
        return kept == null ? read(group, known) : new Base(kept, peers.takeFound(), true);
    }

    private Base read(WriteGroup group, Sequence known) {
        GroupState.Pending pending = group.isFrozen() ? group.pending() : null;
        // Searches the ledger before reading the counter: only a later read of the counter shows which write added the
        // row.
        Boolean isNumberTaken = pending != null
                        && pending.hasClashed()
                        && LedgerReads.keysOf(group).isEmpty()
                ? (Boolean) ledger.isNumberTaken(group)
                : null;
        PeerWatcher.Look look = group.timed(
                time,
                () -> peers.look(pending == null ? null : pending.plan().base().version()));
        boolean isPeerGone = isPeerGone(group, look);
        // Reads the counter again: only a read after the peer request was found at another version shows whether an
        // earlier write has won.
        Optional<Versioned<CounterState>> counter =
                isPeerGone ? group.timed(time, () -> store.read(id)) : look.counter();
        Versioned<CounterState> accepted = knownCounter.accept(counter, known, !group.isMove());
        return new Base(
                accepted, Objects.requireNonNullElse(look.requests(), List.of()), false, isPeerGone, isNumberTaken);
    }

    /** Freezes the group on a plan, unless there is nothing to write or the numbers are requested from peers. */
    private boolean freezeOnPlan(WriteGroup group, Base base, Sequence known) {
        if (base.isKept()) {
            boolean arePeersServed = group.isAllocation()
                    && group.timed(time, () -> answers.serveFirst(base.counter(), base.requests()));
            return !arePeersServed && planner.hold(group, base.counter(), base.requests(), base.isKept(), known);
        }
        boolean isUnlucky = group.losses() >= limits.lossesBeforePeerRequest();
        if (isUnlucky && !base.counter().isAbsent() && requester.request(group, base.counter(), known)) {
            return false;
        }
        return planner.hold(group, base.counter(), base.requests(), base.isKept(), knownCounter.current());
    }

    /**
     * Whether a peer request that the pending write would answer is no longer open. Checks this only while the counter
     * is unchanged: a new version of the counter already proves that no earlier write can win.
     */
    private boolean isPeerGone(WriteGroup group, PeerWatcher.Look look) {
        if (!group.isFrozen()) {
            return false;
        }
        Plan pending = group.pending().plan();
        boolean isCounterAsBefore = look.counter()
                .map(Versioned::version)
                .equals(Optional.ofNullable(pending.base().version()));
        return isCounterAsBefore && group.timed(time, () -> peers.haveLeft(pending.answered(), look.requests()));
    }

    /** Finds out how the earlier writes of a frozen group ended, now that the counter was read, and acts on it. */
    private Proved resolve(WriteGroup group, Base base, Sequence known) {
        Evidence evidence = new Evidence(known, base.counter(), base.isPeerGone(), null, null, base.isNumberTaken());
        WriteVerdict verdict = WriteVerdict.on(group.pending(), evidence, fixed);
        while (verdict instanceof Missing missing) {
            evidence = ledger.add(group, evidence, missing);
            verdict = WriteVerdict.on(group.pending(), evidence, fixed);
        }
        Proved proved = (Proved) verdict;
        act(group, proved, evidence);
        return proved;
    }

    private void act(WriteGroup group, Proved verdict, Evidence evidence) {
        switch (verdict) {
            case WON -> won(group, evidence.counter());
            case LOST -> {
                ledger.answer(group, evidence.keys());
                group.lost();
                letJoin(group);
            }
            case PROBABLY_LOST -> {
                group.leaveOpen();
                letJoin(group);
            }
            case NOT_OURS_TO_DECIDE -> {
                peers.leave(group.pending().plan().answeredWithKeys());
                group.leaveOpen();
                letJoin(group);
            }
            case STILL_OPEN -> {}
            case SPURIOUS_REFUSAL -> group.refused();
            case BEHIND_LEDGER -> behindLedger(group, evidence.counter());
            case UNRESOLVABLE -> group.giveUp(time.nanoTime());
        }
    }

    private void won(WriteGroup group, Versioned<CounterState> counter) {
        events.foundWon();
        Plan plan = group.pending().plan();
        boolean isBefore = Objects.equals(plan.base().version(), counter.version());
        landed(plan, isBefore ? null : counter);
        answer(group, plan);
    }

    private void behindLedger(WriteGroup group, Versioned<CounterState> counter) {
        if (group.isAllocation()) {
            throw knownCounter.behindLedger(counter.value());
        }
        // A ledger row that outlived a restore ends where the skipped range ends, so the next number follows both.
        group.withoutRows();
    }

    private void letJoin(WriteGroup group) {
        peers.saw();
        admit.accept(group);
    }

    /** Sends the group's pending write, unless a peer may have created the counter since it was read as absent. */
    private Optional<WriteResult> write(WriteGroup group) {
        Plan plan = group.pending().plan();
        if (!group.isMove() && knownCounter.isOpenedAlready(plan)) {
            group.release();
            return Optional.of(WriteResult.Lost.CHANGED);
        }
        Optional<EnlistedCalls> enlisted = EnlistedCalls.allOf(group.calls());
        if (enlisted.isEmpty()) {
            group.release();
            return Optional.empty();
        }
        WriteResult result;
        try {
            result = group.timed(time, () -> commit(plan, group.calls().size()));
        } catch (StoreFailure e) {
            group.unsent(enlisted.get());
            throw e;
        }
        if (result instanceof WriteResult.Won) {
            answer(group, plan);
        } else {
            group.sent(result, enlisted.get());
        }
        return Optional.of(result);
    }

    /**
     * Sends the write of a plan, for calls of this process or for peers only. Drops the kept state before it sends the
     * write, and only a won write leaves a new one: after any other result the next attempt has to read. Blocks for one
     * request.
     *
     * @param ownCalls how many calls of this process the write is for
     * @throws StoreFailure if nothing was written for certain
     */
    WriteResult commit(Plan plan, int ownCalls) {
        peers.beside(knownCounter.kept() != null);
        knownCounter.keep(null);
        int calls = ownCalls + plan.answered().size();
        long began = time.nanoTime();
        WriteResult result;
        try {
            result = store.write(plan.requireWrite());
        } catch (StoreFailure e) {
            events.failed(calls, time.nanoTime() - began);
            throw e;
        }
        long nanos = time.nanoTime() - began;
        peers.took(nanos);
        if (result instanceof WriteResult.Won won) {
            String version = won.version();
            landed(plan, version == null ? null : new Versioned<>(plan.after(), version));
        }
        events.attempted(result, calls, nanos);
        return result;
    }

    /**
     * Records that a write of the plan was won.
     *
     * @param present the counter after that write, or after later ones; null if it has to be read
     */
    private void landed(Plan plan, @Nullable Versioned<CounterState> present) {
        // After an advance, the next attempt reads the counter to find out whether a restored counter was moved far
        // enough.
        if (!plan.isMove()) {
            knownCounter.wrote(plan.after(), present);
        }
        if (plan.marksDefinition()) {
            knownCounter.marked(plan.definition());
        }
        peers.wrote(plan.answered(), plan.allocations());
        events.reached(plan.definition(), plan.after());
    }

    private static void answer(WriteGroup group, Plan plan) {
        group.forEach(WaitingCall::won);
        plan.shares().forEach(Plan.Settled::answer);
        group.release();
    }
}
