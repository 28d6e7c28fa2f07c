package dev.numera.maintain;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.json.Json;
import dev.numera.maintain.prove.CannotProve;
import dev.numera.maintain.prove.Prove;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prints what needs a person, as {@code GET /attention} of a deployment lists it. Reads page after page; each request
 * blocks for at most {@value #TIMEOUT_SECONDS} s.
 */
final class AttentionCommand {
    static final String NAME = "attention";

    private static final String KEY = "NUMERA_KEY";
    private static final String ENTRIES = "entries";
    private static final int TIMEOUT_SECONDS = 30;
    /** The most pages: 500,000 sequences. */
    private static final int MAX_PAGES = 10_000;
    /** The members of an entry that a line shows, in this order, after its kind and its sequence. */
    private static final List<String> SHOWN = List.of("month", "since", "count", "left", "key", "list", "id", "reason");

    private AttentionCommand() {}

    /**
     * Returns a line for each entry.
     *
     * @param environment has the function key in {@value #KEY} if the app requires keys
     * @param arguments the URL of the deployment, such as {@code https://HOST/api}
     * @throws NoCommand the arguments are no URL
     * @throws IOException the deployment could not be read to the end
     * @throws CannotProve the key cannot be sent in a header
     */
    static List<String> run(Map<String, String> environment, List<String> arguments) throws IOException {
        URI base = base(arguments);
        HttpClient client =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
        String key = Prove.functionKey(environment, KEY);
        List<String> lines = new ArrayList<>();
        String query = "";
        for (int page = 0; page < MAX_PAGES; page++) {
            JsonNode body = page(client, URI.create(base + "/attention" + query), key);
            body.path(ENTRIES).forEach(entry -> lines.add(line(entry)));
            if (!body.has("continuation")) {
                return lines;
            }
            query = "?continuation="
                    + URLEncoder.encode(body.path("continuation").asText(), StandardCharsets.UTF_8);
        }
        throw new IOException(base + " has more than " + MAX_PAGES + " pages of GET /attention.");
    }

    private static URI base(List<String> arguments) {
        String url = arguments.size() == 1 ? withoutSlashAtEnd(arguments.get(0)) : "";
        try {
            URI base = URI.create(url);
            boolean isWeb = "http".equals(base.getScheme()) || "https".equals(base.getScheme());
            if (isWeb && base.getHost() != null && base.getRawQuery() == null && base.getRawFragment() == null) {
                return base;
            }
        } catch (IllegalArgumentException e) {
            // Falls through: a string that is no URI is refused like another URI.
        }
        throw new NoCommand("The command " + NAME + " takes one URL, such as https://HOST/api.");
    }

    private static String withoutSlashAtEnd(String url) {
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    private static JsonNode page(HttpClient client, URI uri, String key) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(TIMEOUT_SECONDS));
        if (!key.isEmpty()) {
            request.header("x-functions-key", key);
        }
        HttpResponse<String> answer = send(client, request.build());
        if (answer.statusCode() != 200) {
            throw new IOException(uri + " answered " + answer.statusCode()
                    + (answer.statusCode() == 401
                            ? ": " + KEY + " must be a function key that may call ListAttention."
                            : ": " + answer.body()));
        }
        JsonNode body;
        try {
            body = Json.read(answer.body(), Long.MAX_VALUE);
        } catch (JsonProcessingException e) {
            throw new IOException(uri + " is not a deployment of Numera: its answer is no JSON.", e);
        }
        if (!body.path(ENTRIES).isArray()) {
            throw new IOException(uri + " is not a deployment of Numera: its answer has no entries.");
        }
        return body;
    }

    private static HttpResponse<String> send(HttpClient client, HttpRequest request) throws IOException {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IOException(request.uri() + " does not answer (" + e + ").", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a call waited for its answer");
        }
    }

    /** Returns an entry as one line: its kind, its sequence, its figures and what to do. */
    private static String line(JsonNode entry) {
        Stream<String> figures = SHOWN.stream()
                .filter(entry::has)
                .map(member -> member + " " + entry.path(member).asText());
        String sequence = entry.has("scope")
                ? " " + entry.path("scope").asText() + "/" + entry.path("name").asText()
                : "";
        String problem =
                entry.has("problem") ? ", " + entry.at("/problem/detail").asText() : "";
        String text = entry.path("kind").asText() + sequence + figures.collect(Collectors.joining(", ", ": ", ""))
                + problem + " > " + entry.path("action").asText();
        // Keys and reasons are text of other people: a control character must not reach a terminal.
        return text.codePoints()
                .map(unit -> Character.isISOControl(unit) ? ' ' : unit)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
