package dev.numera.storage;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.counter.KeyStatus;
import dev.numera.problem.Answer;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.sequence.Numbers;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** How the answer to a row of an upload is stored: described in docs/tables.md. */
final class UploadAnswers {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TypeReference<Map<String, Object>> MEMBERS = new TypeReference<>() {};

    private static final String NO_ROOM =
            ". There was no room to tell more, with so many refused at once: ask for this one alone.";

    private UploadAnswers() {}

    static ObjectNode write(Answer<Numbers> answer) {
        ObjectNode json = JSON.createObjectNode();
        ProblemException problem = answer.problem();
        if (problem != null) {
            json.put("problem", problem.type().urn()).put("detail", problem.getMessage());
            return json.set("members", JSON.valueToTree(problem.members()));
        }
        Numbers numbers = answer.orThrow();
        json.put("first", numbers.first())
                .put("last", numbers.last())
                .put("count", numbers.count())
                .put("increment", numbers.increment());
        if (numbers.texts() != null && numbers.count() == 1) {
            json.put("text", numbers.texts().get(0));
        }
        if (numbers.date() != null) {
            json.put("date", numbers.date().toString());
        }
        if (numbers.period() != null) {
            json.put("period", numbers.period());
        }
        if (numbers.replayed()) {
            json.put("replayed", true);
        }
        numbers.status().fields().forEach(json::put);
        return json;
    }

    /**
     * As {@link #write}, but of a refusal only its kind and what its readers count on: of what may be long, that is the
     * row's key, or its text, once.
     */
    static ObjectNode writeBriefly(Answer<Numbers> answer) {
        ObjectNode json = write(answer);
        if (answer.isRefused()) {
            json.put("detail", answer.refusal().type().title() + NO_ROOM);
            if (json.path("members").path("allocation") instanceof ObjectNode allocation) {
                allocation.remove(List.of("texts", "reason"));
            }
        }
        return json;
    }

    /** @param row that holds it, to be named where it cannot be read */
    static Answer<Numbers> read(StoredRow row, JsonNode json) {
        return json.has("problem") ? Answer.refused(problem(row, json)) : Answer.of(numbers(row, json));
    }

    private static ProblemException problem(StoredRow row, JsonNode json) {
        JsonNode members = json.path("members");
        if (!members.isObject()) {
            throw row.unreadable("its property answers.members has no object where one belongs", null);
        }
        Map<String, Object> known = JSON.convertValue(members, MEMBERS);
        // A problem has no member that is null: what is null says nothing.
        known.values().removeIf(Objects::isNull);
        return new ProblemException(type(row, json), row.text("answers.detail", json.path("detail")), known);
    }

    private static ProblemType type(StoredRow row, JsonNode json) {
        String urn = row.text("answers.problem", json.path("problem"));
        try {
            return ProblemType.ofUrn(urn);
        } catch (IllegalArgumentException e) {
            throw row.unreadable(
                    "its property answers.problem is '" + urn
                            + "', which this version does not know, though a newer one may",
                    e);
        }
    }

    private static Numbers numbers(StoredRow row, JsonNode json) {
        return new Numbers(
                null,
                row.int64("answers.first", json.path("first")),
                row.int64("answers.last", json.path("last")),
                row.int32("answers.count", json.path("count")),
                row.int64("answers.increment", json.path("increment")),
                json.has("text") ? List.of(row.text("answers.text", json.path("text"))) : null,
                json.has("date") ? row.date("answers.date", json.path("date")) : null,
                json.has("period") ? row.text("answers.period", json.path("period")) : null,
                json.has("replayed"),
                json.has("status") ? status(row, json) : KeyStatus.SIMPLY_ISSUED);
    }

    private static KeyStatus status(StoredRow row, JsonNode json) {
        return new KeyStatus(
                row.choice("answers.status", json.path("status"), KeyStatus.Status.class),
                json.has("reason") ? row.text("answers.reason", json.path("reason")) : null,
                null,
                row.instant("answers.statusAt", json.path("statusAt")));
    }
}
