package dev.numera.core.counter;

import dev.numera.core.model.CounterId;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The row through which a counter of this process sends its requests to other instances. Only this counter inserts,
 * opens and closes the row.
 *
 * <ul>
 *   <li>The row is inserted closed, and opened only by a change at a known version. An insert may land late, on a row
 *       that was removed meanwhile: it opens nothing. A change that lands late finds another version, or no row, and is
 *       refused.
 *   <li>A version counts as known only after the leader has processed the contents of the row. So a close never
 *       overwrites an answer that no caller has received.
 *   <li>Other instances remove a row that has not changed for a minute. The counter relies on its row only for the
 *       first half of that minute. After that, it writes the row again before opening it.
 * </ul>
 *
 * <p>Not thread-safe: only the leading thread calls it.
 */
final class PeerRequestRow {
    private static final long RELIED_ON_NANOS = Duration.ofSeconds(30).toNanos();

    private final CounterId id;
    private final CounterEnvironment around;
    private final PeerWatcher peers;
    /** The last known version of the row; null if no row existed. */
    private @Nullable String version;

    private boolean isKnown = true;
    private long writtenNanos;

    PeerRequestRow(CounterId id, CounterEnvironment around, PeerWatcher peers) {
        this.id = id;
        this.around = around;
        this.peers = peers;
    }

    boolean isKnown() {
        return isKnown;
    }

    /**
     * Makes the row ready to be opened: reads it, inserts it or renews it if necessary. Blocks for at most two
     * requests.
     *
     * @return whether the row can be opened now
     * @throws StoreFailure surely nothing was opened
     */
    boolean prepare() {
        boolean isOld = version != null && around.time().nanoTime() - writtenNanos > RELIED_ON_NANOS;
        if (!isKnown || isOld) {
            know(read().orElse(null));
        }
        if (version == null || isOld) {
            write(new PeerRequest(around.counterName(), UUID.randomUUID().toString(), List.of()).closed());
        }
        return isKnown && version != null;
    }

    /** Reads the stored row. The version does not count as known before {@link #know}. Blocks for one request. */
    Optional<PeerRequest> read() {
        long began = around.time().nanoTime();
        Optional<PeerRequest> row = around.peers().find(id, around.counterName());
        peers.took(around.time().nanoTime() - began);
        isKnown = false;
        return row;
    }

    /** Accepts the version of a row after its contents were processed. */
    void know(@Nullable PeerRequest row) {
        version = row == null ? null : row.version();
        isKnown = true;
    }

    /**
     * Records that a transaction of this counter has answered the row. The transaction returns no version of the row,
     * so the version is unknown.
     */
    void answered() {
        isKnown = false;
    }

    /**
     * Whether a row with another request proves that no change since the last known version has won. That is so if the
     * row still has that version, or is an answered request: the answer belongs to the previous contents.
     */
    boolean isUnopened(PeerRequest read) {
        return read.requireVersion().equals(version) || read.state() == PeerRequest.State.ANSWERED;
    }

    /**
     * Opens or closes a request at the known version. Blocks for one request.
     *
     * @throws StoreFailure surely nothing was written
     */
    WriteResult write(PeerRequest request) {
        isKnown = false;
        long began = around.time().nanoTime();
        WriteResult result = around.peers().post(id, request.at(version));
        if (result instanceof WriteResult.Won won && won.version() != null) {
            version = won.version();
            isKnown = true;
            writtenNanos = began;
        }
        return result;
    }
}
