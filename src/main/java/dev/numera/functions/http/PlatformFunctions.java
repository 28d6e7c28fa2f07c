package dev.numera.functions.http;

import static com.microsoft.azure.functions.HttpMethod.GET;
import static com.microsoft.azure.functions.annotation.AuthorizationLevel.ANONYMOUS;

import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.functions.App;
import dev.numera.functions.PackagedFile;
import dev.numera.json.Fields;
import java.util.Optional;

/** What the app reports of itself, without a key. */
public final class PlatformFunctions {
    /** Read when it is first requested, not when the health is. */
    private static final class OpenApi {
        static final PackagedFile DOCUMENT = PackagedFile.read("openapi.json", "application/json");
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
        return HttpCall.answer(request, call -> {
            call.query();
            app.requireHealthy();
            return call.ok(new Fields()
                    .put("status", "healthy")
                    .put("version", App.VERSION)
                    .put("warnings", app.warnings().isEmpty() ? null : app.warnings()));
        });
    }

    /** {@code GET /openapi.json}: this interface in OpenAPI 3.1, as the resource has it. */
    @FunctionName("OpenApi")
    public HttpResponseMessage openApi(
            @HttpTrigger(name = "request", methods = GET, route = "openapi.json", authLevel = ANONYMOUS)
                    HttpRequestMessage<Optional<String>> request) {
        return HttpCall.answer(request, call -> {
            call.query();
            app.requireConfigured();
            return call.file(OpenApi.DOCUMENT, HttpCall.ASK_AGAIN);
        });
    }
}
