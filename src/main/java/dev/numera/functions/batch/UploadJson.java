package dev.numera.functions.batch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.batch.Answered;
import dev.numera.batch.Layout;
import dev.numera.batch.Upload;
import dev.numera.functions.Fields;
import dev.numera.model.ImportedNumber;
import dev.numera.problem.ProblemException;
import dev.numera.sequence.Numbers;
import java.util.List;

/** An upload as its readers see it. */
final class UploadJson {
    private UploadJson() {}

    /** How far it is. */
    static Fields of(Upload upload) {
        boolean isImport = upload.id().isImport();
        Fields fields = new Fields()
                .put("id", upload.id().id())
                .put("scope", upload.id().sequence().scope())
                .put("name", upload.id().sequence().name())
                .put("status", isImport && upload.status() == Upload.Status.NUMBERED ? "imported" : upload.status())
                .put("sentAt", upload.sentAt())
                .put(isImport ? "items" : "keys", upload.items())
                .put("done", upload.progress().items());
        return isImport ? fields.put("counts", counts(upload.progress())) : fields;
    }

    private static ObjectNode counts(Upload.Progress progress) {
        return new Fields()
                .put("imported", progress.numbered() - progress.alreadyThere())
                .put("alreadyThere", progress.alreadyThere())
                .put("refused", progress.items() - progress.numbered())
                .json();
    }

    /** The result of each row of an import: a number is imported or already there, or it is refused. */
    static Fields withRows(Upload upload, List<Answered<List<String>>> items) {
        return of(upload).putEach("rows", items, item -> row(upload.layout(), item));
    }

    private static ObjectNode row(Layout layout, Answered<List<String>> item) {
        ProblemException problem = item.answer().problem();
        if (problem == null) {
            Numbers numbers = item.answer().orThrow();
            return new Fields()
                    .putAll(numbers.replayed(false).members())
                    .put("outcome", numbers.replayed() ? "already-there" : "imported")
                    .json();
        }
        ImportedNumber requested = layout.number(item.requested());
        return new Fields()
                .put("key", requested.key())
                .put("number", requested.number())
                .put("text", requested.number() == null ? requested.text() : null)
                .put("date", requested.date())
                .put("outcome", "refused")
                .put("problem", problem)
                .json();
    }

    static Fields withAllocations(Upload upload, List<Answered<List<String>>> items) {
        return of(upload).putEach("allocations", items, item -> allocation(upload.layout(), item));
    }

    private static ObjectNode allocation(Layout layout, Answered<List<String>> item) {
        ProblemException problem = item.answer().problem();
        return problem == null
                ? Fields.of(item.answer().orThrow())
                : Fields.refused(layout.key(item.requested()), problem);
    }
}
