package dev.numera.functions.batch;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.batch.Upload;
import dev.numera.batch.UploadLayout;
import dev.numera.batch.Uploads;
import dev.numera.functions.Json;
import dev.numera.problem.ProblemException;
import dev.numera.problem.Word;
import java.util.List;

/** An upload as its readers see it. */
final class UploadJson {
    private UploadJson() {}

    /** How far it is. */
    static ObjectNode of(Upload upload) {
        return Json.object()
                .put("id", upload.id().id())
                .put("scope", upload.id().sequence().scope())
                .put("name", upload.id().sequence().name())
                .put("status", Word.of(upload.status()))
                .put("sentAt", upload.sentAt().toString())
                .put("keys", upload.items())
                .put("done", upload.progress().items());
    }

    static ObjectNode withProblem(ObjectNode json, ProblemException problem) {
        return json.set("problem", Json.of(problem));
    }

    static ObjectNode withAllocations(ObjectNode json, UploadLayout layout, List<Uploads.Item> items) {
        ArrayNode allocations = json.putArray("allocations");
        for (Uploads.Item item : items) {
            ProblemException problem = item.answer().problem();
            allocations.add(
                    problem != null
                            ? Json.refused(layout.key(item.row()), problem)
                            : Json.of(item.answer().orThrow()));
        }
        return json;
    }
}
