package dev.numera.functions;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.HttpStatusType;
import dev.numera.execution.CharacterBudget;
import dev.numera.problem.ProblemException;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What every HTTP call has in common: an answer, in JSON or CSV as a rule, or a problem. */
public final class Endpoint {
    /** A cache may keep it, and asks by its tag whether it has changed. */
    static final String ASK_AGAIN = "no-cache";

    static final String PROBLEM_JSON = "application/problem+json";
    private static final String RETRY_AFTER_SECONDS = "1";

    private Endpoint() {}

    /** Answers with what the call gives, or with the problem that it throws. */
    public static HttpResponseMessage answer(
            HttpRequestMessage<Optional<String>> request, Supplier<HttpResponseMessage> call) {
        try {
            return call.get();
        } catch (ProblemException e) {
            return problem(request, e);
        }
    }

    /**
     * As the other, for a call whose body or answer can be long.
     *
     * @param call holds the characters that it needs in its share, which is closed once the answer is written
     */
    public static HttpResponseMessage answer(
            HttpRequestMessage<Optional<String>> request, Function<CharacterBudget.Share, HttpResponseMessage> call) {
        try (CharacterBudget.Share share = CharacterBudget.OF_THE_PROCESS.open()) {
            return answer(request, () -> call.apply(share));
        }
    }

    /**
     * Answers a call without a body.
     *
     * @param parameters all that the call has
     */
    public static HttpResponseMessage withoutBody(
            HttpRequestMessage<Optional<String>> request,
            Set<String> parameters,
            Function<Query, HttpResponseMessage> call) {
        return answer(request, () -> call.apply(queryAlone(request, parameters)));
    }

    /**
     * As the other, for a call whose answer can be long.
     *
     * @param call holds the characters that it needs in its share, which is closed once the answer is written
     */
    public static HttpResponseMessage withoutBody(
            HttpRequestMessage<Optional<String>> request,
            Set<String> parameters,
            BiFunction<Query, CharacterBudget.Share, HttpResponseMessage> call) {
        return answer(request, share -> call.apply(queryAlone(request, parameters), share));
    }

    private static Query queryAlone(HttpRequestMessage<Optional<String>> request, Set<String> parameters) {
        Query query = Query.of(request, parameters);
        RequestBody.requireNone(request);
        return query;
    }

    /**
     * Begins an answer. Each tells which version of the app gave it, and that its type is what it says: a browser that
     * guessed would run a key as a script.
     */
    public static HttpResponseMessage.Builder begin(HttpRequestMessage<Optional<String>> request, int status) {
        return request.createResponseBuilder(HttpStatusType.custom(status))
                .header(Version.HEADER, Version.OF_THE_APP)
                .header("X-Content-Type-Options", "nosniff");
    }

    public static HttpResponseMessage.Builder json(
            HttpRequestMessage<Optional<String>> request, int status, JsonNode body) {
        return begin(request, status)
                .header("Content-Type", "application/json")
                .header("Cache-Control", "no-store")
                .body(body.toString());
    }

    public static HttpResponseMessage ok(HttpRequestMessage<Optional<String>> request, JsonNode body) {
        return json(request, 200, body).build();
    }

    /** What is not done yet: it is to be asked for again. */
    public static HttpResponseMessage pending(HttpRequestMessage<Optional<String>> request, JsonNode body) {
        return json(request, 202, body)
                .header("Retry-After", RETRY_AFTER_SECONDS)
                .build();
    }

    /** CSV is for those who ask for it and not for JSON. */
    public static boolean wantsCsv(HttpRequestMessage<Optional<String>> request) {
        String accept = request.getHeaders().getOrDefault("accept", "");
        return accept.contains("text/csv") && !accept.contains("json");
    }

    public static HttpResponseMessage.Builder csv(HttpRequestMessage<Optional<String>> request, String text) {
        return begin(request, 200)
                .header("Content-Type", "text/csv")
                .header("Cache-Control", "no-store")
                .body(text);
    }

    /**
     * A file of the app, with its entity tag; without its content for a caller that has it already.
     *
     * @param caching for {@code Cache-Control}
     */
    static HttpResponseMessage.Builder file(
            HttpRequestMessage<Optional<String>> request, Resource file, String type, String caching) {
        boolean isKnown = isKnown(request.getHeaders().get("if-none-match"), file.tag());
        HttpResponseMessage.Builder response = begin(request, isKnown ? 304 : 200)
                .header("Cache-Control", caching)
                .header("ETag", file.tag());
        return isKnown ? response : response.header("Content-Type", type).body(file.content());
    }

    /** A proxy may have made a weak tag of it. */
    private static boolean isKnown(@Nullable String tags, String tag) {
        return tags != null && (tags.strip().equals("*") || tags.contains(tag));
    }

    private static HttpResponseMessage problem(HttpRequestMessage<Optional<String>> request, ProblemException problem) {
        HttpResponseMessage.Builder response = begin(request, problem.type().status())
                .header("Content-Type", PROBLEM_JSON)
                .header("Cache-Control", "no-store")
                .body(Json.of(problem).toString());
        if (problem.isTransient()) {
            response.header("Retry-After", RETRY_AFTER_SECONDS);
        }
        if (problem.members().get("etag") instanceof String tag) {
            response.header("ETag", tag);
        }
        return response.build();
    }
}
