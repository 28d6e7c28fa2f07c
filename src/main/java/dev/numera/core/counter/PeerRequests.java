package dev.numera.core.counter;

import dev.numera.core.model.CounterId;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import java.util.List;
import java.util.Optional;

/**
 * The rows in which counters request numbers from their peers. Rows are answered by {@link CounterStore#write}, in the
 * transaction that takes the numbers. A request to storage takes at most the store's own timeout, and none is ever
 * repeated here. Implementations are thread-safe.
 */
public interface PeerRequests {
    /** For a counter that has no peers: none is found, and none can be posted. */
    PeerRequests NONE = new PeerRequests() {
        @Override
        public List<PeerRequest> open(CounterId id) {
            return List.of();
        }

        @Override
        public Optional<PeerRequest> find(CounterId id, String process) {
            return Optional.empty();
        }

        @Override
        public WriteResult post(CounterId id, PeerRequest request) {
            return WriteResult.Lost.CHANGED;
        }

        @Override
        public boolean removeOld(CounterId id) {
            return false;
        }
    };

    /**
     * The open requests of all processes, in the order of their names. Omits requests older than a minute by the
     * store's own times, because the process that posted them has ended. Also omits rows that cannot be read: their own
     * processes notice that themselves.
     *
     * @throws StoreFailure there is no trustworthy answer
     */
    List<PeerRequest> open(CounterId id);

    /**
     * The request in the row of one counter of a process.
     *
     * @param process its name, as {@link PeerRequest#process()}
     * @throws StoreFailure there is no trustworthy answer
     */
    Optional<PeerRequest> find(CounterId id, String process);

    /**
     * Opens or closes a request in its counter's row, or inserts the row with a closed one. An insert never opens: it
     * may land late, on a row that was removed meanwhile. Where an open request has no {@link PeerRequest#openedAt}
     * yet, it is found with the store's own time of this change.
     *
     * @param request open or closed, at the version that its row must have; null where there must be no row, for a
     *     closed one only
     * @throws StoreFailure surely nothing was written
     * @throws IllegalArgumentException it would be inserted open
     */
    WriteResult post(CounterId id, PeerRequest request);

    /**
     * Removes the rows that did not change for a minute by the store's own times, one by one.
     *
     * @return whether some rows may be left, which did not grow old yet
     * @throws StoreFailure some of them may be left
     */
    boolean removeOld(CounterId id);
}
