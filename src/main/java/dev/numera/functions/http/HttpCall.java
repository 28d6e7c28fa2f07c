package dev.numera.functions.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.HttpStatusType;
import dev.numera.core.model.Page;
import dev.numera.core.problem.Excerpt;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.CharacterBudget;
import dev.numera.functions.App;
import dev.numera.functions.PackagedFile;
import dev.numera.json.Fields;
import dev.numera.json.RequestBody;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP call: reads and checks its input, and builds its answer. Methods that read throw a {@link ProblemException}
 * for input that the call does not accept. Not thread-safe.
 */
public final class HttpCall {
    /** Lets a cache keep the answer, but makes it check the entity tag before each use. */
    static final String ASK_AGAIN = "no-cache";

    static final String PROBLEM_JSON = "application/problem+json";
    /** The most characters of a definition in the body. */
    public static final int MAX_DEFINITION_UNITS = 65_536;
    /** The most characters in the body of any other call, which has a few short fields. */
    static final int MAX_CALL_UNITS = 4_096;

    /** The most characters of a page. A page ends before the item that would exceed them. */
    private static final long MAX_PAGE_CHARACTERS = 1_000_000;

    private static final String RETRY_AFTER_SECONDS = "1";
    private static final String JSON = "application/json";
    private static final String CSV = "text/csv";
    private static final String WEAK = "W/";
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final HttpRequestMessage<Optional<String>> request;
    private final RequestHeaders headers;
    private final CharacterBudget.Share share;

    /** @param isVouched as for {@link RequestHeaders} */
    HttpCall(HttpRequestMessage<Optional<String>> request, CharacterBudget.Share share, boolean isVouched) {
        this.request = request;
        this.headers = new RequestHeaders(request.getHeaders(), isVouched);
        this.share = share;
    }

    /**
     * Returns the result of the call, or the problem that it throws, as the answer. A call that lacks the needed rights
     * is refused before anything of it is parsed.
     */
    public static HttpResponseMessage answer(
            App app,
            HttpRequestMessage<Optional<String>> request,
            Need need,
            Function<HttpCall, HttpResponseMessage.Builder> call) {
        try (CharacterBudget.Share share = CharacterBudget.OF_THE_PROCESS.open()) {
            HttpCall httpCall = new HttpCall(request, share, app.requiresRights());
            try {
                need.require(request, httpCall.headers);
                return call.apply(httpCall).build();
            } catch (ProblemException e) {
                return httpCall.problem(e).build();
            }
        }
    }

    /** Returns this call's share of the memory budget. It holds characters until the answer is written. */
    public CharacterBudget.Share share() {
        return share;
    }

    /**
     * Shortens a page to the size of one answer, but keeps at least one item. Its characters are held until the answer
     * is written.
     *
     * @param characters the most characters that an item takes in the answer
     * @param position of an item; null if no page can start there
     * @throws ProblemException {@code overloaded}
     */
    public <T, P> Page<T, P> within(Page<T, P> page, ToLongFunction<T> characters, Function<T, @Nullable P> position) {
        Page<T, P> answered = page.within(MAX_PAGE_CHARACTERS, characters, position);
        share.hold(answered.items().stream().mapToLong(characters).sum());
        return answered;
    }

    /**
     * Reads the query parameters.
     *
     * @param known all parameters that the call has
     */
    public Query query(String... known) {
        return Query.of(request, List.of(known));
    }

    /**
     * Reads the query parameters of a call that takes no body.
     *
     * @param known as for {@link #query}
     */
    public Query queryAlone(String... known) {
        Query query = Query.of(request, List.of(known));
        RequestBody.requireNone(body());
        return query;
    }

    /** The URI that the caller requested. */
    public URI uri() {
        return request.getUri();
    }

    public RequestHeaders headers() {
        return headers;
    }

    /**
     * Returns the body as text; empty if the request has none.
     *
     * @throws ProblemException {@code length-required} for a chunked body, which the host delivers empty
     */
    public String body() {
        String transferEncoding = headers.text("transfer-encoding");
        if (transferEncoding != null
                && transferEncoding.toLowerCase(Locale.ROOT).contains("chunked")) {
            throw new ProblemException(
                    ProblemType.LENGTH_REQUIRED,
                    "The body was sent in chunks, which the host does not pass on. Send it with a Content-Length.");
        }
        return request.getBody() == null ? "" : request.getBody().orElse("");
    }

    /**
     * Reads the body as a JSON object.
     *
     * @throws ProblemException {@code invalid-request}, {@code unsupported-media-type}, {@code too-large},
     *     {@code length-required}
     */
    public ObjectNode object(int maxUnits) {
        String body = body();
        String contentType = headers.text("content-type");
        if (!RequestBody.isJson(contentType)) {
            throw new ProblemException(
                    ProblemType.UNSUPPORTED_MEDIA_TYPE,
                    "The body must be JSON, not " + Excerpt.of(String.valueOf(contentType))
                            + ": send Content-Type: application/json.");
        }
        RequestBody.requireLength(body, maxUnits);
        RequestBody.requireUtf8(body);
        // Each token has at least one character, so the limit of characters suffices for tokens, too.
        return RequestBody.object(body, maxUnits);
    }

    /**
     * Reads the body of a call that takes a few short fields.
     *
     * @param known all fields that the body may have
     * @throws ProblemException as {@link #object}, and {@code invalid-request} that names each unknown field
     */
    public ObjectNode fields(String... known) {
        ObjectNode body = object(MAX_CALL_UNITS);
        RequestBody.requireFields(body, List.of(known));
        return body;
    }

    /**
     * Starts an answer without content. Every answer names the version of the app, and forbids browsers to guess the
     * content type: a browser that guesses could run a key as a script.
     */
    public HttpResponseMessage.Builder empty(int status) {
        return request.createResponseBuilder(HttpStatusType.custom(status))
                .header("Numera-Version", App.VERSION)
                .header("X-Content-Type-Options", "nosniff");
    }

    public HttpResponseMessage.Builder json(int status, JsonNode content) {
        return stored(status, JSON, content.toString());
    }

    public HttpResponseMessage.Builder ok(Fields content) {
        return json(200, content.json());
    }

    public HttpResponseMessage.Builder ok(JsonNode content) {
        return json(200, content);
    }

    /** Answers that the work is in progress, and when the caller should read it again. */
    public HttpResponseMessage.Builder pending(Fields content, int retryAfterSeconds) {
        return json(202, content.json()).header("Retry-After", Integer.toString(retryAfterSeconds));
    }

    /** Whether the caller prefers CSV to JSON. */
    public boolean wantsCsv() {
        return AcceptHeader.of(Objects.requireNonNullElse(headers.text("accept"), ""))
                .prefers(CSV, JSON);
    }

    /** Answers with a table that a browser saves under this name. */
    public HttpResponseMessage.Builder csv(String text, CsvForm form, CsvName name) {
        return stored(200, CSV, form.hasMark() ? BYTE_ORDER_MARK + text : text)
                .header("Content-Disposition", name.disposition());
    }

    /**
     * Answers with a file of the app and its entity tag; without content if the caller already has this version.
     *
     * @param caching for {@code Cache-Control}
     */
    HttpResponseMessage.Builder file(PackagedFile file, String caching) {
        boolean isKnown = isKnown(headers.text("if-none-match"), file.tag());
        HttpResponseMessage.Builder response =
                empty(isKnown ? 304 : 200).header("Cache-Control", caching).header("ETag", file.tag());
        return isKnown ? response : response.header("Content-Type", file.type()).body(file.content());
    }

    /** Whether the caller's tags include this one. A proxy may have made it a weak tag. */
    private static boolean isKnown(@Nullable String tags, String tag) {
        return tags != null
                && (tags.strip().equals("*")
                        || HeaderList.ofTags(tags).stream()
                                .anyMatch(known -> known.equals(tag) || known.equals(WEAK + tag)));
    }

    private HttpResponseMessage.Builder problem(ProblemException problem) {
        HttpResponseMessage.Builder response =
                stored(problem.type().status(), PROBLEM_JSON, Fields.of(problem).toString());
        if (problem.isWorthARetry()) {
            response.header("Retry-After", RETRY_AFTER_SECONDS);
        }
        if (problem.members().get("etag") instanceof String tag) {
            response.header("ETag", tag);
        }
        return response;
    }

    /** Answers with data, which no cache may keep. */
    private HttpResponseMessage.Builder stored(int status, String type, String content) {
        return empty(status)
                .header("Content-Type", type)
                .header("Cache-Control", "no-store")
                .body(content);
    }
}
