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
 * Performs write attempts, one at a time: reads the counter, plans the write of a group, sends it and answers the
 * calls. This class sends the requests in their order; {@link NumberPlan} and {@link WriteVerdict} decide.
 *
 * <p>Why no number is allocated twice:
 *
 * <ul>
 *   <li>Version and state come from one read. Answers leave only after the write is known to have won.
 *   <li>A key with one Unicode form is not looked up before a write. The same transaction inserts a row for each key,
 *       so a key that has numbers refuses the whole write, and its stored numbers are the answer.
 *   <li>A write that is not known to have won leaves its group frozen: same calls, same plan, same operation id. The
 *       next attempt reads first, and there are three cases. Example: the group {a, b} writes under the id X at version
 *       7, and the write times out. (1) The counter has X among its last ids: the write had won, however it was
 *       answered, be it by a timeout, late, or by the refusal of a second copy that an intermediary sent. (2) The
 *       counter is still at version 7: the same plan is sent again, and at most one of all these writes can win. (3)
 *       The counter is at version 8 without X: no write under X can win any more.
 *   <li>A write may also be conditioned on the definition or on a peer request. If such a row was found at another
 *       version, and the counter was read after that, no write under X can win any more either.
 *   <li>If no write has won, the group continues under a new id. The counter's ids prove that as long as they reach
 *       back to the state that the write was computed from. Later, a group whose writes were all refused continues too;
 *       a row that is found under its old id is its own. After an unanswered write, the rows of the group's keys, which
 *       carry the id of the write, are the proof. Without keys the outcome stays unknown.
 *   <li>The first write to a counter creates it, on condition of the version of the definition that the write was
 *       computed by, and marks the definition as in use in the same transaction. So a change of the definition and a
 *       first number never mix.
 *   <li>A key with several Unicode forms is looked up in all of them, until the definition says that every instance
 *       stores only one form. From then on a row in that form blocks a second number.
 *   <li>A counter that is behind the state that this process has observed, or that is gone although its definition is
 *       in use, was restored from a backup. It is refused until an advance moves it into a new epoch.
 * </ul>
 *
 * <p>A group that keeps losing requests its numbers from the instances that win: see {@link PeerRequester}. Not
 * thread-safe: only the leading thread calls it, except {@link #hasPeerRequests}.
 */
final class Attempt {
    /**
     * The verdicts that let the same attempt continue, either with the same write or with a group that was reopened.
     */
    private static final Set<Proved> ATTEMPTED_FURTHER = EnumSet.of(
            Proved.LOST, Proved.PROBABLY_LOST, Proved.MAY_STILL_WIN, Proved.NOT_OURS_TO_DECIDE, Proved.BEHIND_LEDGER);

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

    /** Drops the kept state, so that the next attempt reads the counter. */
    void forget() {
        knownCounter.forget();
    }

    /** Whether peers have requested numbers that this instance can allocate without a read. Thread-safe. */
    boolean hasPeerRequests() {
        return knownCounter.kept() != null && peers.hasFound();
    }

    /** Answers peer requests when this instance has nothing to write for its own calls. */
    void servePeers() {
        answers.serve();
    }

    /**
     * Sends at most one write for a group. Removes some of the calls that are answered by then; the caller of this
     * method removes the others.
     *
     * @return how the write ended, a loss also without a write; empty if the next attempt may follow at once, because
     *     there was nothing to write, a caller left just before, or the attempt was a step of a peer request
     * @throws StoreFailure before anything was written
     * @throws DefinitionChangedException the definition has other fixed fields now
     * @throws ProblemException a problem of all calls in the group
     */
    Optional<WriteResult> once(WriteGroup group) {
        PostedGroup own = group.ownRequest();
        if (own != null) {
            return requester.follow(group, own);
        }
        // The definition must be read before the counter. Example: the pending write creates the counter, on condition
        // of version 1 of the definition. If the counter were read first, as absent, the write could land next and mark
        // the definition, which changes its version. Reading version 2 afterwards would seem to prove the write lost,
        // though it has won.
        boolean isFrozen = group.isFrozen();
        Sequence known = definitionFor(group);
        if (!isFrozen && requester.requestAgain(group, known, admit)) {
            return Optional.empty();
        }
        StartingPoint start = keptOrRead(group, known);
        if (isFrozen) {
            Proved verdict = resolve(group, start, known);
            if (!ATTEMPTED_FURTHER.contains(verdict)) {
                return verdict == Proved.SPURIOUS_REFUSAL ? Optional.of(WriteResult.Refused.CHANGED) : Optional.empty();
            }
            group.dismissAnswered();
        }
        boolean hasWrite = group.dismissOver(time.nanoTime(), limits.maxAttempts())
                && (group.isFrozen() || freezeOnPlan(group, start, known));
        return hasWrite ? write(group) : Optional.empty();
    }

    /**
     * Finds out whether the last write of a group, which was refused, has won, so that calls out of time are not
     * refused although they have numbers.
     *
     * @throws StoreFailure if storage failed, so the outcome stays unknown
     */
    void conclude(WriteGroup group) {
        Sequence known = definitionFor(group);
        resolve(group, read(group, known), known);
    }

    /** Returns the kept definition, or reads it again if a pending write was conditioned on its version. */
    private Sequence definitionFor(WriteGroup group) {
        return group.isFrozen() && group.pending().plan().marksDefinition()
                ? knownCounter.reloaded()
                : knownCounter.current();
    }

    /**
     * The counter and the peer requests that an attempt starts from.
     *
     * @param requests peer requests that the write may answer
     * @param isKept whether the counter's state was kept from the last write instead of being read
     * @param isPeerGone whether a peer request that the pending write would answer is no longer open, so that no
     *     earlier write can win
     * @param isNumberTaken whether the ledger has a row with the numbers of the pending write; null if that was not
     *     read
     */
    private record StartingPoint(
            Versioned<CounterState> counter,
            List<PeerRequest> requests,
            boolean isKept,
            boolean isPeerGone,
            @Nullable Boolean isNumberTaken) {}

    /** Returns the kept state, or reads the counter if that is outdated or missing, as for each frozen group. */
    private StartingPoint keptOrRead(WriteGroup group, Sequence known) {
        Versioned<CounterState> kept = knownCounter.kept();
        if (!peers.pauseForOthers() && kept != null && !peers.isProbablyOutdated()) {
            return new StartingPoint(kept, peers.takeFound(), true, false, null);
        }
        knownCounter.forget();
        StartingPoint start = read(group, known);
        peers.compared(kept, start.counter());
        return start;
    }

    private StartingPoint read(WriteGroup group, Sequence known) {
        GroupState.Pending pending = group.isFrozen() ? group.pending() : null;
        // The ledger must be read before the counter: a counter read afterwards shows the write's id if the row belongs
        // to the pending write.
        Boolean isNumberTaken = pending != null
                        && pending.hasClashed()
                        && LedgerReads.keysOf(group).isEmpty()
                ? (Boolean) ledger.isNumberTaken(group)
                : null;
        PeerWatcher.Look look = group.timed(
                time,
                () -> peers.look(pending == null ? null : pending.plan().base().version()));
        boolean isPeerGone = isPeerGone(group, look);
        // The counter must be read again after a peer request was found at another version: only that read shows
        // whether an earlier write has won.
        Optional<Versioned<CounterState>> counter =
                isPeerGone ? group.timed(time, () -> store.read(id)) : look.counter();
        Versioned<CounterState> accepted = knownCounter.accept(counter, known, !group.isMove());
        return new StartingPoint(
                accepted, Objects.requireNonNullElse(look.requests(), List.of()), false, isPeerGone, isNumberTaken);
    }

    /**
     * Freezes the group on a plan; returns false if there is nothing to write or the numbers are requested from peers.
     */
    private boolean freezeOnPlan(WriteGroup group, StartingPoint start, Sequence known) {
        if (start.isKept()) {
            boolean arePeersServed = !start.requests().isEmpty()
                    && group.isAllocation()
                    && group.timed(time, () -> answers.serveFirst(start.counter(), start.requests()));
            return !arePeersServed && planner.freeze(group, start.counter(), start.requests(), true, known);
        }
        boolean isUnlucky = group.losses() >= limits.lossesBeforePeerRequest();
        boolean isPosted = isUnlucky && !start.counter().isAbsent() && requester.request(group, start.counter(), known);
        return !isPosted && planner.freeze(group, start.counter(), start.requests(), false, knownCounter.current());
    }

    /**
     * Whether a peer request that the pending write would answer is no longer open. Looks for it only while the
     * counter's version is unchanged: another version proves by itself that no earlier write can win.
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

    /**
     * Finds out from a new read of the counter how the earlier writes of a frozen group ended, and acts on the verdict.
     */
    private Proved resolve(WriteGroup group, StartingPoint start, Sequence known) {
        Evidence evidence = new Evidence(known, start.counter(), start.isPeerGone(), null, null, start.isNumberTaken());
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
                peers.lost();
                admit.accept(group);
            }
            case PROBABLY_LOST -> {
                group.leaveOpen();
                admit.accept(group);
            }
            case NOT_OURS_TO_DECIDE -> {
                peers.leave(group.pending().plan().answeredWithKeys());
                group.leaveOpen();
                admit.accept(group);
            }
            case MAY_STILL_WIN -> {}
            case SPURIOUS_REFUSAL -> group.refused();
            case BEHIND_LEDGER -> behindLedger(group, evidence.counter());
            case UNRESOLVABLE -> group.giveUp(time.nanoTime());
        }
    }

    private void won(WriteGroup group, Versioned<CounterState> counter) {
        events.foundWon();
        Plan plan = group.pending().plan();
        boolean wasReadBefore = Objects.equals(plan.base().version(), counter.version());
        landed(plan, wasReadBefore ? null : counter);
        answer(group, plan);
    }

    private void behindLedger(WriteGroup group, Versioned<CounterState> counter) {
        if (group.isAllocation()) {
            throw knownCounter.behindLedger(counter.value());
        }
        // A ledger row that outlived a restore ends where the skipped range ends, so the next number follows both.
        group.withoutRows();
    }

    /** Sends the group's pending write, unless the definition came into use after the counter was found absent. */
    private Optional<WriteResult> write(WriteGroup group) {
        Plan plan = group.pending().plan();
        if (knownCounter.isOpenedAlready(plan) && !group.isMove()) {
            group.reopen();
            return Optional.of(WriteResult.Refused.CHANGED);
        }
        List<WaitingCall> calls = plan.calls();
        Optional<EnlistedCalls> enlisted = EnlistedCalls.allOf(calls);
        if (enlisted.isEmpty()) {
            group.reopen();
            return Optional.empty();
        }
        WriteResult result;
        try {
            result = group.timed(time, () -> commit(plan, calls.size()));
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
     * Sends the write of a plan, for calls of this process or for peers only. Drops the kept state before sending, and
     * keeps a new one only if the write has won: after any other end the next attempt has to read. Blocks for one
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
        if (result.isOvertaken()) {
            peers.lost();
        }
        events.attempted(result, calls, nanos);
        return result;
    }

    /**
     * Records that a write of the plan has won.
     *
     * @param present the counter after that write, or after later ones; null if it must be read
     */
    private void landed(Plan plan, @Nullable Versioned<CounterState> present) {
        // The next attempt after a move reads the counter, and so finds out whether a restored counter was moved far
        // enough.
        CounterState after = plan.after();
        if (!plan.isMove()) {
            knownCounter.wrote(after, present);
        }
        if (plan.marksDefinition()) {
            knownCounter.marked(plan.definition());
        }
        peers.wrote(plan.answered(), plan.allocations());
        events.reached(plan.definition(), after);
    }

    private static void answer(WriteGroup group, Plan plan) {
        group.forEach(WaitingCall::won);
        plan.shares().forEach(Plan.Settled::answer);
        group.reopen();
    }
}
