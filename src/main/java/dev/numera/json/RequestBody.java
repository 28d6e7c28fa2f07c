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

/** JSON that a caller sent, as the body of a request or as a message. */
public final class RequestBody {
    private static final int MAX_PARSER_UNITS = 200;
    private static final char REPLACEMENT = '\uFFFD';
    private static final Pattern OF_THE_PARSER = Pattern.compile(
            "(?s), from `[^`]*`|(: enable `| \\(bound as | \\(start marker at | \\(not recognized as ).*");
    private static final Pattern JSON_TYPE = Pattern.compile("(?i)application/([a-z0-9.+-]+\\+)?json\\s*(;.*)?");

    private RequestBody() {}

    /**
     * Refuses a body that would be ignored silently: only none, {@code {}} or {@code null} will do. Whatever else it
     * is, it may be long, so it is not parsed.
     *
     * @throws ProblemException {@code invalid-request}
     */
    public static void requireNone(String text) {
        String body = text.strip();
        if (!body.isEmpty() && !body.equals("null") && !isEmptyObject(body)) {
            throw InvalidRequest.because("body", "must be empty: parameters belong in the query");
        }
    }

    /** @throws ProblemException {@code too-large} for a longer one */
    public static void requireLength(String body, int maxUnits) {
        if (body.length() > maxUnits) {
            throw new ProblemException(ProblemType.TOO_LARGE, "The body has more than " + maxUnits + " characters.");
        }
    }

    /**
     * @param maxTokens how many values, names and brackets it may have
     * @throws ProblemException {@code invalid-request} if it is not a JSON object, {@code too-large} if there is too
     *     much in it
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
                    "The body has too much in it for one request: " + said(e) + ". Send less at once.");
        } catch (JsonProcessingException e) {
            throw InvalidRequest.because("body", "must be a JSON object: " + said(e));
        }
        throw InvalidRequest.because("body", "must be a JSON object");
    }

    /** The parser quotes names of the body, however long they are, and settings of its own, which no caller changes. */
    private static String said(JsonProcessingException e) {
        String said =
                OF_THE_PARSER.matcher(String.valueOf(e.getOriginalMessage())).replaceAll("");
        return Excerpt.of(said, MAX_PARSER_UNITS) + place(e);
    }

    /** Where it is wrong, with a blank before it; empty where the parser does not say. */
    public static String place(JsonProcessingException e) {
        JsonLocation at = e.getLocation();
        return at == null || at.getLineNr() < 1 ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
    }

    /**
     * Refuses what a host puts in the place of bytes that are not UTF-8: two texts could become one.
     *
     * @throws ProblemException {@code invalid-request}
     */
    public static void requireUtf8(String body) {
        if (body.indexOf(REPLACEMENT) >= 0) {
            throw InvalidRequest.because("body", "must be UTF-8, without U+FFFD, which replaces bytes that are not");
        }
    }

    /** @throws ProblemException {@code invalid-request} that names each field that is not one of these */
    public static void requireFields(ObjectNode body, Collection<String> known) {
        InvalidRequest invalid = new InvalidRequest();
        unknownFields(body, known).forEach(name -> invalid.add(name, "is no field of this call: it knows " + known));
        invalid.throwIfAny();
    }

    public static Stream<String> unknownFields(JsonNode body, Collection<String> known) {
        return body.properties().stream().map(Map.Entry::getKey).filter(name -> !known.contains(name));
    }

    /** @throws ProblemException {@code invalid-request} if the field is missing or no text */
    public static String requireText(JsonNode body, String field) {
        JsonNode value = body.path(field);
        if (!value.isTextual()) {
            throw InvalidRequest.because(field, value.isMissingNode() ? "is missing" : "must be a text");
        }
        return value.textValue();
    }

    /** A body without a type is taken for JSON. */
    public static boolean isJson(@Nullable String contentType) {
        return contentType == null || JSON_TYPE.matcher(contentType.strip()).matches();
    }

    private static boolean isEmptyObject(String body) {
        return body.startsWith("{")
                && body.endsWith("}")
                && body.substring(1, body.length() - 1).isBlank();
    }
}
