package dev.numera.functions;

import dev.numera.problem.InvalidRequest;
import dev.numera.problem.PrintableText;
import dev.numera.problem.ProblemException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The header {@code Idempotency-Key}: plain, or in double quotes as a structured field's string (RFC 8941). It has
 * ASCII only; a parameter takes keys of any script.
 */
final class IdempotencyKey {
    private static final String HEADER = "Idempotency-Key";
    private static final String PARAMETER = "key";

    private IdempotencyKey() {}

    /**
     * The key of the header, or one of any script of the parameter {@code key}; null without either.
     *
     * @throws ProblemException {@code invalid-request}, also if they are two different ones
     */
    static @Nullable String from(Map<String, String> headers, Query query) {
        String ofHeader = from(headers);
        String ofQuery = query.text(PARAMETER);
        if (ofQuery == null) {
            return ofHeader;
        }
        PrintableText.KEY.require(PARAMETER, ofQuery);
        if (ofHeader != null && !ofHeader.equals(ofQuery)) {
            throw InvalidRequest.because(PARAMETER, "must be the one of the header " + HEADER + ", or be left out");
        }
        return ofQuery;
    }

    /**
     * Null without the header.
     *
     * @param headers by their names in lower case, as the host passes them
     * @throws ProblemException {@code invalid-request}
     */
    static @Nullable String from(Map<String, String> headers) {
        String value = headers.get("idempotency-key");
        if (value == null) {
            return null;
        }
        String key = value.startsWith("\"") ? unquote(value) : value;
        if (!key.chars().allMatch(unit -> unit >= ' ' && unit <= '~')) {
            throw InvalidRequest.because(HEADER, "must have printable ASCII characters only");
        }
        PrintableText.KEY.require(HEADER, key);
        return key;
    }

    private static String unquote(String value) {
        StringBuilder key = new StringBuilder();
        for (int at = 1; at < value.length() - 1; at++) {
            char unit = value.charAt(at);
            if (unit == '\\') {
                at++;
                unit = value.charAt(at);
                if (at == value.length() - 1 || unit != '"' && unit != '\\') {
                    throw malformed();
                }
            } else if (unit == '"') {
                throw malformed();
            }
            key.append(unit);
        }
        if (value.length() < 2 || !value.endsWith("\"")) {
            throw malformed();
        }
        return key.toString();
    }

    private static ProblemException malformed() {
        return InvalidRequest.because(
                HEADER,
                "begins with a double quote but is no structured-field string: end it with one, and put a"
                        + " backslash before each \" and \\ within");
    }
}
