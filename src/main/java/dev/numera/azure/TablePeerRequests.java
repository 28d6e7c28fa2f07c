package dev.numera.azure;

import com.azure.data.tables.models.TableEntity;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.numera.core.counter.PeerRequest;
import dev.numera.core.counter.PeerRequests;
import dev.numera.core.counter.WriteLimits;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Definition;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Status;
import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.PrintableText;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.json.Checked;
import dev.numera.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Stores peer requests in the table {@value TableNames#COUNTERS}, in the partitions of their sequences. The format of
 * the rows is a public contract, described in docs/tables.md.
 */
final class TablePeerRequests implements PeerRequests {
    /** The filter for open requests. */
    static final String IS_OPEN = "state eq '" + EnumWord.of(PeerRequest.State.OPEN) + "'";

    private static final String ACTORS = "actors";
    private static final String OPENED_AT = "openedAt";
    private static final Logger LOG = Logger.getLogger(TablePeerRequests.class.getName());
    private static final Duration KEPT_FOR = Duration.ofMinutes(1);

    private final Table counters;

    TablePeerRequests(Table counters) {
        this.counters = counters;
    }

    @Override
    public List<PeerRequest> open(CounterId id) {
        Table.Page found = counters.dated(RowKeys.peersOf(id) + " and " + IS_OPEN);
        return found.rows().stream()
                .filter(row -> !isOld(row, found.readAt()))
                .flatMap(row -> readable(id, row))
                .toList();
    }

    private static Stream<PeerRequest> readable(CounterId id, StoredRow row) {
        try {
            return Stream.of(read(id, row));
        } catch (StoreFailure e) {
            // Skips the row, because no other instance's numbers depend on it. The process that wrote it notices that
            // no answer comes.
            LOG.log(Level.WARNING, "A peer request cannot be read and gets no answer: {0}", e.getMessage());
            return Stream.empty();
        }
    }

    @Override
    public Optional<PeerRequest> find(CounterId id, String counterName) {
        return counters.find(RowKeys.partition(id.sequence()), RowKeys.peer(id, counterName))
                .map(row -> read(id, row));
    }

    @Override
    public WriteResult post(CounterId id, PeerRequest request) {
        String version = request.version();
        if (version == null && request.state() == PeerRequest.State.OPEN) {
            throw new IllegalArgumentException("The row of " + request.counterName()
                    + " would be inserted open: insert it closed, and open it at the version that it has then.");
        }
        TableEntity row = posted(id, request);
        return version == null ? counters.insert(row) : counters.change(row, version);
    }

    @Override
    public boolean removeOld(CounterId id) {
        Table.Page found = counters.dated(RowKeys.peersOf(id));
        int removed = 0;
        for (StoredRow row : found.rows()) {
            // If another write wins instead of the deletion, the row's process is active again.
            if (isOld(row, found.readAt())
                    && counters.transact(List.of(Table.deleting(row))) instanceof WriteResult.Won) {
                removed++;
            }
        }
        return removed < found.rows().size();
    }

    private static boolean isOld(StoredRow row, Instant readAt) {
        return row.changedAt().isBefore(readAt.minus(KEPT_FOR));
    }

    static TableEntity posted(CounterId id, PeerRequest peer) {
        ArrayNode requests = Json.array();
        ArrayNode actors = Json.array();
        for (NumberRequest request : peer.requests()) {
            ArrayNode array = requests.addArray()
                    .add(request.key())
                    .add(request.count())
                    .add(request.day().toString());
            if (request.isReserved()) {
                array.add(EnumWord.of(Status.Kind.RESERVED));
            }
            actors.add(request.actor());
        }
        TableEntity row = row(id, peer);
        StoredRow.putLong(row, "requests", requests.toString());
        StoredRow.putLong(row, ACTORS, actors.toString());
        // Writes the column even if it is empty, because a merge would keep the value of the previous request.
        return row.addProperty(
                OPENED_AT, peer.openedAt() == null ? "" : peer.openedAt().toString());
    }

    static TableEntity answered(CounterId id, PeerRequest peer) {
        ArrayNode numbers = Json.array();
        for (Allocation allocation : peer.allocations()) {
            numbers.addArray()
                    .add(allocation.first())
                    .add(allocation.last())
                    .add(allocation.firstText())
                    .add(allocation.formatRevision());
        }
        TableEntity row = row(id, peer);
        StoredRow.putLong(row, "numbers", numbers.toString());
        return CounterRows.put(row, peer.requireAfter());
    }

    private static TableEntity row(CounterId id, PeerRequest peer) {
        return new TableEntity(RowKeys.partition(id.sequence()), RowKeys.peer(id, peer.counterName()))
                .addProperty("request", peer.id())
                .addProperty("state", EnumWord.of(peer.state()));
    }

    static PeerRequest read(CounterId id, StoredRow row) {
        Checked json = row.longJson("requests");
        List<NumberRequest> requests = requests(json.elements(0, WriteLimits.PEER_ALLOCATIONS), row);
        String counterName = RowKeys.counterName(row.row());
        String request = StoredRow.id(row.string("request"));
        PeerRequest peer = new PeerRequest(counterName, request, requests).at(row.version());
        if (!peer.fitsOneWrite()) {
            throw json.refused("must fit one write, with each key once");
        }
        return switch (row.choice("state", PeerRequest.State.class)) {
            case OPEN -> peer.openedAt(openedAt(row));
            case CLOSED -> peer.closed();
            case ANSWERED -> {
                CounterState after = CounterRows.state(row);
                yield peer.answered(allocations(id, row, requests, after), after);
            }
        };
    }

    /**
     * Returns when the request was opened. Falls back to the row's own time if the column is empty: for the first
     * request for its calls, and for rows of earlier releases. Limits the stored time, so that another program cannot
     * make a request older than rows are kept, or newer than its row.
     */
    private static Instant openedAt(StoredRow row) {
        Instant latest = row.changedAt();
        Instant earliest = latest.minus(KEPT_FOR);
        Instant stored = Objects.requireNonNullElse(row.instantOrNull(OPENED_AT), latest);
        return stored.isBefore(earliest) ? earliest : stored.isAfter(latest) ? latest : stored;
    }

    /** Reads the requests. Rows of earlier releases have no actors. */
    private static List<NumberRequest> requests(List<Checked> json, StoredRow row) {
        List<Checked> actors =
                row.has(ACTORS + 0) ? row.longJson(ACTORS).elements(json.size(), json.size()) : List.of();
        List<NumberRequest> requests = new ArrayList<>();
        for (int index = 0; index < json.size(); index++) {
            boolean isUnknown = actors.isEmpty() || actors.get(index).isNull();
            requests.add(request(json.get(index), isUnknown ? null : StoredRow.actor(actors.get(index))));
        }
        return requests;
    }

    private static NumberRequest request(Checked json, @Nullable String actor) {
        List<Checked> request = json.elements(3, 4);
        boolean hasKey = !request.get(0).isNull();
        LocalDate date = request.get(2).date();
        boolean isBlock = !hasKey && date.equals(NumberRequest.UNDATED);
        return new NumberRequest(
                hasKey ? key(request.get(0)) : null,
                isBlock ? request.get(1).int32(1, Definition.MAX_CACHE_SIZE) : StoredRow.count(request.get(1)),
                null,
                date,
                request.size() == 4 && isReserved(request.get(3), hasKey),
                actor,
                isBlock);
    }

    /**
     * Reads a key and checks that this version accepts it unchanged, because the numbers of a changed key would not be
     * found again.
     */
    private static String key(Checked value) {
        String key = StoredRow.key(value);
        PrintableText.KEY.flaw(key).ifPresent(flaw -> {
            throw value.refused(flaw);
        });
        return key;
    }

    private static boolean isReserved(Checked status, boolean hasKey) {
        if (!hasKey || StoredRow.word(status, Status.Kind.class) != Status.Kind.RESERVED) {
            throw status.refused("must be \"reserved\", and needs a key");
        }
        return true;
    }

    private static List<Allocation> allocations(
            CounterId id, StoredRow row, List<NumberRequest> requests, CounterState after) {
        List<Checked> numbers = row.longJson("numbers").elements(requests.size(), requests.size());
        List<Allocation> allocations = new ArrayList<>();
        for (int index = 0; index < requests.size(); index++) {
            allocations.add(
                    allocation(id, requests.get(index), numbers.get(index).elements(4, 4), after));
        }
        return allocations;
    }

    private static Allocation allocation(
            CounterId id, NumberRequest request, List<Checked> numbers, CounterState after) {
        long first = StoredRow.number(numbers.get(0));
        StoredRow.requireSeries(first, numbers.get(1), request.count());
        int revision = StoredRow.revision(numbers.get(3));
        return new Allocation(
                request.key(),
                first,
                StoredRow.number(numbers.get(1)),
                request.count(),
                id.period(),
                request.day(),
                text(numbers.get(2), revision),
                revision,
                after.changedAt(),
                false,
                request.status(after.changedAt()),
                null,
                null,
                request.actor());
    }

    private static @Nullable String text(Checked text, int revision) {
        if (text.isNull() != (revision == 0)) {
            throw text.refused("must be null where the revision is 0, and a string elsewhere");
        }
        return revision == 0 ? null : StoredRow.text(text);
    }
}
