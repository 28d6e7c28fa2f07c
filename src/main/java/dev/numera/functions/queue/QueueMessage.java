package dev.numera.functions.queue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.core.model.FieldParsers;
import dev.numera.core.model.KeyForms;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.PrintableText;
import dev.numera.core.problem.ProblemException;
import dev.numera.functions.Queues;
import dev.numera.json.Json;
import dev.numera.json.RequestBody;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.Uploads;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A parsed message of the queue {@value Queues#REQUESTS}.
 *
 * @param echo the id, scope and name of the message, valid or not; the answer repeats them, so that the sender
 *     recognizes it
 * @param sequence for a log
 */
public record QueueMessage(ObjectNode echo, String sequence, Content content) {
    /** The request in a message. */
    sealed interface Content {}

    /** A batch of keys that need numbers. */
    public record OfBatch(SequenceName sequence, List<NumberRequest> requests) implements Content {
        public OfBatch {
            requests = List.copyOf(requests);
        }

        /** Returns the date of all keys; null if the message names none and means the day of its sending. */
        @Nullable
        LocalDate date() {
            return requests.get(0).date();
        }
    }

    /**
     * A part of an upload that needs processing.
     *
     * @param part counted from 1
     */
    public record OfPart(Upload.Id upload, int part) implements Content {
        public static OfPart next(Upload upload) {
            return new OfPart(upload.id(), upload.progress().parts() + 1);
        }

        /** Returns the message that the app sends to itself. */
        public String toMessage() {
            return Json.object()
                    .put(field(upload.kind()), upload.id())
                    .put(SCOPE, upload.sequence().scope())
                    .put(NAME, upload.sequence().name())
                    .put(PART, part)
                    .toString();
        }
    }

    /**
     * An invalid message.
     *
     * @param why the problem's detail in a form for a log
     */
    record Refused(ProblemException problem, String why) implements Content {}

    /** The most tokens in the JSON of a message or an uploaded list: two for each key of the longest upload. */
    public static final int MAX_TOKENS = 2 * Uploads.MAX_ITEMS;

    public static final String DATE = "date";
    private static final String OBJECT = "must be a JSON object, plain or in Base64";
    private static final String UPLOAD = "upload";
    private static final String IMPORT = "import";
    private static final String PART = "part";
    private static final String ID = "id";
    private static final String SCOPE = "scope";
    private static final String NAME = "name";
    private static final String KEYS = "keys";
    private static final String COUNT = "count";
    private static final String RESERVE = "reserve";
    private static final Set<String> FIELDS = Set.of(ID, SCOPE, NAME, KEYS, COUNT, DATE, RESERVE);
    private static final String UNKNOWN_FIELD =
            "is no field of a batch: it has id, scope, name, date, reserve, and keys or count";

    static QueueMessage read(String text) {
        try {
            JsonNode json = Json.read(text, MAX_TOKENS);
            return of(json, content(json));
        } catch (JsonProcessingException e) {
            ProblemException problem = notJson(e);
            return of(MissingNode.getInstance(), new Refused(problem, problem.getMessage()));
        }
    }

    /** Returns the problem of a text that cannot be parsed. Names the place but not the text, which may be a key. */
    private static ProblemException notJson(JsonProcessingException e) {
        return InvalidRequest.because("message", flaw(e) + RequestBody.place(e) + ": it " + OBJECT);
    }

    private static String flaw(JsonProcessingException e) {
        if (e.getCause() instanceof NumberFormatException) {
            return "has a number with an exponent out of range";
        }
        if (e instanceof StreamConstraintsException) {
            return "is nested too deeply, or has too long a name or number";
        }
        return String.valueOf(e.getOriginalMessage()).startsWith("Duplicate field")
                ? "has a field twice"
                : "is not JSON";
    }

    private static QueueMessage of(JsonNode json, Content content) {
        return new QueueMessage(echo(json), sequenceForLog(json), content);
    }

    private static ObjectNode echo(JsonNode json) {
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

    /**
     * Returns the sequence for a log, only if its name is valid: any other text of a sender does not belong in a log.
     */
    private static String sequenceForLog(JsonNode json) {
        try {
            return new SequenceName(json.path(SCOPE).asText(), json.path(NAME).asText()).toString();
        } catch (ProblemException e) {
            return "a sequence whose scope or name is wrong";
        }
    }

    private static Content content(JsonNode json) {
        boolean isBatch = json.has(KEYS) || json.has(COUNT);
        boolean isPart = !isBatch && (json.has(UPLOAD) || json.has(IMPORT));
        try {
            if (!json.isObject()) {
                throw InvalidRequest.because("message", OBJECT);
            }
            return isPart ? part(json) : batch(json);
        } catch (ProblemException e) {
            // The log does not show an unknown field, because its name may be a key in the wrong place.
            boolean hasUnknownField =
                    !isPart && RequestBody.unknownFields(json, FIELDS).findAny().isPresent();
            return new Refused(e, hasUnknownField ? "It has a field that " + UNKNOWN_FIELD + "." : e.getMessage());
        }
    }

    boolean hasId() {
        return echo.has(ID);
    }

    /** Returns the id that the sender chose, valid or not. */
    Optional<String> id() {
        return Optional.ofNullable(echo.path(ID).textValue());
    }

    /**
     * Returns the reason of a refusal in one line, for a log. Keys, which the problem's detail may quote, are replaced.
     */
    String forLog(ProblemException problem) {
        String detail = content instanceof Refused refused && refused.problem() == problem
                ? refused.why()
                : problem.getMessage();
        if (content instanceof OfBatch ofBatch) {
            for (NumberRequest request : ofBatch.requests()) {
                detail = detail.replace("'" + request.key() + "'", "'...'")
                        .replace("'" + request.keyAsSent() + "'", "'...'");
            }
        }
        return detail.codePoints()
                .map(character -> Character.isISOControl(character) ? ' ' : character)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static OfPart part(JsonNode json) {
        JsonNode part = json.path(PART);
        if (!part.canConvertToInt()) {
            throw InvalidRequest.because(PART, "must be a number");
        }
        SequenceName sequence =
                new SequenceName(json.path(SCOPE).asText(), json.path(NAME).asText());
        Upload.Kind kind = json.has(IMPORT) ? Upload.Kind.IMPORT : Upload.Kind.BATCH;
        String field = field(kind);
        Upload.Id upload = Upload.Id.parse(sequence, kind, json.path(field).asText())
                .orElseThrow(() -> InvalidRequest.because(field, "must be the id of an upload"));
        return new OfPart(upload, part.intValue());
    }

    private static String field(Upload.Kind kind) {
        return kind == Upload.Kind.IMPORT ? IMPORT : UPLOAD;
    }

    /**
     * Reads a batch from the body of an upload. Scope and name may be left out, because the path contains them.
     *
     * @throws ProblemException {@code invalid-request}, naming the field
     */
    public static OfBatch batch(ObjectNode body, SequenceName sequence) {
        requireIfThere(body, SCOPE, sequence.scope());
        requireIfThere(body, NAME, sequence.name());
        return batch(body.put(SCOPE, sequence.scope()).put(NAME, sequence.name()));
    }

    /** Returns the id in a batch; null without one. */
    static @Nullable public String id(ObjectNode batch) {
        return batch.path(ID).textValue();
    }

    private static void requireIfThere(ObjectNode body, String field, String value) {
        if (body.has(field) && !value.equals(body.get(field).textValue())) {
            throw InvalidRequest.because(field, "must be as in the path, or left out");
        }
    }

    private static OfBatch batch(JsonNode json) {
        RequestBody.unknownFields(json, FIELDS).findFirst().ifPresent(name -> {
            throw InvalidRequest.because(name, UNKNOWN_FIELD);
        });
        if (json.has(ID)) {
            PrintableText.KEY.require(ID, RequestBody.requireText(json, ID));
        }
        SequenceName sequence =
                new SequenceName(RequestBody.requireText(json, SCOPE), RequestBody.requireText(json, NAME));
        LocalDate date = json.has(DATE) ? FieldParsers.date(DATE, RequestBody.requireText(json, DATE)) : null;
        if (json.has(KEYS) == json.has(COUNT)) {
            throw InvalidRequest.because(KEYS, "or " + COUNT + " is required, but not both");
        }
        List<String> keys = json.has(KEYS) ? keys(json.get(KEYS)) : List.of(RequestBody.requireText(json, ID));
        int count = json.has(COUNT) ? count(json.get(COUNT)) : 1;
        return new OfBatch(sequence, NumberRequest.ofEach(keys, count, date, reserve(json.path(RESERVE))));
    }

    private static boolean reserve(JsonNode reserve) {
        if (!reserve.isMissingNode() && !reserve.isBoolean()) {
            throw InvalidRequest.because(RESERVE, "must be true or false");
        }
        return reserve.booleanValue();
    }

    private static int count(JsonNode number) {
        OptionalLong count = Json.whole(number);
        if (count.isEmpty() || count.getAsLong() < 1 || count.getAsLong() > NumberRequest.MAX_COUNT) {
            throw InvalidRequest.because(COUNT, "must be a whole number from 1 to " + NumberRequest.MAX_COUNT);
        }
        return (int) count.getAsLong();
    }

    private static List<String> keys(JsonNode array) {
        if (!array.isArray()) {
            throw InvalidRequest.because(KEYS, "must be an array of strings");
        }
        List<String> keys = new ArrayList<>();
        for (JsonNode key : array) {
            if (!key.isTextual()) {
                throw InvalidRequest.because("keys[" + keys.size() + "]", "must be a string");
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
            Integer earlier = places.put(KeyForms.stored(key), place);
            if (earlier != null) {
                throw InvalidRequest.because(
                        "keys[" + place + "]", "repeats keys[" + earlier + "]: each key gets one number");
            }
        }
    }
}
