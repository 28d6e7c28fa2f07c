package dev.numera.functions;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpRequestMessage;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.sequence.InvalidRequest;
import java.util.Locale;
import java.util.Optional;

/** The body of a request. */
final class RequestBody {
    private RequestBody() {}

    /**
     * Refuses a body that would be ignored silently: only none or {@code {}} will do.
     *
     * @throws ProblemException {@code invalid-request} or {@code length-required}
     */
    static void requireNone(HttpRequestMessage<Optional<String>> request) {
        String body = text(request);
        if (!body.isBlank() && !isEmptyObject(body)) {
            throw InvalidRequest.because("body", "must be empty: parameters stand in the query");
        }
    }

    /**
     * The body as text, empty if there is none.
     *
     * @throws ProblemException {@code length-required} for a chunked body, which the host delivers empty
     */
    static String text(HttpRequestMessage<Optional<String>> request) {
        String transferEncoding = request.getHeaders().get("transfer-encoding");
        if (transferEncoding != null && transferEncoding.toLowerCase(Locale.ROOT).contains("chunked")) {
            throw new ProblemException(ProblemType.LENGTH_REQUIRED,
                    "The body was sent in chunks, which the host does not pass on. Send it with a Content-Length.");
        }
        return request.getBody() == null ? "" : request.getBody().orElse("");
    }

    /** @throws ProblemException {@code invalid-request} if it is not a JSON object */
    static ObjectNode object(HttpRequestMessage<Optional<String>> request) {
        try {
            JsonNode json = Json.read(text(request));
            if (json instanceof ObjectNode object) {
                return object;
            }
        } catch (JsonProcessingException e) {
            throw InvalidRequest.because("body", "must be a JSON object: " + e.getOriginalMessage());
        }
        throw InvalidRequest.because("body", "must be a JSON object");
    }

    private static boolean isEmptyObject(String body) {
        try {
            return Json.read(body) instanceof ObjectNode object && object.isEmpty();
        } catch (JsonProcessingException e) {
            return false;
        }
    }
}
