package dev.numera.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.core.problem.Excerpt;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.util.Collection;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks JSON that a caller sent, as the body of a request or as a queue message. */
public final class RequestBody {
    private static final int MAX_PARSER_UNITS = 200;
    private static final char REPLACEMENT = '\uFFFD';
    private static final Pattern OF_THE_PARSER = Pattern.compile(
            "(?s), from `[^`]*`|(: enable `| \\(bound as | \\(start marker at | \\(not recognized as ).*");
    private static final Pattern JSON_TYPE = Pattern.compile("(?i)application/([a-z0-9.+-]+\\+)?json\\s*(;.*)?");

    private RequestBody() {}

    /**
     * Refuses the body of a call that takes none, because it would be ignored silently. Accepts an empty body,
     * {@code {}} and {@code null}. Does not parse the body, which may be long.
     *
     * @throws ProblemException {@code invalid-request}
     */
    public static void requireNone(String text) {
        String body = text.strip();
        if (!body.isEmpty() && !body.equals("null") && !isEmptyObject(body)) {
            throw InvalidRequest.because("body", "must be empty: parameters belong in the query");
        }
    }

    /**
     * Refuses a longer body.
     *
     * @throws ProblemException {@code too-large}
     */
    public static void requireLength(String body, int maxUnits) {
        if (body.length() > maxUnits) {
            throw new ProblemException(ProblemType.TOO_LARGE, "The body has more than " + maxUnits + " characters.");
        }
    }

    /**
     * Parses an object.
     *
     * @param maxTokens the most values, names and brackets
     * @throws ProblemException {@code invalid-request} if the text is not a JSON object, {@code too-large} if it has
     *     more tokens
     */
    public static ObjectNode object(String text, int maxTokens) {
        try {
            JsonNode json = Json.read(text, maxTokens);
            if (json instanceof ObjectNode object) {
                return object;
            }
        } catch (StreamConstraintsException e) {
            throw new ProblemException(
                    ProblemType.TOO_LARGE,
                    "The body is too large for one request: " + said(e) + ". Send less at once.");
        } catch (JsonProcessingException e) {
            throw InvalidRequest.because("body", "must be a JSON object: " + said(e));
        }
        throw InvalidRequest.because("body", "must be a JSON object");
    }

    /**
     * Shortens a message of the parser. The parser quotes names from the body, however long, and its own settings,
     * which no caller can change.
     */
    private static String said(JsonProcessingException e) {
        String said =
                OF_THE_PARSER.matcher(String.valueOf(e.getOriginalMessage())).replaceAll("");
        return Excerpt.of(said, MAX_PARSER_UNITS) + place(e);
    }

    /** Returns the place of the error, such as " at line 2, column 7"; empty if the parser does not know it. */
    public static String place(JsonProcessingException e) {
        JsonLocation at = e.getLocation();
        return at == null || at.getLineNr() < 1 ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
    }

    /**
     * Refuses U+FFFD, with which the host replaces bytes that are not UTF-8: two different texts could become the same
     * one.
     *
     * @throws ProblemException {@code invalid-request}
     */
    public static void requireUtf8(String body) {
        if (body.indexOf(REPLACEMENT) >= 0) {
            throw InvalidRequest.because(
                    "body",
                    "must be UTF-8, without U+FFFD, which replaces bytes that are not: JSON writes that character as \\ufffd");
        }
    }

    /**
     * Refuses unknown fields.
     *
     * @throws ProblemException {@code invalid-request} that names each unknown field
     */
    public static void requireFields(ObjectNode body, Collection<String> known) {
        InvalidRequest invalid = new InvalidRequest();
        unknownFields(body, known).forEach(name -> invalid.add(name, "is no field of this call: it knows " + known));
        invalid.throwIfAny();
    }

    public static Stream<String> unknownFields(JsonNode body, Collection<String> known) {
        return body.properties().stream().map(Map.Entry::getKey).filter(name -> !known.contains(name));
    }

    /**
     * Returns the string of a required field.
     *
     * @throws ProblemException {@code invalid-request} if the field is missing or not a string
     */
    public static String requireText(JsonNode body, String field) {
        JsonNode value = body.path(field);
        if (!value.isTextual()) {
            throw InvalidRequest.because(field, value.isMissingNode() ? "is missing" : "must be a string");
        }
        return value.textValue();
    }

    /** Whether a body is JSON by its media type. A body without a type counts as JSON. */
    public static boolean isJson(@Nullable String contentType) {
        return contentType == null || JSON_TYPE.matcher(contentType.strip()).matches();
    }

    private static boolean isEmptyObject(String body) {
        return body.startsWith("{")
                && body.endsWith("}")
                && body.substring(1, body.length() - 1).isBlank();
    }
}
