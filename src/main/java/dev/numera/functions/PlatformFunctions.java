package dev.numera.functions;

import static com.microsoft.azure.functions.HttpMethod.GET;
import static com.microsoft.azure.functions.annotation.AuthorizationLevel.ANONYMOUS;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import java.util.Optional;
import java.util.Set;

/** What the app reports of itself, without a key. */
public final class PlatformFunctions {
    /** Read when it is first requested, not when the health is. */
    private static final class OpenApi {
        static final Resource DOCUMENT = Resource.read("openapi.json");
    }

    private final App app;

    public PlatformFunctions(App app) {
        this.app = app;
    }

    /** {@code GET /health}: whether the app is configured and its storage can be reached, and which version it is. */
    @FunctionName("Health")
    public HttpResponseMessage health(
            @HttpTrigger(name = "request", methods = GET, route = "health", authLevel = ANONYMOUS)
                    HttpRequestMessage<Optional<String>> request) {
        return Endpoint.answer(request, () -> {
            Query.of(request, Set.of());
            app.requireHealthy();
            ObjectNode health = new Fields()
                    .put("status", "healthy")
                    .put("version", Version.OF_THE_APP)
                    .put("warnings", app.warnings().isEmpty() ? null : app.warnings())
                    .json();
            return Endpoint.ok(request, health);
        });
    }

    /** {@code GET /openapi.json}: this interface in OpenAPI 3.1, as it stands in the resources. */
    @FunctionName("OpenApi")
    public HttpResponseMessage openApi(
            @HttpTrigger(name = "request", methods = GET, route = "openapi.json", authLevel = ANONYMOUS)
                    HttpRequestMessage<Optional<String>> request) {
        return Endpoint.answer(request, () -> {
            Query.of(request, Set.of());
            app.requireConfigured();
            return Endpoint.file(request, OpenApi.DOCUMENT, "application/json", Endpoint.ASK_AGAIN)
                    .build();
        });
    }
}
