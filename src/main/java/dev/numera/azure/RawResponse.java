package dev.numera.azure;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.Context;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The status and the ETag of an answer, read from the HTTP response because the table client loses them: it cuts off
 * the ETag's closing quote, drops the headers inside a transaction's answer, and reports no response for a failed
 * transaction. For a transaction, both come from its first part: a failed transaction has no other part, and the first
 * part of a successful one is the counter's row.
 *
 * <p>Decision: {@code docs/decisions/storage-answers-are-read-from-the-http-response.md}.
 */
public final class RawResponse {
    private static final String KEY = "numera-wire-answer";
    private static final Pattern FIRST_STATUS = Pattern.compile("(?m)^HTTP/1\\.1 (\\d{3})");
    private static final Pattern FIRST_ETAG = Pattern.compile("(?im)^ETag:[ \\t]*+(\\S.*+)$");

    private volatile int status;
    private volatile @Nullable String etag;
    private volatile @Nullable String date;

    /** Returns the context to pass with a request. The policy then stores the request's answer in this object. */
    Context context() {
        return new Context(KEY, this);
    }

    /** The HTTP status; 0 without an answer. */
    int status() {
        return status;
    }

    /** The ETag; null if the answer had none. */
    @Nullable
    String etag() {
        return etag;
    }

    /**
     * The time when the service answered, by its own clock, to the second. Falls back to this machine's clock if the
     * answer has no date.
     */
    Instant at() {
        String serverDate = date;
        return serverDate == null
                ? Instant.now()
                : DateTimeFormatter.RFC_1123_DATE_TIME.parse(serverDate, Instant::from);
    }

    private HttpResponse read(HttpResponse response) {
        date = response.getHeaderValue(HttpHeaderName.DATE);
        String type = response.getHeaderValue(HttpHeaderName.CONTENT_TYPE);
        if (type == null || !type.startsWith("multipart/")) {
            status = response.getStatusCode();
            etag = response.getHeaderValue(HttpHeaderName.ETAG);
            return response;
        }
        HttpResponse buffered = response.buffer();
        String body = buffered.getBodyAsBinaryData().toString();
        Matcher firstStatus = FIRST_STATUS.matcher(body);
        status = firstStatus.find() ? Integer.parseInt(firstStatus.group(1)) : 0;
        Matcher firstETag = FIRST_ETAG.matcher(body);
        etag = firstETag.find() ? firstETag.group(1).strip() : null;
        return buffered;
    }

    /**
     * Stores each answer in the {@link RawResponse} of its request. Refuses bodies that are not the table service's,
     * because for XML the client would try to load a parser that is not on the class path.
     */
    public static final class Policy implements HttpPipelinePolicy {
        private static final int NO_CONTENT = 204;

        /**
         * Placed outside the client's own retries, if it has any: they judge an answer by its status, but this policy
         * throws.
         */
        @Override
        public HttpPipelinePosition getPipelinePosition() {
            return HttpPipelinePosition.PER_CALL;
        }

        @Override
        public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
            return next.process().map(response -> look(context, response));
        }

        @Override
        public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
            return look(context, next.processSync());
        }

        private static HttpResponse look(HttpPipelineCallContext context, HttpResponse response) {
            if (response.getStatusCode() >= 400 ? !hasJson(response) : hasForeignBody(response)) {
                response.close();
                throw new HttpResponseException(
                        "Status " + response.getStatusCode() + " with a body that is not the table service's",
                        response);
            }
            return context.getData(KEY)
                    .map(found -> ((RawResponse) found).read(response))
                    .orElse(response);
        }

        /**
         * Whether a successful answer has a body that the table service does not send, for example the login page of a
         * gateway.
         */
        private static boolean hasForeignBody(HttpResponse response) {
            String type = response.getHeaderValue(HttpHeaderName.CONTENT_TYPE);
            return type != null
                    && response.getStatusCode() != NO_CONTENT
                    && !type.contains("json")
                    && !type.startsWith("multipart/");
        }

        private static boolean hasJson(HttpResponse response) {
            String type = response.getHeaderValue(HttpHeaderName.CONTENT_TYPE);
            return type != null
                    && type.contains("json")
                    && !"0".equals(response.getHeaderValue(HttpHeaderName.CONTENT_LENGTH));
        }
    }
}
