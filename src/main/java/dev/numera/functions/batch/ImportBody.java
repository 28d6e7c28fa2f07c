package dev.numera.functions.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpRequestMessage;
import dev.numera.batch.ImportColumns;
import dev.numera.batch.UploadLayout;
import dev.numera.execution.CharacterBudget;
import dev.numera.functions.Json;
import dev.numera.functions.Query;
import dev.numera.functions.RequestBody;
import dev.numera.problem.Excerpt;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The body of an import: CSV with a header line, or JSON. */
final class ImportBody {
    private static final String ROWS = "rows";
    private static final String KEY = "key";
    private static final String NUMBER = "number";
    private static final String TEXT = "text";
    private static final String DATE = "date";
    private static final String STATUS = "status";
    private static final String REASON = "reason";
    /** The fields of a row in JSON; and columns have these names where the request gives no others. */
    private static final List<String> FIELDS = List.of(KEY, NUMBER, TEXT, DATE, STATUS, REASON);

    private ImportBody() {}

    /** The parameter that names the column of a field. */
    private static String parameter(String field) {
        return field + "Column";
    }

    /** All parameters that only CSV has. */
    static List<String> csvParameters() {
        return Stream.concat(FIELDS.stream().map(ImportBody::parameter), Stream.of(UploadBody.SEPARATOR))
                .toList();
    }

    /**
     * @param share holds the body, and what it becomes
     * @throws ProblemException {@code invalid-request} that names the line, {@code unsupported-media-type},
     *     {@code too-large}, {@code length-required}, {@code overloaded}
     */
    static UploadedRows read(HttpRequestMessage<Optional<String>> request, Query query, CharacterBudget.Share share) {
        String text = UploadBody.text(request, share);
        String contentType = request.getHeaders().get("content-type");
        if (UploadBody.isCsv(contentType)) {
            return UploadCsv.read(
                    text, UploadBody.separator(query), (columns, separator) -> layout(columns, query, separator));
        }
        UploadBody.requireNone(query, csvParameters());
        if (!RequestBody.isJson(contentType)) {
            throw new ProblemException(
                    ProblemType.UNSUPPORTED_MEDIA_TYPE,
                    "The body must be JSON or text/csv, not " + Excerpt.of(String.valueOf(contentType))
                            + ": send one of them as Content-Type.");
        }
        return json(RequestBody.object(text));
    }

    private static UploadLayout layout(List<String> columns, Query query, char separator) {
        int key = column(columns, query, KEY);
        int number = column(columns, query, NUMBER);
        int text = column(columns, query, TEXT);
        if (key == UploadLayout.NO_COLUMN) {
            throw missing(KEY, columns);
        }
        if (number == UploadLayout.NO_COLUMN && text == UploadLayout.NO_COLUMN) {
            throw missing(NUMBER, columns);
        }
        return UploadLayout.ofImport(
                columns,
                key,
                column(columns, query, DATE),
                new ImportColumns(number, text, column(columns, query, STATUS), column(columns, query, REASON)),
                separator);
    }

    private static int column(List<String> columns, Query query, String field) {
        String parameter = parameter(field);
        String name = query.text(parameter);
        if (name == null && !columns.contains(field)) {
            return UploadLayout.NO_COLUMN;
        }
        return UploadCsv.column(columns, parameter, name == null ? field : name);
    }

    private static ProblemException missing(String field, List<String> columns) {
        return InvalidRequest.because(
                parameter(field),
                "must name the column with the "
                        + (field.equals(NUMBER) ? "number, or textColumn that with the text" : field)
                        + ", unless the header line has one called " + field + "; " + UploadCsv.found(columns));
    }

    private static UploadedRows json(ObjectNode body) {
        RequestBody.unknownFields(body, Set.of(ROWS)).findFirst().ifPresent(name -> {
            throw InvalidRequest.because(name, "is no field of an import: it has rows");
        });
        JsonNode array = body.path(ROWS);
        if (!array.isArray()) {
            throw InvalidRequest.because(ROWS, "must be an array of objects with " + String.join(", ", FIELDS));
        }
        UploadedRows rows = new UploadedRows(UploadLayout.ofImport(
                FIELDS, 0, FIELDS.indexOf(DATE), new ImportColumns(1, 2, 4, 5), UploadLayout.COMMA));
        int index = 0;
        for (JsonNode row : array) {
            rows.add(ROWS + "[" + index + "]", values(ROWS + "[" + index + "]", row));
            index++;
        }
        return rows;
    }

    private static List<String> values(String place, JsonNode row) {
        if (!row.isObject()) {
            throw InvalidRequest.because(place, "must be an object");
        }
        if (RequestBody.unknownFields(row, FIELDS).findAny().isPresent()) {
            throw InvalidRequest.because(place, "must have no other fields than " + String.join(", ", FIELDS));
        }
        return FIELDS.stream().map(field -> value(place, field, row.get(field))).toList();
    }

    private static String value(String place, String field, @Nullable JsonNode value) {
        if (value == null || value.isNull()) {
            return "";
        }
        if (field.equals(NUMBER)) {
            return String.valueOf(Json.whole(value)
                    .orElseThrow(() -> InvalidRequest.because(place, "must have a whole number as its number")));
        }
        if (!value.isTextual()) {
            throw InvalidRequest.because(place, "must have a text as its " + field);
        }
        return value.textValue();
    }
}
