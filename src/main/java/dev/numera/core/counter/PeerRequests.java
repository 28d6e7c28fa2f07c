package dev.numera.core.counter;

import dev.numera.core.model.CounterId;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import java.util.List;
import java.util.Optional;

/**
 * The rows through which counters request numbers from their peers. The rows are answered by
 * {@link CounterStore#write}, in the transaction that takes the numbers. A request to storage takes at most the store's
 * own timeout, and implementations never repeat one. Implementations are thread-safe.
 */
public interface PeerRequests {
    /** An implementation for a counter without peers: finds no requests, and cannot post any. */
    PeerRequests NONE = new PeerRequests() {
        @Override
        public List<PeerRequest> open(CounterId id) {
            return List.of();
        }

        @Override
        public Optional<PeerRequest> find(CounterId id, String counterName) {
            return Optional.empty();
        }

        @Override
        public WriteResult post(CounterId id, PeerRequest request) {
            return WriteResult.Refused.CHANGED;
        }

        @Override
        public boolean removeOld(CounterId id) {
            return false;
        }
    };

    /**
     * Returns the open requests of all counters, in the order of their names. Omits requests older than a minute by the
     * store's own times, because the process that posted them has ended. Also omits rows that cannot be read: their own
     * processes notice that themselves.
     *
     * @throws StoreFailure no trustworthy answer arrived
     */
    List<PeerRequest> open(CounterId id);

    /**
     * Returns the request in the row of one counter of a process.
     *
     * @param counterName the counter's name, see {@link PeerRequest#counterName()}
     * @throws StoreFailure no trustworthy answer arrived
     */
    Optional<PeerRequest> find(CounterId id, String counterName);

    /**
     * Opens or closes a request in its counter's row, or inserts the row with a closed request. An insert never opens,
     * because it may land late, on a row that was removed meanwhile. An open request without an
     * {@link PeerRequest#openedAt} gets the store's own time of this change.
     *
     * @param request an open or closed request, at the version that its row must have. Without a version the row must
     *     not exist, and the request must be closed
     * @throws StoreFailure surely nothing was written
     * @throws IllegalArgumentException an open request has no version
     */
    WriteResult post(CounterId id, PeerRequest request);

    /**
     * Removes the rows that have not changed for a minute by the store's own times, one by one.
     *
     * @return whether younger rows may be left
     * @throws StoreFailure some of the old rows may be left
     */
    boolean removeOld(CounterId id);
}
