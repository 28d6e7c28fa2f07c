package dev.numera.functions.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.batch.Layout;
import dev.numera.batch.Layout.Field;
import dev.numera.functions.Exchange;
import dev.numera.functions.Query;
import dev.numera.functions.RequestBody;
import dev.numera.json.Json;
import dev.numera.problem.Excerpt;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.problem.Word;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The body of an import: CSV with a header line, or JSON. */
final class ImportBody {
    private static final String ROWS = "rows";
    private static final String KEY = Word.of(Field.KEY);
    private static final String NUMBER = Word.of(Field.NUMBER);
    /** The fields of a row in JSON; and columns have these names where the request gives no others. */
    private static final List<String> FIELDS =
            Stream.of(Field.values()).map(Word::of).toList();

    private static final Layout OF_JSON = new Layout(
            FIELDS, Stream.of(Field.values()).collect(Collectors.toMap(Function.identity(), Field::ordinal)));

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
     * @param call holds the body, and what it becomes, in its share
     * @throws ProblemException {@code invalid-request} that names the line, {@code unsupported-media-type},
     *     {@code too-large}, {@code length-required}, {@code overloaded}
     */
    static UploadedRows read(Exchange call, Query query) {
        String text = UploadBody.text(call);
        String contentType = call.header("content-type");
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

    private static Layout layout(List<String> columns, Query query, char separator) {
        Map<Field, Integer> places = new EnumMap<>(Field.class);
        for (Field column : Field.values()) {
            String field = Word.of(column);
            String name = query.text(parameter(field));
            if (name != null || columns.contains(field)) {
                places.put(column, UploadCsv.column(columns, parameter(field), name == null ? field : name));
            }
        }
        if (!places.containsKey(Field.KEY)) {
            throw missing(KEY, columns);
        }
        Layout layout = new Layout(columns, places).separatedBy(separator);
        if (!layout.isImport()) {
            throw missing(NUMBER, columns);
        }
        return layout;
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
        UploadedRows rows = new UploadedRows(OF_JSON);
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
