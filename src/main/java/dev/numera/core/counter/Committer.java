package dev.numera.core.counter;

import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Versioned;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends every write to one counter, whether for a group of this process or for other instances: uses up the kept state,
 * measures the write, and keeps the state that it leaves. What a write that was not won means for its calls is left to
 * the sender. Belongs to the leader of the line.
 */
final class Committer {
    private final CounterId id;
    private final CounterStore store;
    private final Clock time;
    private final KnownCounter known;
    private final PeerWatcher peers;
    private final CounterEvents events;
    private final PeerTurns turns = new PeerTurns();

    Committer(CounterId id, CounterEnvironment around, KnownCounter known, PeerWatcher peers, CounterEvents events) {
        this.id = id;
        this.store = around.store();
        this.time = around.time();
        this.known = known;
        this.peers = peers;
        this.events = events;
    }

    /**
     * Whether the next write answers peers only: see {@link PeerTurns#isOfPeersAlone}. Considers the writes that
     * {@link #send} has won.
     */
    boolean isTurnOfPeersAlone(List<PeerRequest> open) {
        return turns.isOfPeersAlone(open);
    }

    /**
     * Blocks for one request.
     *
     * @param calls how many calls the write is for, with those of other instances
     * @throws StoreFailure surely nothing was written
     */
    WriteResult send(Plan plan, int calls) {
        peers.beside(known.kept() != null);
        known.keep(null);
        long began = time.nanoTime();
        WriteResult result;
        try {
            result = store.write(plan.write(id));
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
     * A write of the plan was won.
     *
     * @param present the counter after that write, or after later ones; null where it has to be read
     */
    void landed(Plan plan, @Nullable Versioned<CounterState> present) {
        // After a move the next attempt reads, and finds out whether a restored counter was moved far enough.
        if (!plan.isMove()) {
            known.wrote(plan.after(), present);
        }
        if (plan.marksDefinition()) {
            known.marked(plan.definition());
        }
        peers.wrote(plan.answered());
        turns.wrote(plan.answered().stream().filter(peers::isOfPeer).toList(), plan.allocations());
        events.reached(plan.definition(), plan.after());
    }
}
