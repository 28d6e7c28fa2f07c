package dev.numera.storage;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.counter.KeyStatus;
import dev.numera.problem.Answer;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.problem.Word;
import dev.numera.sequence.Numbers;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

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

    private static KeyStatus status(JsonNode json) {
        return json.has("status")
                ? new KeyStatus(
                        Word.find(json.get("status").textValue(), KeyStatus.Status.class)
                                .orElseThrow(),
                        json.path("reason").textValue(),
                        null,
                        Instant.parse(json.get("statusAt").textValue()))
                : KeyStatus.SIMPLY_ISSUED;
    }

    static Answer<Numbers> read(JsonNode json) {
        if (json.has("problem")) {
            return Answer.refused(new ProblemException(
                    ProblemType.ofUrn(json.get("problem").textValue()),
                    json.get("detail").textValue(),
                    JSON.convertValue(json.get("members"), MEMBERS)));
        }
        Numbers numbers = new Numbers(
                null,
                json.get("first").longValue(),
                json.get("last").longValue(),
                json.get("count").intValue(),
                json.get("increment").longValue(),
                json.has("text") ? List.of(json.get("text").textValue()) : null,
                json.has("date") ? LocalDate.parse(json.get("date").textValue()) : null,
                json.has("period") ? json.get("period").textValue() : null,
                json.has("replayed"),
                status(json));
        return Answer.of(numbers);
    }
}
