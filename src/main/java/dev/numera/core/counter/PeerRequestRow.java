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
 * The row in which a counter of this process sends its requests to other instances. It alone inserts, opens and closes
 * the row.
 *
 * <ul>
 *   <li>The row is inserted closed and opened only by a change at a known version. An insert that lands late, on a row
 *       that was removed meanwhile, opens nothing. A change that lands late finds another version, or no row.
 *   <li>A version counts as known only after what the row contains was taken over, so a close never wins over an
 *       answer.
 *   <li>Others remove a row that has not changed for a minute. Only for half of that, from its own last write on, does
 *       the counter rely on the row; after that it writes the row again before it opens it.
 * </ul>
 *
 * <p>Belongs to the leader of the line.
 */
final class PeerRequestRow {
    private static final long RELIED_ON_NANOS = Duration.ofSeconds(30).toNanos();

    private final CounterId id;
    private final CounterEnvironment around;
    private final PeerWatcher peers;
    /** The last one that was known; null where there was no row. */
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
     * Looks for the row, inserts it or writes it again, where that has to be done before it can be opened. Blocks for
     * at most two requests.
     *
     * @return whether it can be opened now
     * @throws StoreFailure surely nothing was opened
     */
    boolean prepare() {
        boolean isOld = version != null && around.time().nanoTime() - writtenNanos > RELIED_ON_NANOS;
        if (!isKnown || isOld) {
            know(read().orElse(null));
        }
        if (version == null || isOld) {
            write(new PeerRequest(around.process(), UUID.randomUUID().toString(), List.of()).closed());
        }
        return isKnown && version != null;
    }

    /** The row as it is stored. Its version is not known before {@link #know}. Blocks for one request. */
    Optional<PeerRequest> read() {
        long began = around.time().nanoTime();
        Optional<PeerRequest> row = around.peers().find(id, around.process());
        peers.took(around.time().nanoTime() - began);
        isKnown = false;
        return row;
    }

    /** To be called after what was read was taken over. */
    void know(@Nullable PeerRequest row) {
        version = row == null ? null : row.version();
        isKnown = true;
    }

    /** To be called when a transaction of this counter has answered the row: it returns no version of it. */
    void answered() {
        isKnown = false;
    }

    /**
     * Whether a row with another request proves that no change from the last known version was won: it has that version
     * still, or the answer to what it contained then.
     */
    boolean isUnopened(PeerRequest read) {
        return read.requireVersion().equals(version) || read.state() == PeerRequest.State.ANSWERED;
    }

    /**
     * Opens or closes a request at the version that is known. Blocks for one request.
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
