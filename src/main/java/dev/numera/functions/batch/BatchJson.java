package dev.numera.functions.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.batch.Batch;
import dev.numera.functions.Json;
import dev.numera.functions.RequestBody;
import dev.numera.model.Ask;
import dev.numera.model.IsoDate;
import dev.numera.model.SequenceName;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.PrintableText;
import dev.numera.problem.ProblemException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the JSON of a batch says, checked: that of a queue message, or of the body of an upload.
 *
 * @param id that the sender gave; null without one
 * @param keys at least one, and none twice; the id alone where there is a count
 * @param count how many numbers each key gets
 * @param date null for the day on which it was sent
 * @param isReserved whether the numbers are reserved
 */
record BatchJson(
        @Nullable String id,
        SequenceName sequence,
        List<String> keys,
        int count,
        @Nullable LocalDate date,
        boolean isReserved) {
    private static final String ID = "id";
    private static final String SCOPE = "scope";
    private static final String NAME = "name";
    private static final String KEYS = "keys";
    private static final String COUNT = "count";
    static final String DATE = "date";
    private static final String RESERVE = "reserve";
    private static final Set<String> FIELDS = Set.of(ID, SCOPE, NAME, KEYS, COUNT, DATE, RESERVE);
    private static final String UNKNOWN_FIELD =
            "is no field of a batch: it has id, scope, name, date, reserve, and keys or count";

    /** @throws ProblemException {@code invalid-request}, naming the field */
    static BatchJson read(JsonNode json) {
        requireKnownFields(json);
        if (json.has(ID)) {
            PrintableText.KEY.require(ID, RequestBody.requireText(json, ID));
        }
        SequenceName sequence =
                new SequenceName(RequestBody.requireText(json, SCOPE), RequestBody.requireText(json, NAME));
        LocalDate date = json.has(DATE) ? IsoDate.parse(DATE, RequestBody.requireText(json, DATE)) : null;
        if (json.has(KEYS) == json.has(COUNT)) {
            throw InvalidRequest.because(KEYS, "or " + COUNT + " must be there, and not both");
        }
        List<String> keys = json.has(KEYS) ? readKeys(json.get(KEYS)) : List.of(RequestBody.requireText(json, ID));
        int count = json.has(COUNT) ? readCount(json.get(COUNT)) : 1;
        return new BatchJson(json.path(ID).textValue(), sequence, keys, count, date, readReserve(json.path(RESERVE)));
    }

    /**
     * As {@link #read}, from the body of an upload to a sequence: scope and name may be left out, since the path has
     * them.
     *
     * @throws ProblemException {@code invalid-request}, naming the field
     */
    static BatchJson readUpload(ObjectNode body, SequenceName sequence) {
        requireIfThere(body, SCOPE, sequence.scope());
        requireIfThere(body, NAME, sequence.name());
        return read(body.put(SCOPE, sequence.scope()).put(NAME, sequence.name()));
    }

    private static void requireIfThere(ObjectNode body, String field, String value) {
        if (body.has(field) && !value.equals(body.get(field).textValue())) {
            throw InvalidRequest.because(field, "must be as in the path, or left out");
        }
    }

    /** Of id, scope and name those that are there, so that the sender knows an answer by them. */
    static ObjectNode echo(JsonNode json) {
        ObjectNode echo = Json.object();
        for (String field : List.of(ID, SCOPE, NAME)) {
            JsonNode value = json.path(field);
            if (value.isTextual()
                    && !value.textValue().isEmpty()
                    && value.textValue().length() <= PrintableText.KEY.maxUnits()) {
                echo.set(field, value);
            }
        }
        return echo;
    }

    /** Scope and name, for a log: only good ones, since whatever else a sender writes there does not belong into it. */
    static String sequenceForLog(JsonNode json) {
        try {
            return new SequenceName(json.path(SCOPE).asText(), json.path(NAME).asText()).toString();
        } catch (ProblemException e) {
            return "a sequence whose scope or name is wrong";
        }
    }

    /**
     * Why {@link #read} refused it, for a log: an unknown field comes before all else, and its name, which may be a key
     * in the wrong place, does not belong into a log.
     */
    static String refusalForLog(JsonNode json, ProblemException refusal) {
        return RequestBody.unknownFields(json, FIELDS).findAny().isPresent()
                ? "It has a field that " + UNKNOWN_FIELD + "."
                : refusal.getMessage();
    }

    Batch batch() {
        return Batch.of(sequence, keys, count, date, isReserved);
    }

    private static boolean readReserve(JsonNode reserve) {
        if (!reserve.isMissingNode() && !reserve.isBoolean()) {
            throw InvalidRequest.because(RESERVE, "must be true or false");
        }
        return reserve.booleanValue();
    }

    private static void requireKnownFields(JsonNode json) {
        RequestBody.unknownFields(json, FIELDS).findFirst().ifPresent(name -> {
            throw InvalidRequest.because(name, UNKNOWN_FIELD);
        });
    }

    private static int readCount(JsonNode number) {
        OptionalLong count = Json.whole(number);
        if (count.isEmpty() || count.getAsLong() < 1 || count.getAsLong() > Ask.MAX_COUNT) {
            throw InvalidRequest.because(COUNT, "must be a whole number from 1 to " + Ask.MAX_COUNT);
        }
        return (int) count.getAsLong();
    }

    private static List<String> readKeys(JsonNode array) {
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
        if (keys.isEmpty()) {
            throw InvalidRequest.because(KEYS, "must hold at least one key");
        }
        requireDifferentKeys(keys);
        return keys;
    }

    private static void requireDifferentKeys(List<String> keys) {
        Map<String, Integer> places = new HashMap<>();
        for (int place = 0; place < keys.size(); place++) {
            String key = keys.get(place);
            PrintableText.KEY.require("keys[" + place + "]", key);
            Integer earlier = places.put(key, place);
            if (earlier != null) {
                throw InvalidRequest.because(
                        "keys[" + place + "]", "repeats keys[" + earlier + "]: each key stands for one number");
            }
        }
    }
}
