package dev.numera.functions.http.lists;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.PrintableText;
import dev.numera.core.problem.ProblemException;
import dev.numera.json.Fields;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.RowResult;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.UploadStore;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes uploads and their results as JSON. */
final class UploadJson {
    private static final String WOULD_IMPORT = "would-import";

    private UploadJson() {}

    /** Writes an upload's status and progress. */
    static Fields of(Upload upload) {
        boolean isImport = upload.id().isImport();
        Fields fields = new Fields()
                .put("id", upload.id().id())
                .put("scope", upload.id().sequence().scope())
                .put("name", upload.id().sequence().name())
                .put("status", isImport && upload.status() == Upload.Status.NUMBERED ? done(upload) : upload.status())
                .put("dryRun", upload.columns().isDryRun() ? true : null)
                .put("sentAt", upload.sentAt())
                .putActor(upload.actor())
                .put(isImport ? "items" : "keys", upload.items())
                .put("done", upload.progress().items());
        return isImport ? fields.put("counts", counts(upload)) : fields;
    }

    private static String done(Upload upload) {
        return upload.columns().isDryRun() ? WOULD_IMPORT : "imported";
    }

    /** Writes an entry in the list of uploads; an unreadable upload has its problem instead. */
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
        boolean isDryRun = upload.columns().isDryRun();
        return new Fields()
                .put("imported", isDryRun ? 0 : fresh)
                .put("wouldImport", isDryRun ? fresh : null)
                .put("alreadyThere", progress.alreadyThere())
                .put("refused", progress.items() - progress.numbered())
                .json();
    }

    /** Writes the result of each row of an import: imported, already there, or refused. */
    static Fields withRows(Upload upload, List<RowResult<List<String>>> items) {
        return of(upload).putEach("rows", items, item -> row(upload.columns(), item));
    }

    private static ObjectNode row(ListColumns columns, RowResult<List<String>> item) {
        ProblemException problem = item.result().problem();
        Fields fields = new Fields().put("line", item.line() == 0 ? null : item.line());
        if (problem == null) {
            PrintedAllocation printed = item.result().orThrow();
            return fields.putAll(printed.replayed(false).members())
                    .put("status", printed.status().kind())
                    .put("outcome", outcome(columns, item))
                    .put("equalLine", item.equalLine() == 0 ? null : item.equalLine())
                    .put("warning", columns.isDryRun() ? warning(columns, item.requested()) : null)
                    .json();
        }
        understood(columns, item.requested())
                .ifPresentOrElse(
                        requested -> fields.put("key", requested.keyAsSent())
                                .put("number", requested.number())
                                .put("text", requested.number() == null ? requested.text() : null)
                                .put("date", requested.date())
                                .put("status", requested.statedStatus())
                                .put("reason", requested.reason()),
                        () -> fields.put("key", legibleKey(columns, item.requested())));
        return fields.put("outcome", outcome(columns, item))
                .put("problem", problem)
                .json();
    }

    /**
     * Returns a warning if a cell starts like a formula, which the caller should check before the import; null
     * otherwise.
     */
    private static @Nullable String warning(ListColumns columns, List<String> row) {
        return Stream.of(ListColumns.Field.KEY, ListColumns.Field.TEXT, ListColumns.Field.REASON)
                .filter(field -> columns.places().containsKey(field)
                        && row.get(columns.places().get(field)).startsWith("="))
                .findFirst()
                .map(field -> "The " + EnumWord.of(field)
                        + " begins with =, as formulas of spreadsheets do: check that it is meant.")
                .orElse(null);
    }

    /** Returns the key in a row; null if the cell cannot be a key. */
    private static @Nullable String legibleKey(ListColumns columns, List<String> row) {
        String key = columns.key(row);
        return PrintableText.KEY.flaw(key).isEmpty() ? key : null;
    }

    /** Parses a row; empty if it is invalid, so that only its key, line and problem are known. */
    private static Optional<ImportedNumber> understood(ListColumns columns, List<String> row) {
        try {
            return Optional.of(columns.number(row));
        } catch (ProblemException e) {
            return Optional.empty();
        }
    }

    /** Returns the outcome of a row of an import. */
    static String outcome(ListColumns columns, RowResult<List<String>> item) {
        PrintedAllocation printed = item.result().value();
        if (printed == null) {
            return "refused";
        }
        if (printed.replayed()) {
            return "already-there";
        }
        return columns.isDryRun() ? WOULD_IMPORT : "imported";
    }

    static Fields withAllocations(Upload upload, List<RowResult<List<String>>> items) {
        return of(upload).putEach("allocations", items, item -> allocation(upload.columns(), item));
    }

    private static ObjectNode allocation(ListColumns columns, RowResult<List<String>> item) {
        ProblemException problem = item.result().problem();
        return problem == null
                ? Fields.of(item.result().orThrow().members())
                : Fields.refused(columns.key(item.requested()), problem);
    }
}
