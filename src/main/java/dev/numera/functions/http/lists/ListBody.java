package dev.numera.functions.http.lists;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.Excerpt;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.functions.http.HttpCall;
import dev.numera.functions.http.Query;
import dev.numera.functions.queue.QueueMessage;
import dev.numera.json.Json;
import dev.numera.json.RequestBody;
import dev.numera.sequences.lists.CellNotation;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.ListColumns.Field;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parsed body of an upload or an import.
 *
 * @param id the upload's id in the body; null without one
 */
public record ListBody(@Nullable String id, UploadedRows rows) {
    static final String RESERVE = "reserve";
    static final String DRY_RUN = "dryRun";
    private static final String ROWS = "rows";
    private static final String NUMBER = EnumWord.of(Field.NUMBER);
    private static final String STATUS = EnumWord.of(Field.STATUS);
    /** The fields of a row in JSON. They are also the default names of columns. */
    private static final List<String> FIELDS =
            Stream.of(Field.values()).map(EnumWord::of).toList();

    private static final ListColumns OF_JSON = new ListColumns(
            FIELDS, Stream.of(Field.values()).collect(Collectors.toMap(Function.identity(), Field::ordinal)));
    /**
     * The layout for lists without any status: their rows match every status in the ledger. With the other layout, a
     * missing status means issued.
     */
    private static final ListColumns OF_JSON_WITHOUT_STATUS = new ListColumns(
            FIELDS,
            Stream.of(Field.values())
                    .filter(field -> field != Field.STATUS)
                    .collect(Collectors.toMap(Function.identity(), Field::ordinal)));

    private static final String PLAIN = "text/plain";
    private static final String CSV = "text/csv";

    /**
     * Reads keys that need numbers, from the JSON of a queue message, a text with one key a line, or CSV.
     *
     * @param call its share holds the memory of the body and its rows
     * @param target returns the sequence as it is, or as its first number would create it; empty if there would be
     *     none. Called only for CSV, after the body has its memory
     * @param isKnown whether an upload of this list is already stored. Then its columns of dates are not judged again,
     *     because the format may have changed since
     * @throws ProblemException {@code invalid-request} that names the line, {@code unsupported-media-type},
     *     {@code too-large}, {@code length-required}, {@code overloaded}
     */
    public static ListBody ofKeys(
            HttpCall call,
            SequenceName sequence,
            Query query,
            Supplier<Optional<Sequence>> target,
            BooleanSupplier isKnown) {
        ListParameters parameters = new ListParameters(query);
        String text = BodyText.of(call, parameters.encoding());
        String type = mediaType(call);
        if (type.equals(CSV)) {
            return new ListBody(null, keys(text, parameters, target.get().orElse(null), isKnown));
        }
        requireNone(query, ListParameters.ofKeys());
        if (type.equals(PLAIN)) {
            return new ListBody(null, lines(text));
        }
        requireJson(call, "JSON, " + PLAIN + " or " + CSV);
        ObjectNode json = RequestBody.object(text, QueueMessage.MAX_TOKENS);
        ListBody body = keys(json, sequence);
        requireSameReserve(json, query);
        return body;
    }

    /**
     * Reads numbers of another system, from CSV or JSON.
     *
     * @param target as for {@link #ofKeys}
     * @throws ProblemException as {@link #ofKeys}
     */
    static ListBody ofImport(HttpCall call, Query query, Supplier<Optional<Sequence>> target) {
        ListParameters parameters = new ListParameters(query);
        String text = BodyText.of(call, parameters.encoding());
        if (mediaType(call).equals(CSV)) {
            return new ListBody(null, numbers(text, parameters, target.get().orElse(null)));
        }
        requireNone(query, ListParameters.ofImport());
        requireJson(call, "JSON or " + CSV);
        return new ListBody(null, numbers(RequestBody.object(text, QueueMessage.MAX_TOKENS)));
    }

    private static void requireJson(HttpCall call, String types) {
        String type = call.headers().text("content-type");
        if (!RequestBody.isJson(type)) {
            throw new ProblemException(
                    ProblemType.UNSUPPORTED_MEDIA_TYPE,
                    "The body must be " + types + ", not " + Excerpt.of(String.valueOf(type))
                            + ": send one of them as Content-Type.");
        }
    }

    /**
     * Refuses a body that is not CSV.
     *
     * @throws ProblemException {@code unsupported-media-type}, {@code length-required}
     */
    static void requireCsv(HttpCall call) {
        call.body();
        if (!mediaType(call).equals(CSV)) {
            throw new ProblemException(
                    ProblemType.UNSUPPORTED_MEDIA_TYPE,
                    "The body must be " + CSV + ", not "
                            + Excerpt.of(String.valueOf(call.headers().text("content-type")))
                            + ": send that as Content-Type.");
        }
    }

    /**
     * The media type of the body in lower case, without parameters such as a charset; empty if the header is missing.
     */
    static String mediaType(HttpCall call) {
        String contentType = call.headers().text("content-type");
        return contentType == null
                ? ""
                : contentType.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
    }

    private static void requireSameReserve(ObjectNode json, Query query) {
        boolean isInBoth = query.text(RESERVE) != null && json.has(RESERVE);
        if (isInBoth && query.flag(RESERVE) != json.get(RESERVE).booleanValue()) {
            throw InvalidRequest.because(RESERVE, "must be as in the query, or left out");
        }
    }

    private static ListBody keys(ObjectNode json, SequenceName sequence) {
        List<NumberRequest> requests = QueueMessage.batch(json, sequence).requests();
        NumberRequest one = requests.get(0);
        ListColumns columns = ListColumns.ofKeys(one.date(), one.count());
        UploadedRows rows = new UploadedRows(one.isReserved() ? columns.reserved() : columns);
        requests.forEach(request ->
                rows.addChecked(Objects.requireNonNull(request.keyAsSent(), "Each request of a batch has a key.")));
        return new ListBody(QueueMessage.id(json), rows);
    }

    private static UploadedRows lines(String text) {
        UploadedRows rows = new UploadedRows(ListColumns.ofKeys(null, 1));
        int number = 0;
        for (Iterator<String> lines = EmptyTail.removed(text, '\n').lines().iterator(); lines.hasNext(); ) {
            number++;
            String line = lines.next();
            if (line.isBlank()) {
                rows.wrong(InvalidRequest.because("line " + number, "is empty: delete it, or write its key"));
            } else {
                rows.add("line " + number, number, List.of(line));
            }
        }
        rows.requireRight();
        return rows;
    }

    /**
     * Refuses parameters that only apply to CSV.
     *
     * @throws ProblemException {@code invalid-request}
     */
    private static void requireNone(Query query, List<String> parameters) {
        for (String parameter : parameters) {
            if (query.has(parameter)) {
                throw InvalidRequest.because(parameter, "is for " + CSV + " only");
            }
        }
    }

    private static UploadedRows keys(
            String csv, ListParameters parameters, @Nullable Sequence known, BooleanSupplier isKnown) {
        UploadedRows rows = UploadCsv.read(csv, parameters, notation(parameters, known));
        boolean isOwn =
                OwnColumns.ofUpload(new Headers(rows.layout().columns())).isThere();
        boolean isDateTelling = known != null && known.texts().isDateTelling(known.formatRevision());
        if (isDateTelling && !isOwn && !isKnown.getAsBoolean()) {
            unused(rows, parameters).requireNone(Set.of(Field.DATE));
        }
        return rows;
    }

    /**
     * Reads the rows of an import in CSV.
     *
     * @throws ProblemException {@code invalid-request}
     */
    static UploadedRows numbers(String csv, ListParameters parameters, @Nullable Sequence known) {
        CellNotation notation = notation(parameters, known);
        UploadedRows rows =
                UploadCsv.read(csv, parameters.structure(), parameters::ownOfImport, (headers, separator) -> layout(
                                headers, parameters)
                        .ofFile(separator, notation));
        unused(rows, parameters).requireNone(Set.of(Field.DATE, Field.STATUS));
        rows.requireStatedNotation();
        Long maxNumber = parameters.maxNumber();
        if (maxNumber != null && known != null) {
            rows.requireUpTo(maxNumber, known);
        }
        return rows;
    }

    private static CellNotation notation(ListParameters parameters, @Nullable Sequence known) {
        return parameters.notation(
                known == null ? ZoneOffset.UTC : known.fixed().zone());
    }

    private static UnusedColumns unused(UploadedRows rows, ListParameters parameters) {
        Set<Field> named = Stream.of(Field.values())
                .filter(field -> parameters.columnOf(field) != null)
                .collect(Collectors.toSet());
        Set<Integer> ignored = new Headers(rows.layout().columns()).places(ListParameters.IGNORE, parameters.ignored());
        return new UnusedColumns(rows.layout(), named, ignored, rows.asRead());
    }

    private static ListColumns layout(Headers headers, ListParameters parameters) {
        Set<Integer> ignored = headers.places(ListParameters.IGNORE, parameters.ignored());
        Map<Field, Integer> places = new EnumMap<>(Field.class);
        for (Field column : Field.values()) {
            String field = EnumWord.of(column);
            String name = parameters.columnOf(column);
            if (name != null) {
                places.put(column, headers.place(ListParameters.column(column), name));
            } else if (headers.all(field).anyMatch(place -> !ignored.contains(place))) {
                places.put(column, headers.place(ListParameters.column(column), field));
            }
        }
        if (!places.containsKey(Field.KEY)) {
            throw missing(Field.KEY, "key", headers, parameters);
        }
        ListColumns columns = new ListColumns(headers.names(), places);
        if (!columns.isImport()) {
            throw missing(Field.NUMBER, "number (or textColumn the one with the text)", headers, parameters);
        }
        UploadCsv.requireUnread(columns, ignored);
        return columns;
    }

    private static ProblemException missing(Field field, String content, Headers headers, ListParameters parameters) {
        return InvalidRequest.because(
                ListParameters.column(field),
                "must name the column with the " + content + ", unless the header line has one called "
                        + EnumWord.of(field) + "; line "
                        + parameters.structure().headerLine()
                        + " is read as the header line, unless headerLine states another one; " + headers.shown());
    }

    private static UploadedRows numbers(ObjectNode body) {
        RequestBody.unknownFields(body, Set.of(ROWS)).findFirst().ifPresent(name -> {
            throw InvalidRequest.because(name, "is no field of an import: it has rows");
        });
        JsonNode array = body.path(ROWS);
        if (!array.isArray()) {
            throw InvalidRequest.because(ROWS, "must be an array of objects with " + String.join(", ", FIELDS));
        }
        UploadedRows rows = new UploadedRows(hasStatus(array) ? OF_JSON : OF_JSON_WITHOUT_STATUS);
        int index = 0;
        for (JsonNode row : array) {
            add(rows, index, row);
            index++;
        }
        rows.requireRight();
        return rows;
    }

    private static boolean hasStatus(JsonNode rows) {
        for (JsonNode row : rows) {
            if (row.has(STATUS)) {
                return true;
            }
        }
        return false;
    }

    private static void add(UploadedRows rows, int index, JsonNode row) {
        String place = ROWS + "[" + index + "]";
        try {
            rows.add(place, index + 1, values(place, row));
        } catch (ProblemException e) {
            if (e.type() != ProblemType.INVALID_REQUEST) {
                throw e;
            }
            rows.wrong(e);
        }
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
            throw InvalidRequest.because(place, "must have a string as its " + field);
        }
        return value.textValue();
    }
}
