package dev.numera.client;

import java.math.BigInteger;
import java.net.http.HttpResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A complete answer.
 *
 * @param isNumeras whether the body is a problem of Numera itself and not of another server on the way
 * @param retryAfter null if the answer states none
 * @param attempts how often the call was sent
 */
record Answer(int status, Fields fields, boolean isNumeras, Duration retryAfter, int attempts) {
    private static final Set<Integer> RETRIED = Set.of(408, 429, 500, 502, 503, 504);
    private static final int LONGEST_DETAIL = 500;
    private static final BigInteger LONGEST_SECONDS = BigInteger.valueOf(Integer.MAX_VALUE);
    private static final Pattern HTTP_DATE =
            Pattern.compile("[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT");

    /**
     * Reads an answer.
     *
     * @throws IllegalArgumentException Numera's answers do not have this form
     */
    static Answer of(HttpResponse<String> response, int attempts) {
        int status = response.statusCode();
        boolean isProblem = response.headers()
                .firstValue("Content-Type")
                .filter(type -> type.startsWith("application/problem+json"))
                .isPresent();
        boolean isJson = isProblem || isOk(status);
        Fields fields = isJson ? object(response.body()) : new Fields(detail(response.body()));
        Duration retryAfter = response.headers()
                .firstValue("Retry-After")
                .map(Answer::duration)
                .orElse(null);
        return new Answer(status, fields, isProblem && NumeraProblem.isNumeras(fields.values()), retryAfter, attempts);
    }

    boolean isOk() {
        return isOk(status);
    }

    boolean isRetried() {
        return isNumeras ? status == 503 && retryAfter != null : RETRIED.contains(status);
    }

    NumeraProblem problem(String url) {
        Map<String, Object> values = new TreeMap<>(fields.values());
        if (status == 401) {
            values.put("detail", "The function key or token is missing, or is not accepted.");
        } else if (status == 404 && !isNumeras) {
            // The host of the app answers an unknown path with an empty 404.
            values.put(
                    "detail",
                    "There is no Numera at " + url + ". The address is such as https://APP.azurewebsites.net/api.");
        }
        return new NumeraProblem(status, values, retryAfter);
    }

    private static boolean isOk(int status) {
        return status >= 200 && status < 300;
    }

    private static Fields object(String body) {
        if (Json.read(body) instanceof Map<?, ?> object) {
            return Fields.of(object);
        }
        throw new IllegalArgumentException("The answer is no JSON object.");
    }

    private static Map<String, Object> detail(String body) {
        return body.isEmpty() ? Map.of() : Map.of("detail", body.substring(0, Math.min(body.length(), LONGEST_DETAIL)));
    }

    /** Reads seconds or a date; null if the header is anything else. */
    private static Duration duration(String header) {
        if (header.matches("[0-9]+")) {
            return Duration.ofSeconds(
                    new BigInteger(header).min(LONGEST_SECONDS).intValue());
        }
        return HTTP_DATE.matcher(header).matches() ? until(header) : null;
    }

    private static Duration until(String date) {
        try {
            Instant at = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            Duration left = Duration.between(Instant.now(), at);
            return left.isNegative() ? Duration.ZERO : left;
        } catch (DateTimeException e) {
            return null;
        }
    }
}
