package dev.numera.storage;

import com.azure.data.tables.models.TableEntity;
import dev.numera.counter.PeerRequest;
import dev.numera.counter.PeerRequests;
import dev.numera.execution.StoreFailure;
import dev.numera.execution.WriteResult;
import dev.numera.model.CounterId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** Peer requests in the table {@value TableNames#COUNTERS}, in the partitions of their sequences. */
final class TablePeerRequests implements PeerRequests {
    private static final Logger LOG = Logger.getLogger(TablePeerRequests.class.getName());
    private static final Duration KEPT_FOR = Duration.ofMinutes(1);

    private final Table counters;

    TablePeerRequests(Table counters) {
        this.counters = counters;
    }

    @Override
    public List<PeerRequest> open(CounterId id) {
        Table.Page found = counters.dated(RowKeys.peersOf(id) + " and " + PeerRows.IS_OPEN);
        return found.rows().stream()
                .filter(row -> !isOld(row, found.readAt()))
                .flatMap(row -> readable(id, row))
                .toList();
    }

    private static Stream<PeerRequest> readable(CounterId id, StoredRow row) {
        try {
            return Stream.of(PeerRows.read(id, row));
        } catch (StoreFailure e) {
            // Its own process finds out; no other instance's numbers depend on it.
            LOG.log(Level.WARNING, "A peer request is not answered: {0}", e.getMessage());
            return Stream.empty();
        }
    }

    @Override
    public Optional<PeerRequest> find(CounterId id, String process) {
        return counters.find(RowKeys.partition(id.sequence()), RowKeys.peer(id, process))
                .map(row -> PeerRows.read(id, row));
    }

    @Override
    public WriteResult post(CounterId id, PeerRequest request) {
        String version = request.version();
        if (version == null && request.state() == PeerRequest.State.OPEN) {
            throw new IllegalArgumentException("The row of " + request.process()
                    + " would be inserted open: insert it closed, and open it at the version that it has then.");
        }
        TableEntity row = PeerRows.posted(id, request);
        return version == null ? counters.insert(row) : counters.change(row, version);
    }

    @Override
    public void removeOld(CounterId id) {
        Table.Page found = counters.dated(RowKeys.peersOf(id));
        for (StoredRow row : found.rows()) {
            if (isOld(row, found.readAt())) {
                // Its process is at work again, if it is not won.
                counters.transact(List.of(Table.deleting(row)));
            }
        }
    }

    private static boolean isOld(StoredRow row, Instant readAt) {
        return row.changedAt().isBefore(readAt.minus(KEPT_FOR));
    }
}
