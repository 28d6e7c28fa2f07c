package dev.numera.functions.batch;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.batch.ImportRow;
import dev.numera.batch.Upload;
import dev.numera.batch.UploadLayout;
import dev.numera.batch.Uploads;
import dev.numera.functions.Json;
import dev.numera.problem.ProblemException;
import dev.numera.problem.Word;
import dev.numera.sequence.Numbers;
import dev.numera.sequence.OldNumber;
import java.util.List;

/** An upload as its readers see it. */
final class UploadJson {
    private UploadJson() {}

    /** How far it is. */
    static ObjectNode of(Upload upload) {
        boolean isImport = upload.id().isImport();
        ObjectNode json = Json.object()
                .put("id", upload.id().id())
                .put("scope", upload.id().sequence().scope())
                .put("name", upload.id().sequence().name())
                .put(
                        "status",
                        isImport && upload.status() == Upload.Status.NUMBERED ? "imported" : Word.of(upload.status()))
                .put("sentAt", upload.sentAt().toString())
                .put(isImport ? "items" : "keys", upload.items())
                .put("done", upload.progress().items());
        if (isImport) {
            Upload.Progress progress = upload.progress();
            json.putObject("counts")
                    .put("imported", progress.numbered() - progress.alreadyThere())
                    .put("alreadyThere", progress.alreadyThere())
                    .put("refused", progress.items() - progress.numbered());
        }
        return json;
    }

    /** What became of the rows of an import: a number is imported or already there, or it is refused. */
    static ObjectNode withRows(ObjectNode json, UploadLayout layout, List<Uploads.AnsweredRow> items) {
        ArrayNode rows = json.putArray("rows");
        for (Uploads.AnsweredRow item : items) {
            rows.add(row(layout, item));
        }
        return json;
    }

    private static ObjectNode row(UploadLayout layout, Uploads.AnsweredRow item) {
        ProblemException problem = item.answer().problem();
        if (problem == null) {
            Numbers numbers = item.answer().orThrow();
            ObjectNode row = Json.of(numbers.replayed(false));
            return row.put("outcome", numbers.replayed() ? "already-there" : "imported");
        }
        OldNumber asked = ImportRow.read(layout, item.row());
        ObjectNode row = Json.object().put("key", asked.key());
        if (asked.number() != null) {
            row.put("number", asked.number());
        } else {
            row.put("text", asked.text());
        }
        if (asked.date() != null) {
            row.put("date", asked.date().toString());
        }
        return row.put("outcome", "refused").set("problem", Json.of(problem));
    }

    static ObjectNode withAllocations(ObjectNode json, UploadLayout layout, List<Uploads.AnsweredRow> items) {
        ArrayNode allocations = json.putArray("allocations");
        for (Uploads.AnsweredRow item : items) {
            ProblemException problem = item.answer().problem();
            allocations.add(
                    problem != null
                            ? Json.refused(layout.key(item.row()), problem)
                            : Json.of(item.answer().orThrow()));
        }
        return json;
    }
}
