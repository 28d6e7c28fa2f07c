package dev.numera.storage;

import com.azure.data.tables.models.TableEntity;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.numera.counter.PeerRequest;
import dev.numera.json.Checked;
import dev.numera.json.Json;
import dev.numera.model.Allocation;
import dev.numera.model.CounterId;
import dev.numera.model.CounterState;
import dev.numera.model.Definition;
import dev.numera.model.Request;
import dev.numera.model.Status;
import dev.numera.problem.Word;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How counters request numbers from their peers: a public contract, described in docs/tables.md. */
final class PeerRows {
    /** What a query for open requests looks for. */
    static final String IS_OPEN = "state eq '" + Word.of(PeerRequest.State.OPEN) + "'";

    private PeerRows() {}

    static TableEntity posted(CounterId id, PeerRequest peer) {
        ArrayNode requests = Json.array();
        for (Request.Allocate request : peer.requests()) {
            ArrayNode array = requests.addArray()
                    .add(request.key())
                    .add(request.count())
                    .add(request.date().toString());
            if (request.isReserved()) {
                array.add(Word.of(Status.Kind.RESERVED));
            }
        }
        TableEntity row = row(id, peer);
        StoredRow.putLong(row, "requests", requests.toString());
        return row;
    }

    static TableEntity answered(CounterId id, PeerRequest peer) {
        PeerRequest.Answer answer = peer.requireAnswer();
        ArrayNode numbers = Json.array();
        for (Allocation allocation : answer.allocations()) {
            numbers.addArray()
                    .add(allocation.first())
                    .add(allocation.last())
                    .add(allocation.firstText())
                    .add(allocation.formatRevision());
        }
        TableEntity row = row(id, peer);
        StoredRow.putLong(row, "numbers", numbers.toString());
        return CounterRows.put(row, answer.after());
    }

    private static TableEntity row(CounterId id, PeerRequest peer) {
        return new TableEntity(RowKeys.partition(id.sequence()), RowKeys.peer(id, peer.process()))
                .addProperty("request", peer.id())
                .addProperty("state", Word.of(peer.state()));
    }

    static PeerRequest read(CounterId id, StoredRow row) {
        Checked json = row.longJson("requests");
        List<Request.Allocate> requests = json.elements(0, PeerRequest.MAX_REQUESTS).stream()
                .map(PeerRows::request)
                .toList();
        String process = RowKeys.process(row.row());
        String request = StoredRow.id(row.string("request"));
        if (!new PeerRequest(process, request, requests).fitsOneWrite()) {
            throw json.refused("must fit one write, with each key once");
        }
        PeerRequest.State state = row.choice("state", PeerRequest.State.class);
        PeerRequest.Answer answer = state == PeerRequest.State.ANSWERED ? answer(id, row, requests) : null;
        return new PeerRequest(process, request, requests, state, answer, row.version());
    }

    private static Request.Allocate request(Checked json) {
        List<Checked> request = json.elements(3, 4);
        boolean hasKey = !request.get(0).isNull();
        LocalDate date = request.get(2).date();
        boolean isBlock = !hasKey && date.equals(LocalDate.EPOCH);
        return new Request.Allocate(
                hasKey ? StoredRow.key(request.get(0)) : null,
                isBlock ? request.get(1).int32(1, Definition.MAX_CACHE_SIZE) : StoredRow.count(request.get(1)),
                date,
                false,
                request.size() == 4 && isReserved(request.get(3), hasKey),
                null);
    }

    private static boolean isReserved(Checked status, boolean hasKey) {
        if (!hasKey || StoredRow.word(status, Status.Kind.class) != Status.Kind.RESERVED) {
            throw status.refused("must be \"reserved\", and only beside a key");
        }
        return true;
    }

    private static PeerRequest.Answer answer(CounterId id, StoredRow row, List<Request.Allocate> requests) {
        CounterState after = CounterRows.state(row);
        List<Checked> numbers = row.longJson("numbers").elements(requests.size(), requests.size());
        List<Allocation> allocations = new ArrayList<>();
        for (int index = 0; index < requests.size(); index++) {
            allocations.add(
                    allocation(id, requests.get(index), numbers.get(index).elements(4, 4), after));
        }
        return new PeerRequest.Answer(allocations, after);
    }

    private static Allocation allocation(
            CounterId id, Request.Allocate request, List<Checked> numbers, CounterState after) {
        long first = StoredRow.number(numbers.get(0));
        StoredRow.requireSeries(first, numbers.get(1), request.count());
        int revision = StoredRow.revision(numbers.get(3));
        return new Allocation(
                request.key(),
                first,
                StoredRow.number(numbers.get(1)),
                request.count(),
                id.period(),
                request.date(),
                text(numbers.get(2), revision),
                revision,
                after.changedAt(),
                false,
                request.status(after.changedAt()),
                null,
                null);
    }

    private static @Nullable String text(Checked text, int revision) {
        if (text.isNull() != (revision == 0)) {
            throw text.refused("must be null where the revision is 0, and a string elsewhere");
        }
        return revision == 0 ? null : StoredRow.text(text);
    }
}
