package dev.numera.storage;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.problem.Answer;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.sequence.Numbers;
import java.util.List;
import java.util.Map;

/** How the answer to a row of an upload is stored: described in docs/tables.md. */
final class UploadAnswers {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TypeReference<Map<String, Object>> MEMBERS = new TypeReference<>() {};

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
        return numbers.texts() == null || numbers.count() > 1
                ? json
                : json.put("text", numbers.texts().get(0));
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
                false);
        return Answer.of(numbers);
    }
}
