package dev.numera.functions.http.lists;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.core.format.DatePattern;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.Repetition;
import dev.numera.core.model.Sequence;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.functions.http.Query;
import dev.numera.functions.http.lists.ColumnProfile.Look;
import dev.numera.json.Fields;
import dev.numera.sequences.lists.CellText;
import dev.numera.sequences.lists.ImportSummary;
import dev.numera.sequences.lists.Imports;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.ListColumns.Field;
import dev.numera.sequences.lists.Upload;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Shows how an import would read a CSV file: what each column looks like, the parameters to send, and what the import
 * would store. Suggests a parameter only if the file leaves no doubt. Stores nothing. Not thread-safe.
 */
final class FileInspection {
    private static final int SHOWN = 20;

    private final BodyText.File file;
    private final Query query;
    private final ListParameters stated;
    private final Sequence known;
    private final Imports imports;

    FileInspection(BodyText.File file, Query query, Sequence known, Imports imports) {
        this.file = file;
        this.query = query;
        this.stated = new ListParameters(query);
        this.known = known;
        this.imports = imports;
    }

    /** @throws ProblemException {@code invalid-request} if the file is no CSV or has no rows */
    Fields answer() {
        UploadedRows rows = UploadCsv.read(
                file.text(), stated.structure(), stated::ownOfImport, (headers, separator) -> new ListColumns(
                                headers.names(), Map.of(Field.KEY, 0, Field.NUMBER, 0))
                        .ofFile(separator, stated.notation(known.fixed().zone())));
        List<ColumnProfile> columns = profiles(rows);
        Map<String, String> suggested = suggested(columns);
        Map<String, Object> parameters = new TreeMap<>(query.all());
        parameters.putAll(suggested);
        Fields answer = new Fields()
                .put("encoding", file.encoding().word())
                .put("separator", String.valueOf(rows.layout().separator()))
                .put("headerLine", stated.structure().headerLine())
                .put("rows", rows.asRead().size())
                .putEach("columns", columns, FileInspection::json)
                .put("parameters", parameters);
        return judged(answer, new ListParameters(query.with(suggested)));
    }

    private List<ColumnProfile> profiles(UploadedRows rows) {
        List<List<String>> read = rows.asRead();
        List<String> names = rows.layout().columns();
        return IntStream.range(0, names.size())
                .mapToObj(place ->
                        ColumnProfile.of(names.get(place), () -> read.stream().map(row -> row.get(place)), known))
                .toList();
    }

    private static ObjectNode json(ColumnProfile column) {
        return new Fields()
                .put("name", column.name())
                .put("looksLike", column.looksLike())
                .put("firstCell", column.firstCell())
                .put("empty", column.emptyCells())
                .put("dateFormats", column.dateFormats().isEmpty() ? null : column.dateFormats())
                .json();
    }

    /** Returns the parameters that follow from the file without doubt, in addition to the stated parameters. */
    private Map<String, String> suggested(List<ColumnProfile> columns) {
        Map<String, String> suggested = new HashMap<>();
        if (file.encoding() != FileEncoding.UTF_8) {
            suggested.put(BodyText.ENCODING, file.encoding().word());
        }
        List<ColumnProfile> free =
                columns.stream().filter(column -> !isAssigned(column)).toList();
        if (column(Field.NUMBER, columns).isEmpty()
                && column(Field.TEXT, columns).isEmpty()) {
            only(Look.TEXTS, free).ifPresent(text -> suggested.put(ListParameters.column(Field.TEXT), text.name()));
        }
        Optional<ColumnProfile> date = column(Field.DATE, columns);
        if (date.isEmpty()) {
            date = only(Look.DATES, free);
            date.ifPresent(found -> suggested.put(ListParameters.DATE_COLUMN, found.name()));
        }
        date.filter(found -> found.looksLike() == Look.DATES && !query.has(ListParameters.DATE_FORMAT))
                .map(found -> found.dateFormats().get(0))
                .filter(format -> !format.equals(DatePattern.ISO.pattern()))
                .ifPresent(format -> suggested.put(ListParameters.DATE_FORMAT, format));
        return suggested;
    }

    private boolean isAssigned(ColumnProfile column) {
        return Stream.of(Field.values()).anyMatch(field -> isFor(field, column))
                || stated.ignored().stream().anyMatch(name -> isNamed(name, column));
    }

    private Optional<ColumnProfile> column(Field field, List<ColumnProfile> columns) {
        return columns.stream().filter(column -> isFor(field, column)).findFirst();
    }

    private boolean isFor(Field field, ColumnProfile column) {
        return isNamed(stated.nameOf(field), column);
    }

    private static boolean isNamed(String name, ColumnProfile column) {
        return CellText.folded(name).equals(CellText.folded(column.name()));
    }

    /** Returns the only column with this content; empty if there is none or a choice. */
    private static Optional<ColumnProfile> only(Look look, List<ColumnProfile> columns) {
        List<ColumnProfile> found =
                columns.stream().filter(column -> column.looksLike() == look).toList();
        return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
    }

    /** Adds the problems of an import with these parameters, or the summary of its rows. */
    private Fields judged(Fields answer, ListParameters parameters) {
        UploadedRows rows;
        try {
            rows = ListBody.numbers(file.text(), parameters, known);
        } catch (ProblemException e) {
            if (e.type() != ProblemType.INVALID_REQUEST) {
                throw e;
            }
            return answer.put("problems", e.members().get("errors"));
        }
        Upload.Content content = imports.marked(known.name(), rows.content());
        ImportSummary summary = imports.summary(known, content);
        return answer.put("problems", List.of())
                .put(
                        "refused",
                        new Fields()
                                .put("count", summary.refusedRows())
                                .putEach("first", summary.refused(), FileInspection::refused)
                                .json())
                .putEach("samples", summary.samples(), FileInspection::sample)
                .put("repeated", repeated(content))
                .put("gaps", gaps(summary.gaps()))
                .put("range", range(summary));
    }

    private static ObjectNode refused(ImportSummary.Line<ProblemException> row) {
        return new Fields()
                .put("line", row.line())
                .put("detail", row.content().getMessage())
                .json();
    }

    private static ObjectNode sample(ImportSummary.Line<Allocation> row) {
        Allocation stored = row.content();
        return new Fields()
                .put("line", row.line())
                .put("key", stored.key())
                .put("number", stored.first())
                .put("text", stored.firstText())
                .put("date", stored.date())
                .put("status", stored.status().kind())
                .put("reason", stored.status().reason())
                .json();
    }

    private static ObjectNode repeated(Upload.Content content) {
        Map<Integer, Repetition> byLine = new TreeMap<>();
        content.repetitions().forEach((row, repetition) -> byLine.put(content.line(row), repetition));
        long equal = byLine.values().stream().filter(Repetition::isEqual).count();
        return new Fields()
                .put("equal", equal)
                .put("contradicting", byLine.size() - equal)
                .putEach("first", byLine.entrySet().stream().limit(SHOWN).toList(), row -> new Fields()
                        .put("line", row.getKey())
                        .put("otherLine", row.getValue().line())
                        .put("kind", row.getValue().kind())
                        .json())
                .json();
    }

    private static ObjectNode gaps(List<ImportSummary.Gap> gaps) {
        return new Fields()
                .put("count", gaps.size())
                .putEach("first", gaps.stream().limit(SHOWN).toList(), gap -> new Fields()
                        .putPeriod(gap.period())
                        .put("first", gap.first())
                        .put("last", gap.last())
                        .json())
                .json();
    }

    private static ObjectNode range(ImportSummary summary) {
        Allocation first = summary.first();
        Allocation last = summary.last();
        Fields range = new Fields().put("numbers", summary.distinctNumbers());
        return first == null || last == null
                ? range.json()
                : range.put("firstDate", summary.firstDate())
                        .put("lastDate", summary.lastDate())
                        .put("firstNumber", first.first())
                        .put("lastNumber", last.first())
                        .put("firstText", first.firstText())
                        .put("lastText", last.firstText())
                        .json();
    }
}
