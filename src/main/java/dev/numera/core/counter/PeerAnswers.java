package dev.numera.core.counter;

import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Versioned;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * Answers the peer requests of other instances with writes of their own, when no call of this instance waits or when it
 * is the peers' turn. Not thread-safe: only the leading thread calls it.
 */
final class PeerAnswers {
    private final CounterId id;
    private final Clock time;
    private final KnownCounter knownCounter;
    private final PeerWatcher peers;
    private final Function<Plan, WriteResult> commit;

    /** @param commit sends the write of a plan that answers peers only */
    PeerAnswers(CounterId id, Clock time, KnownCounter known, PeerWatcher peers, Function<Plan, WriteResult> commit) {
        this.id = id;
        this.time = time;
        this.knownCounter = known;
        this.peers = peers;
        this.commit = commit;
    }

    /** Answers the requests that the watcher found, until another instance is known to have written. */
    void serve() {
        while (knownCounter.kept() != null && peers.hasFound()) {
            List<PeerRequest> requests = peers.takeFound();
            if (peers.pauseForOthers()) {
                knownCounter.forget();
                return;
            }
            Plan plan = requests.isEmpty() ? null : plan(knownCounter.kept(), inOrder(requests, knownCounter.kept()));
            if (plan == null || plan.answered().isEmpty()) {
                return;
            }
            write(plan);
        }
    }

    /**
     * Answers the peers' requests before the waiting calls of this instance, if it is the turn of peers alone. Returns
     * whether it sent a write.
     *
     * @param requests at least one
     * @throws StoreFailure surely nothing was written
     */
    boolean serveFirst(Versioned<CounterState> kept, List<PeerRequest> requests) {
        if (!peers.isTurnOfPeersAlone(requests)) {
            return false;
        }
        Plan plan = plan(kept, inOrder(requests, kept));
        if (plan.answered().isEmpty()) {
            return false;
        }
        write(plan);
        return true;
    }

    static List<PeerRequest> inOrder(List<PeerRequest> open, Versioned<CounterState> base) {
        return PeerTurns.inOrder(open, base.value().epoch());
    }

    /**
     * Plans the answers to requests that are already in order. Leaves requests to their own instances if only these can
     * decide.
     */
    Plan plan(Versioned<CounterState> base, List<PeerRequest> requests) {
        Plan plan = plan(base, knownCounter.current(), requests);
        if (plan.beginsRound()) {
            plan = plan(base, knownCounter.reloaded(), requests);
        }
        peers.leave(plan.undecided());
        return plan;
    }

    private Plan plan(Versioned<CounterState> base, Sequence definition, List<PeerRequest> requests) {
        return NumberPlan.forPeers(id, base, definition, UUID.randomUUID().toString(), requests, time.now());
    }

    /**
     * Sends the write of a plan that answers peers only. If the write has no trustworthy answer, this instance need not
     * find out how it ended: the rows of the peer requests show that to their own instances.
     */
    WriteResult write(Plan plan) {
        WriteResult result = commit.apply(plan);
        if (result.hasClashed()) {
            // The ledger may already contain a key of one of these requests. The instance that posted the request finds
            // that out.
            peers.leave(plan.answeredWithKeys());
        }
        if (!(result instanceof WriteResult.Won)) {
            peers.requested();
        }
        return result;
    }
}
