package dev.numera.functions.batch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.batch.Layout;
import dev.numera.functions.Exchange;
import dev.numera.functions.Query;
import dev.numera.functions.RequestBody;
import dev.numera.model.Ask;
import dev.numera.model.SequenceName;
import dev.numera.problem.Excerpt;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The body of an upload: the JSON of a queue message, a text with one key a line, or CSV.
 *
 * @param id by which the body names the upload; null without one
 */
public record UploadBody(@Nullable String id, UploadedRows rows) {
    static final String KEY_COLUMN = "keyColumn";
    static final String DATE_COLUMN = "dateColumn";
    static final String RESERVE = "reserve";
    static final String SEPARATOR = "separator";
    private static final int MAX_UNITS = 32 * 1024 * 1024;
    private static final String PLAIN = "text/plain";
    private static final String CSV = "text/csv";
    /** What the host makes of bytes that are no UTF-8. */
    private static final char REPLACEMENT = '\uFFFD';

    /**
     * @param call holds the body, and what it becomes, in its share
     * @throws ProblemException {@code invalid-request}, {@code unsupported-media-type}, {@code too-large},
     *     {@code length-required}, {@code overloaded}
     */
    public static UploadBody read(Exchange call, SequenceName sequence, Query query) {
        String withoutMark = text(call);
        String contentType = call.header("content-type");
        if (isCsv(contentType)) {
            return new UploadBody(
                    null,
                    UploadCsv.read(withoutMark, query.text(KEY_COLUMN), query.text(DATE_COLUMN), separator(query)));
        }
        requireNone(query, List.of(KEY_COLUMN, DATE_COLUMN, SEPARATOR));
        if (mediaType(contentType).equals(PLAIN)) {
            return new UploadBody(null, lines(withoutMark));
        }
        if (!RequestBody.isJson(contentType)) {
            throw new ProblemException(
                    ProblemType.UNSUPPORTED_MEDIA_TYPE,
                    "The body must be JSON, " + PLAIN + " or " + CSV + ", not "
                            + Excerpt.of(String.valueOf(contentType)) + ": send one of them as Content-Type.");
        }
        return json(withoutMark, sequence);
    }

    /**
     * The body as text, without the mark that some programs put before it.
     *
     * @param call holds it, and what it becomes, in its share
     * @throws ProblemException {@code invalid-request}, {@code too-large}, {@code length-required}, {@code overloaded}
     */
    static String text(Exchange call) {
        String text = call.body();
        RequestBody.requireLength(text, MAX_UNITS);
        UploadRoom.hold(text, call.share());
        if (text.indexOf(REPLACEMENT) >= 0) {
            throw InvalidRequest.because("body", "must be UTF-8, but has other bytes");
        }
        return Envelope.withoutMark(text);
    }

    static boolean isCsv(@Nullable String contentType) {
        return mediaType(contentType).equals(CSV);
    }

    /** @throws ProblemException {@code unsupported-media-type}, {@code length-required} */
    static void requireCsv(Exchange call) {
        call.body();
        String contentType = call.header("content-type");
        if (!isCsv(contentType)) {
            throw new ProblemException(
                    ProblemType.UNSUPPORTED_MEDIA_TYPE,
                    "The body must be " + CSV + ", not " + Excerpt.of(String.valueOf(contentType))
                            + ": send that as Content-Type.");
        }
    }

    private static String mediaType(@Nullable String contentType) {
        return contentType == null
                ? ""
                : contentType.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
    }

    /**
     * Null where it is not given.
     *
     * @throws ProblemException {@code invalid-request}
     */
    static @Nullable Character separator(Query query) {
        String given = query.text(SEPARATOR);
        if (given == null) {
            return null;
        }
        return switch (given) {
            case ",", "comma" -> (Character) ',';
            case ";", "semicolon" -> (Character) ';';
            case "\t", "tab" -> (Character) '\t';
            default ->
                throw InvalidRequest.because(
                        SEPARATOR, "must be a comma, a semicolon or a tab: comma, semicolon or tab by name");
        };
    }

    private static UploadBody json(String text, SequenceName sequence) {
        ObjectNode json = RequestBody.object(text);
        List<Ask> asks = QueueMessage.batch(json, sequence).asks();
        Ask one = asks.get(0);
        Layout layout = Layout.ofKeys(one.date(), one.count());
        UploadedRows rows = new UploadedRows(one.isReserved() ? layout.reserved() : layout);
        asks.forEach(ask -> rows.addChecked(Objects.requireNonNull(ask.key(), "Each request of a batch has a key.")));
        return new UploadBody(QueueMessage.id(json), rows);
    }

    private static UploadedRows lines(String text) {
        UploadedRows rows = new UploadedRows(Layout.ofKeys(null, 1));
        int number = 0;
        for (Iterator<String> lines = text.lines().iterator(); lines.hasNext(); ) {
            number++;
            rows.add("line " + number, List.of(lines.next()));
        }
        return rows;
    }

    /** @throws ProblemException {@code invalid-request} for parameters that only CSV has */
    static void requireNone(Query query, List<String> parameters) {
        for (String parameter : parameters) {
            if (query.text(parameter) != null) {
                throw InvalidRequest.because(parameter, "is for " + CSV + " only");
            }
        }
    }
}
