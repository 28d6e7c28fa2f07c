package dev.numera.functions.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.batch.Batch;
import dev.numera.counter.SequenceName;
import dev.numera.functions.Json;
import dev.numera.functions.RequestBody;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import dev.numera.sequence.Ask;
import dev.numera.sequence.IsoDate;
import dev.numera.sequence.Keys;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The JSON of a batch: of a queue message, or of the body of an upload. */
final class BatchJson {
    private static final String ID = "id";
    private static final String SCOPE = "scope";
    private static final String NAME = "name";
    private static final String KEYS = "keys";
    private static final String COUNT = "count";
    static final String DATE = "date";
    private static final String RESERVE = "reserve";
    private static final Set<String> FIELDS = Set.of(ID, SCOPE, NAME, KEYS, COUNT, DATE, RESERVE);
    /** An unknown field's name is shown in the problem, but it may be as long as a message. */
    private static final int SHOWN_UNITS = 40;

    private final JsonNode json;

    private BatchJson(JsonNode json) {
        this.json = json;
    }

    /** @throws ProblemException {@code invalid-request}, naming the field */
    static Batch read(JsonNode json) {
        return new BatchJson(json).batch();
    }

    /**
     * As {@link #read}, from the body of an upload to a sequence: scope and name may be left out, since the path has
     * them.
     *
     * @throws ProblemException {@code invalid-request}, naming the field
     */
    static Batch read(ObjectNode body, SequenceName sequence) {
        requireIfThere(body, SCOPE, sequence.scope());
        requireIfThere(body, NAME, sequence.name());
        return read(body.put(SCOPE, sequence.scope()).put(NAME, sequence.name()));
    }

    private static void requireIfThere(ObjectNode body, String field, String value) {
        if (body.has(field) && !value.equals(body.get(field).textValue())) {
            throw InvalidRequest.because(field, "must be as in the path, or left out");
        }
    }

    /** The id that the sender gave, or null; a good one where the batch could be read. */
    static @Nullable String id(JsonNode json) {
        return json.path(ID).textValue();
    }

    /** Of id, scope and name those that are there, so that the sender knows an answer by them. */
    static ObjectNode echo(JsonNode json) {
        ObjectNode echo = Json.object();
        for (String field : List.of(ID, SCOPE, NAME)) {
            JsonNode value = json.path(field);
            if (value.isTextual()
                    && !value.textValue().isEmpty()
                    && value.textValue().length() <= Ask.MAX_KEY_UNITS) {
                echo.set(field, value);
            }
        }
        return echo;
    }

    /** Scope and name, for a log: only good ones, since whatever else a sender writes there does not belong into it. */
    static String sequence(JsonNode json) {
        try {
            return new SequenceName(json.path(SCOPE).asText(), json.path(NAME).asText()).toString();
        } catch (ProblemException e) {
            return "a sequence whose scope or name is wrong";
        }
    }

    private Batch batch() {
        requireKnownFields();
        if (json.has(ID)) {
            Keys.require(ID, RequestBody.requireText(json, ID));
        }
        SequenceName sequence =
                new SequenceName(RequestBody.requireText(json, SCOPE), RequestBody.requireText(json, NAME));
        LocalDate date = json.has(DATE) ? IsoDate.parse(DATE, RequestBody.requireText(json, DATE)) : null;
        if (json.has(KEYS) == json.has(COUNT)) {
            throw InvalidRequest.because(KEYS, "or " + COUNT + " must be there, and not both");
        }
        Batch batch = json.has(KEYS)
                ? Batch.ofKeys(sequence, keys(), date)
                : Batch.ofCount(sequence, RequestBody.requireText(json, ID), count(), date);
        return isReserved() ? batch.reserved() : batch;
    }

    private boolean isReserved() {
        JsonNode reserve = json.path(RESERVE);
        if (!reserve.isMissingNode() && !reserve.isBoolean()) {
            throw InvalidRequest.because(RESERVE, "must be true or false");
        }
        return reserve.booleanValue();
    }

    private void requireKnownFields() {
        RequestBody.unknownFields(json, FIELDS).findFirst().ifPresent(name -> {
            String shown = name.length() <= SHOWN_UNITS ? name : name.substring(0, SHOWN_UNITS) + "...";
            throw InvalidRequest.because(
                    shown, "is no field of a batch: it has id, scope, name, date, reserve, and keys or count");
        });
    }

    private int count() {
        OptionalLong count = Json.whole(json.get(COUNT));
        if (count.isEmpty() || count.getAsLong() < 1 || count.getAsLong() > Ask.MAX_COUNT) {
            throw InvalidRequest.because(COUNT, "must be a whole number from 1 to " + Ask.MAX_COUNT);
        }
        return (int) count.getAsLong();
    }

    private List<String> keys() {
        JsonNode array = json.get(KEYS);
        if (!array.isArray()) {
            throw InvalidRequest.because(KEYS, "must be an array of texts");
        }
        List<String> keys = new ArrayList<>();
        for (JsonNode key : array) {
            if (!key.isTextual()) {
                throw InvalidRequest.because("keys[" + keys.size() + "]", "must be a text");
            }
            keys.add(key.textValue());
        }
        return keys;
    }
}
