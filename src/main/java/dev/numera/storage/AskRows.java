package dev.numera.storage;

import com.azure.data.tables.models.TableEntity;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.numera.counter.CounterId;
import dev.numera.counter.CounterState;
import dev.numera.counter.InstanceAsk;
import dev.numera.counter.KeyStatus;
import dev.numera.counter.Outcome;
import dev.numera.counter.Request;
import dev.numera.problem.Word;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** How instances ask one another for numbers: a public contract, described in docs/tables.md. */
final class AskRows {
    /** What a query for open asks looks for. */
    static final String IS_OPEN = "state eq '" + Word.of(InstanceAsk.State.OPEN) + "'";

    private static final ObjectMapper JSON = new ObjectMapper();

    private AskRows() {}

    static TableEntity posted(CounterId id, InstanceAsk ask, InstanceAsk.State state) {
        ArrayNode requests = JSON.createArrayNode();
        for (Request.Allocate request : ask.requests()) {
            ArrayNode array = requests.addArray()
                    .add(request.key())
                    .add(request.count())
                    .add(request.date().toString());
            if (request.isReserved()) {
                array.add(Word.of(KeyStatus.Status.RESERVED));
            }
        }
        TableEntity row = row(id, ask, state);
        LongText.put(row, "requests", requests.toString());
        return row;
    }

    static TableEntity answered(CounterId id, InstanceAsk.Answered answered, CounterState after) {
        ArrayNode numbers = JSON.createArrayNode();
        for (Outcome.Allocation allocation : answered.allocations()) {
            numbers.addArray()
                    .add(allocation.first())
                    .add(allocation.last())
                    .add(allocation.firstText())
                    .add(allocation.formatRevision());
        }
        TableEntity row = row(id, answered.posted().ask(), InstanceAsk.State.ANSWERED);
        LongText.put(row, "numbers", numbers.toString());
        return CounterRows.put(row, after);
    }

    private static TableEntity row(CounterId id, InstanceAsk ask, InstanceAsk.State state) {
        return new TableEntity(RowKeys.partition(id.sequence()), RowKeys.ask(id, ask.process()))
                .addProperty("ask", ask.id())
                .addProperty("state", Word.of(state));
    }

    static InstanceAsk.Posted read(CounterId id, StoredRow row) {
        List<Request.Allocate> requests = new ArrayList<>();
        for (JsonNode request : row.longJson("requests")) {
            requests.add(request(row, request));
        }
        InstanceAsk ask = new InstanceAsk(RowKeys.process(row.row()), row.text("ask"), requests);
        InstanceAsk.State state = row.choice("state", InstanceAsk.State.class);
        return new InstanceAsk.Posted(
                ask, state, state == InstanceAsk.State.ANSWERED ? answer(id, row, requests) : null, row.version());
    }

    private static Request.Allocate request(StoredRow row, JsonNode request) {
        try {
            return new Request.Allocate(
                    request.required(0).textValue(),
                    request.required(1).intValue(),
                    LocalDate.parse(request.required(2).textValue()),
                    false,
                    request.has(3),
                    null);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw row.unreadable("its property requests holds " + request, e);
        }
    }

    private static InstanceAsk.Answer answer(CounterId id, StoredRow row, List<Request.Allocate> requests) {
        CounterState after = CounterRows.state(row);
        JsonNode numbers = row.longJson("numbers");
        if (numbers.size() != requests.size()) {
            throw row.unreadable("its property numbers answers " + numbers.size() + " requests", null);
        }
        List<Outcome.Allocation> allocations = new ArrayList<>();
        for (int index = 0; index < requests.size(); index++) {
            allocations.add(allocation(id, row, requests.get(index), numbers.get(index), after));
        }
        return new InstanceAsk.Answer(allocations, after);
    }

    private static Outcome.Allocation allocation(
            CounterId id, StoredRow row, Request.Allocate request, JsonNode numbers, CounterState after) {
        try {
            return new Outcome.Allocation(
                    request.key(),
                    numbers.required(0).longValue(),
                    numbers.required(1).longValue(),
                    request.count(),
                    id.period(),
                    request.date(),
                    numbers.required(2).textValue(),
                    numbers.required(3).intValue(),
                    after.changedAt(),
                    false,
                    request.status(after.changedAt()));
        } catch (IllegalArgumentException e) {
            throw row.unreadable("its property numbers holds " + numbers, e);
        }
    }
}
