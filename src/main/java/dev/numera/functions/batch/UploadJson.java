package dev.numera.functions.batch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.batch.Answered;
import dev.numera.batch.Layout;
import dev.numera.batch.Upload;
import dev.numera.batch.UploadStore;
import dev.numera.json.Fields;
import dev.numera.model.ImportedNumber;
import dev.numera.problem.PrintableText;
import dev.numera.problem.ProblemException;
import dev.numera.problem.Word;
import dev.numera.sequence.Numbers;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An upload as its readers see it. */
final class UploadJson {
    private static final String WOULD_IMPORT = "would-import";

    private UploadJson() {}

    /** How far it is. */
    static Fields of(Upload upload) {
        boolean isImport = upload.id().isImport();
        Fields fields = new Fields()
                .put("id", upload.id().id())
                .put("scope", upload.id().sequence().scope())
                .put("name", upload.id().sequence().name())
                .put("status", isImport && upload.status() == Upload.Status.NUMBERED ? done(upload) : upload.status())
                .put("dryRun", upload.layout().isDryRun() ? true : null)
                .put("sentAt", upload.sentAt())
                .put("actor", upload.actor())
                .put(isImport ? "items" : "keys", upload.items())
                .put("done", upload.progress().items());
        return isImport ? fields.put("counts", counts(upload)) : fields;
    }

    private static String done(Upload upload) {
        return upload.layout().isDryRun() ? WOULD_IMPORT : "imported";
    }

    /** As a list shows it; one that cannot be read with its problem. */
    static ObjectNode listed(UploadStore.Listed listed) {
        if (listed.upload().isRefused()) {
            return new Fields()
                    .put("id", listed.id())
                    .put("problem", listed.upload().refusal())
                    .json();
        }
        Upload upload = listed.upload().orThrow();
        Upload.Progress progress = upload.progress();
        return upload.id().isImport()
                ? of(upload).json()
                : of(upload)
                        .put(
                                "counts",
                                new Fields()
                                        .put("numbered", progress.numbered())
                                        .put("refused", progress.items() - progress.numbered())
                                        .json())
                        .json();
    }

    private static ObjectNode counts(Upload upload) {
        Upload.Progress progress = upload.progress();
        int fresh = progress.numbered() - progress.alreadyThere();
        boolean isDryRun = upload.layout().isDryRun();
        return new Fields()
                .put("imported", isDryRun ? 0 : fresh)
                .put("wouldImport", isDryRun ? fresh : null)
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
        Fields fields = new Fields().put("line", item.line() == 0 ? null : item.line());
        if (problem == null) {
            Numbers numbers = item.answer().orThrow();
            return fields.putAll(numbers.replayed(false).members())
                    .put("status", numbers.status().kind())
                    .put("outcome", outcome(layout, item))
                    .put("equalLine", item.equalLine() == 0 ? null : item.equalLine())
                    .put("warning", layout.isDryRun() ? warning(layout, item.requested()) : null)
                    .json();
        }
        understood(layout, item.requested())
                .ifPresentOrElse(
                        requested -> fields.put("key", requested.keyAsSent())
                                .put("number", requested.number())
                                .put("text", requested.number() == null ? requested.text() : null)
                                .put("date", requested.date())
                                .put("status", requested.statedStatus())
                                .put("reason", requested.reason()),
                        () -> fields.put("key", legibleKey(layout, item.requested())));
        return fields.put("outcome", outcome(layout, item))
                .put("problem", problem)
                .json();
    }

    /** Returns a warning for the caller to check before the import if a cell starts like a formula; null otherwise. */
    private static @Nullable String warning(Layout layout, List<String> row) {
        return Stream.of(Layout.Field.KEY, Layout.Field.TEXT, Layout.Field.REASON)
                .filter(field -> layout.places().containsKey(field)
                        && row.get(layout.places().get(field)).startsWith("="))
                .findFirst()
                .map(field -> "The " + Word.of(field)
                        + " begins with =, as formulas of spreadsheets do: check that it is meant.")
                .orElse(null);
    }

    /** Returns the key in a row; null if the cell cannot be a key. */
    private static @Nullable String legibleKey(Layout layout, List<String> row) {
        String key = layout.key(row);
        return PrintableText.KEY.flaw(key).isEmpty() ? key : null;
    }

    /** Empty for a row that cannot be understood: its key, line and problem are all that is known. */
    private static Optional<ImportedNumber> understood(Layout layout, List<String> row) {
        try {
            return Optional.of(layout.number(row));
        } catch (ProblemException e) {
            return Optional.empty();
        }
    }

    /** The result of a row of an import. */
    static String outcome(Layout layout, Answered<List<String>> item) {
        Numbers numbers = item.answer().value();
        if (numbers == null) {
            return "refused";
        }
        if (numbers.replayed()) {
            return "already-there";
        }
        return layout.isDryRun() ? WOULD_IMPORT : "imported";
    }

    static Fields withAllocations(Upload upload, List<Answered<List<String>>> items) {
        return of(upload).putEach("allocations", items, item -> allocation(upload.layout(), item));
    }

    private static ObjectNode allocation(Layout layout, Answered<List<String>> item) {
        ProblemException problem = item.answer().problem();
        return problem == null
                ? Fields.of(item.answer().orThrow().members())
                : Fields.refused(layout.key(item.requested()), problem);
    }
}
