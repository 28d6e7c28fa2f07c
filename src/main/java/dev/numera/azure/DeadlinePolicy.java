package dev.numera.azure;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.StoreFailure;
import java.time.Duration;
import reactor.core.publisher.Mono;

/**
 * Limits each read to the time left until {@link Deadline#ofThisThread}, and sends no request after that deadline. A
 * write that starts in time keeps the whole timeout: a shorter one could turn a write that succeeds late into a write
 * of unknown outcome.
 */
final class DeadlinePolicy implements HttpPipelinePolicy {
    /** The context key that azure-core's HTTP clients read the timeout of one request from. */
    static final String RESPONSE_TIMEOUT = "azure-response-timeout";

    private final Duration requestTimeout;

    /** @param requestTimeout the HTTP client's own */
    DeadlinePolicy(Duration requestTimeout) {
        this.requestTimeout = requestTimeout;
    }

    /** Places this policy first, before other policies do any work for the request. */
    @Override
    public HttpPipelinePosition getPipelinePosition() {
        return HttpPipelinePosition.PER_CALL;
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        return Mono.defer(() -> {
            limit(context);
            return next.process();
        });
    }

    @Override
    public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
        limit(context);
        return next.processSync();
    }

    /** @throws StoreFailure the deadline has passed; the request was not sent */
    private void limit(HttpPipelineCallContext context) {
        Deadline.ofThisThread()
                .map(deadline -> deadline.leftFor(requestTimeout))
                .ifPresent(left -> {
                    if (context.getHttpRequest().getHttpMethod() == HttpMethod.GET) {
                        context.setData(RESPONSE_TIMEOUT, left);
                    }
                });
    }
}
