package dev.numera.counter;

import dev.numera.counter.WriteVerdict.Evidence;
import dev.numera.counter.WriteVerdict.Missing;
import dev.numera.counter.WriteVerdict.Proved;
import dev.numera.execution.Clock;
import dev.numera.execution.Limits;
import dev.numera.execution.StoreFailure;
import dev.numera.execution.WriteResult;
import dev.numera.model.CounterId;
import dev.numera.model.CounterState;
import dev.numera.model.DateLimits;
import dev.numera.model.FixedFields;
import dev.numera.model.OutdatedException;
import dev.numera.model.Sequence;
import dev.numera.model.Take;
import dev.numera.model.Versioned;
import dev.numera.problem.ProblemException;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Attempts on one counter for one group of calls after the other: read, plan, write, settle.
 *
 * <p>Why no number is allocated twice:
 *
 * <ul>
 *   <li>Version and state come from one answer. Answers leave only after the write is known to have won.
 *   <li>A write that was not won leaves its group frozen: same members, same plan, same operation id. The next attempt
 *       reads first. A counter that has the id among its last ones was written by this group, however the write was
 *       answered: by a timeout, by a refusal that an intermediary's second copy got, or late. A counter at the same
 *       version gets the same plan again, and at most one of all these writes can win. A counter at another version
 *       proves that none can win any more; so does a row on which the write was conditioned, the definition or a peer
 *       request, that was found at another version before the counter was read.
 *   <li>Then the group changes, under a new id, if none has won. The counter's ids prove that as long as they reach
 *       back to the state that the write was computed from, and the rows of its keys, which carry the id of the write,
 *       at any time. Where neither does, the outcome stays unknown.
 *   <li>A counter is made in one transaction with the first write to it, under the very version of the definition that
 *       the write was computed by, which marks the definition as in use. So a change of the definition and a first
 *       number never mix. A write that was conditioned on the definition can win no more once the definition, and then
 *       the counter, were read and show others.
 *   <li>A key with several Unicode forms is looked up in all of them, once the definition says that no instance stores
 *       any but one. From then on a row in that form is in the way of a second number.
 *   <li>A counter that is behind what this process has seen was restored: it is refused until it is advanced, which
 *       gives it a new epoch. So is one that is gone, though its definition is in use.
 * </ul>
 *
 * <p>A group that loses again and again requests its numbers from the instances that win: see {@link PeerRequester}.
 * Belongs to the leader of the line, but for {@link #hasKept} and {@link #hasPeerRequests}.
 */
final class Attempt {
    /** After these the attempt goes on: with the same write, or with a group that is free. */
    private static final Set<Proved> ATTEMPTED_FURTHER = EnumSet.of(
            Proved.LOST, Proved.PROBABLY_LOST, Proved.STILL_OPEN, Proved.NOT_OURS_TO_DECIDE, Proved.BEHIND_LEDGER);

    private final CounterId id;
    private final FixedFields fixed;
    private final Limits limits;
    private final CounterStore store;
    private final Clock time;
    private final CounterEvents events;
    private final Consumer<Group> admit;
    private final PeerWatcher peers;
    private final View view;
    private final Committer committer;
    private final PeerRequester requester;
    private final LedgerReads ledger;
    private final GroupPlanner planner;

    /**
     * @param admit lets those join a group who wait, as far as it admits them
     * @param wake makes some thread lead the line: peers request something
     */
    Attempt(
            CounterId id,
            FixedFields fixed,
            DefinitionSource terms,
            Limits limits,
            CounterEnvironment surroundings,
            CounterEvents events,
            Consumer<Group> admit,
            Runnable wake) {
        this.id = id;
        this.fixed = fixed;
        this.limits = limits;
        DateLimits dateLimits = new DateLimits(limits.maxDaysAhead(), limits.maxDaysBack());
        this.store = surroundings.store();
        this.time = surroundings.time();
        this.events = events;
        this.admit = admit;
        this.peers = new PeerWatcher(id, surroundings, limits.requestTimeout(), wake);
        this.view = new View(id, fixed, terms, surroundings, peers);
        this.committer = new Committer(id, surroundings, view, peers, events);
        this.requester = new PeerRequester(
                id, fixed.increment(), limits, dateLimits, surroundings, view, peers, committer, events);
        this.ledger = new LedgerReads(id, surroundings);
        this.planner = new GroupPlanner(id, dateLimits, time, view, peers, ledger);
    }

    /** As {@link Counter#hasKept}. Thread-safe. */
    boolean hasKept(CounterState written) {
        CounterState before = Objects.requireNonNullElse(view.farthest(), written);
        CounterState present = store.read(id).orElseThrow(() -> view.gone()).value();
        return present.epoch() == written.epoch()
                && !present.isBehind(written, fixed)
                && !present.isBehind(before, fixed);
    }

    /** Lets the next attempt read. */
    void forget() {
        view.forget();
    }

    /** Whether peers request something that this instance can allocate at once. */
    boolean hasPeerRequests() {
        return view.kept() != null && peers.hasFound();
    }

    /** Answers peer requests, where this instance has nothing to write itself. */
    void servePeers() {
        requester.serve();
    }

    /**
     * Tries to write what a group needs. Some of the calls that have an answer then are removed already; the caller
     * removes the others.
     *
     * @return how the write ended; empty where there is nothing to count, and the next attempt may follow at once:
     *     nothing was left to be written, a caller gave up just before, or it was a step of a peer request
     * @throws StoreFailure before anything was written
     * @throws OutdatedException the definition's fixed fields are others now
     * @throws ProblemException what concerns all of them
     */
    Optional<WriteResult> once(Group group) {
        OwnRequest own = group.ownRequest();
        if (own != null) {
            return requester.follow(group, own);
        }
        // Before the counter is read: what follows from the two is safe in this order only.
        Sequence known =
                group.isFrozen() && group.pending().plan().marksDefinition() ? view.reloaded() : view.current();
        if (!group.isFrozen() && requester.wasJustAnswered() && mayRequest(group, known)) {
            requester.awaitCallers();
            admit.accept(group);
            if (requestFromPeers(group, known)) {
                return Optional.empty();
            }
        }
        if (peers.pauseForOthers()) {
            view.forget();
        }
        Versioned<CounterState> kept = view.kept();
        Base base = kept == null ? read(group, known) : new Base(kept, peers.takeFound(), true);
        if (group.isFrozen()) {
            Proved verdict = resolve(group, base, known);
            if (!ATTEMPTED_FURTHER.contains(verdict)) {
                return verdict == Proved.SPURIOUS_REFUSAL ? Optional.of(WriteResult.Lost.CHANGED) : Optional.empty();
            }
        }
        if (!group.dismissOver(time.nanoTime(), limits.maxAttempts())
                || !group.isFrozen() && !freezeOnPlan(group, base, known)) {
            return Optional.empty();
        }
        if (!group.isMove() && view.isOpenedAlready(group.pending().plan())) {
            group.thaw();
            return Optional.of(WriteResult.Lost.CHANGED);
        }
        return write(group);
    }

    /**
     * Before a group is left whose last write was refused: finds out whether one has won. Does nothing where no write
     * was refused.
     *
     * @throws StoreFailure it stays unknown
     */
    void conclude(Group group) {
        if (group.wasRefused()) {
            Sequence known = group.pending().plan().marksDefinition() ? view.reloaded() : view.current();
            resolve(group, read(group, known), known);
        }
    }

    /**
     * What an attempt begins with.
     *
     * @param requests of peers, that may be answered with it
     * @param isKept whether it is from the last write, not from a read
     * @param isPeerGone whether a peer request that the pending write would answer is no longer open: no earlier write
     *     can win
     * @param isNumberTaken whether the ledger has a row with the numbers of the pending write; null where it was not
     *     looked for
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

    private Base read(Group group, Sequence known) {
        GroupState.Pending pending = group.isFrozen() ? group.pending() : null;
        // Before the counter: only what is read after it shows whose row it is.
        Boolean isNumberTaken = pending != null
                        && pending.hasClashed()
                        && LedgerReads.keysOf(group).isEmpty()
                ? (Boolean) ledger.isNumberTaken(group)
                : null;
        PeerWatcher.Look look = group.timed(
                time,
                () -> peers.look(pending == null ? null : pending.plan().base().version()));
        boolean isPeerGone = isPeerGone(group, look);
        // Only what is read after the peer request was seen at another version shows whether an earlier write has won.
        Optional<Versioned<CounterState>> counter =
                isPeerGone ? group.timed(time, () -> store.read(id)) : look.counter();
        Versioned<CounterState> accepted = view.accept(counter, known, !group.isMove());
        return new Base(
                accepted, Objects.requireNonNullElse(look.requests(), List.of()), false, isPeerGone, isNumberTaken);
    }

    /** Freezes the group on a plan, unless there is nothing to write or peers are requested to. */
    private boolean freezeOnPlan(Group group, Base base, Sequence known) {
        if (base.isKept()) {
            boolean arePeersServed = group.isAllocation()
                    && group.timed(time, () -> requester.serveFirst(base.counter(), base.requests()));
            return !arePeersServed && planner.freeze(group, base.counter(), base.requests(), base.isKept(), known);
        }
        boolean isUnlucky = group.losses() >= limits.lossesBeforePeerRequest();
        if (isUnlucky && !base.counter().isAbsent() && leaveToOthers(group, base.counter(), known)) {
            return false;
        }
        return planner.freeze(group, base.counter(), base.requests(), base.isKept(), view.current());
    }

    /** Requests the numbers from the instances that win, or a pause where no other instance can allocate them. */
    private boolean leaveToOthers(Group group, Versioned<CounterState> base, Sequence known) {
        if (!group.isImport()) {
            Plan alone = planner.alone(group, base, known);
            if (alone.isRefusedElsewhere()) {
                // The plan refuses a request, so another instance would refuse it too.
                return false;
            }
            if (!alone.cutsABlock() && requestFromPeers(group, known)) {
                return true;
            }
        }
        if (group.losses() % limits.lossesBeforePeerRequest() == 0) {
            requester.requestPause(group);
        }
        return false;
    }

    /**
     * Never for a key with several forms: an instance of an earlier version may answer it, or have stored it in another
     * form, so its own instance looks it up and writes it.
     */
    private boolean requestFromPeers(Group group, Sequence known) {
        return mayRequest(group, known) && !hasKeyForms(group) && requester.begin(group);
    }

    private static boolean hasKeyForms(Group group) {
        return group.openSlots().stream().anyMatch(slot -> slot.request instanceof Take take && take.hasKeyForms());
    }

    private boolean mayRequest(Group group, Sequence known) {
        return known.isInUse() && !known.isStopped() && requester.canRequest(group, known);
    }

    /**
     * Whether a peer request that the pending write would answer is no longer open. Looks for it only while the counter
     * is as it was: at another version it proves by itself that no earlier write can win.
     */
    private boolean isPeerGone(Group group, PeerWatcher.Look look) {
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
     * Finds out how the earlier writes of a frozen group ended, now that the counter is read, and does what follows.
     */
    private Proved resolve(Group group, Base base, Sequence known) {
        Evidence evidence = new Evidence(known, base.counter(), base.isPeerGone(), null, null, base.isNumberTaken());
        WriteVerdict verdict = WriteVerdict.on(group.pending(), evidence, fixed);
        while (verdict instanceof Missing missing) {
            evidence = more(group, evidence, missing);
            verdict = WriteVerdict.on(group.pending(), evidence, fixed);
        }
        Proved proved = (Proved) verdict;
        act(group, proved, evidence);
        return proved;
    }

    private Evidence more(Group group, Evidence evidence, Missing missing) {
        return switch (missing) {
            case OWN_KEYS -> evidence.withOwnKeys(ledger.find(group, LedgerReads.keysOf(group)));
            case ALL_KEYS ->
                evidence.withAllKeys(ledger.find(group, group.pending().plan().keys()));
            case NUMBER ->
                evidence.withNumber(ledger.isNumberTaken(group) && ledger.isStill(group, evidence.counter()));
        };
    }

    private void act(Group group, Proved verdict, Evidence evidence) {
        switch (verdict) {
            case WON -> won(group, evidence.counter());
            case LOST -> {
                ledger.answer(group, evidence.keys());
                lost(group);
            }
            case PROBABLY_LOST -> leaveOpen(group);
            case NOT_OURS_TO_DECIDE -> {
                peers.leave(group.pending().plan().answeredWithKeys());
                leaveOpen(group);
            }
            case STILL_OPEN -> {}
            case SPURIOUS_REFUSAL -> group.refused();
            case BEHIND_LEDGER -> behindLedger(group, evidence.counter());
            case UNRESOLVABLE -> group.giveUp(time.nanoTime());
        }
    }

    private void won(Group group, Versioned<CounterState> counter) {
        events.foundWon();
        Plan plan = group.pending().plan();
        boolean isBefore = Objects.equals(plan.base().version(), counter.version());
        committer.landed(plan, isBefore ? null : counter);
        settle(group, plan);
    }

    private void behindLedger(Group group, Versioned<CounterState> counter) {
        if (group.isAllocation()) {
            throw view.behindLedger(counter.value());
        }
        // The range that is passed over ends where a row of the ledger ends that outlived a restore: whatever comes
        // next begins there.
        group.withoutRows();
    }

    private void leaveOpen(Group group) {
        group.leaveOpen();
        letJoin(group);
    }

    private void lost(Group group) {
        group.lost();
        letJoin(group);
    }

    private void letJoin(Group group) {
        peers.saw();
        admit.accept(group);
    }

    private Optional<WriteResult> write(Group group) {
        Optional<EnlistedCalls> enlisted = EnlistedCalls.allOf(group.calls());
        if (enlisted.isEmpty()) {
            group.thaw();
            return Optional.empty();
        }
        Plan plan = group.pending().plan();
        int calls = group.calls().size() + plan.answered().size();
        WriteResult result;
        try {
            result = group.timed(time, () -> committer.send(plan, calls));
        } catch (StoreFailure e) {
            group.unsent(enlisted.get());
            throw e;
        }
        if (result instanceof WriteResult.Won) {
            settle(group, plan);
        } else {
            group.sent(result, enlisted.get());
        }
        return Optional.of(result);
    }

    private static void settle(Group group, Plan plan) {
        group.forEach(Call::won);
        plan.shares().forEach(Plan.Settled::settle);
        group.thaw();
    }
}
