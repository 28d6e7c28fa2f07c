package dev.numera.maintain.prove;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.json.Json;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One address of the deployment, called like any client would. Sends each request only once and blocks for at most
 * {@value #TIMEOUT_SECONDS} s. Thread-safe.
 *
 * @param name the address as messages and files show it
 * @param base the URI that requests are sent to; a proxy's when faults are injected
 */
record Address(String name, URI base, HttpClient http, Map<AccessKey, String> keys) {
    private static final int TIMEOUT_SECONDS = 30;
    private static final Pattern STORAGE = Pattern.compile("\\bstorage;dur=(\\d{1,9}(?:\\.\\d{1,6})?)\\b");

    /** The two function keys, each with the environment variable that contains it. */
    enum AccessKey {
        NUMBERS("NUMERA_KEY"),
        DEFINITIONS("NUMERA_DEFINITIONS_KEY");

        final String variable;

        AccessKey(String variable) {
            this.variable = variable;
        }
    }

    /**
     * An answer over HTTP.
     *
     * @param body null if it is not a JSON object
     * @param version the app's version; empty if another program answered
     * @param storageMillis the storage time that {@code Server-Timing} states; -1 if that header is missing
     */
    record Answer(int status, @Nullable JsonNode body, String version, double storageMillis) {
        /** The last part of the problem type, or the HTTP status if the body contains none. */
        String problem() {
            String type = body == null ? "" : body.path("type").asText();
            return isProblem() ? type.substring(type.lastIndexOf(':') + 1) : "status-" + status;
        }

        /** Whether the app itself refused the call, and not a host or gateway in front. */
        boolean isProblem() {
            return body != null
                    && body.path("type").asText().startsWith("urn:problem-type:numera:")
                    && body.path("status").asInt() == status;
        }
    }

    static HttpClient client() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(5))
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    /**
     * Sends one request.
     *
     * @param path the path after the prefix, with its query
     * @param headers alternating names and values
     * @throws IOException no answer arrived
     * @throws CannotProve the app answered 401: the key is missing or wrong
     */
    Answer send(AccessKey key, String method, String path, @Nullable String body, String... headers)
            throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(Duration.ofSeconds(TIMEOUT_SECONDS))
                .method(
                        method,
                        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        String value = keys.getOrDefault(key, "");
        if (!value.isEmpty()) {
            request.header("x-functions-key", value);
        }
        HttpResponse<String> response = exchange(request.build());
        if (response.statusCode() == 401) {
            throw new CannotProve(name + " answered 401 to " + method + " " + path + ": " + key.variable
                    + (value.isEmpty() ? " is not set" : " is not accepted")
                    + ", and must be a function key that is valid for this call.");
        }
        return answer(response);
    }

    private HttpResponse<String> exchange(HttpRequest request) throws IOException {
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a call waited for its answer");
        }
    }

    private static Answer answer(HttpResponse<String> response) {
        String timing = response.headers().firstValue("Server-Timing").orElse("");
        Matcher storage = STORAGE.matcher(timing);
        return new Answer(
                response.statusCode(),
                json(response.body()),
                response.headers().firstValue("Numera-Version").orElse(""),
                storage.find() ? Double.parseDouble(storage.group(1)) : -1);
    }

    private static @Nullable JsonNode json(String text) {
        try {
            return text.startsWith("{") ? Json.read(text, Long.MAX_VALUE) : null;
        } catch (JsonProcessingException e) {
            return null;
        }
    }
}
