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

/** The calls that describe the app itself: health, OpenAPI document and its page. They need no key. */
public final class PlatformFunctions {
    /**
     * The API description for programs. Read from the jar at the first request for it, so that a cold start does not
     * wait.
     */
    private static final class OpenApi {
        static final PackagedFile DOCUMENT = PackagedFile.read("openapi.json", "application/json");
    }

    /** The API description for people. Read from the jar at the first request for it. */
    private static final class Docs {
        /** Forbids scripts and all requests. The page contains its own style, and no text that a caller sent. */
        static final String POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; "
                + "base-uri 'none'; form-action 'none'";

        static final PackagedFile PAGE = PackagedFile.read("docs.html", "text/html; charset=utf-8");
    }

    private final App app;

    public PlatformFunctions(App app) {
        this.app = app;
    }

    /** {@code GET /health}: whether the app is configured and can reach its storage, and the app's version. */
    @FunctionName("Health")
    public HttpResponseMessage health(
            @HttpTrigger(name = "request", methods = GET, route = "health", authLevel = ANONYMOUS)
                    HttpRequestMessage<Optional<String>> request) {
        return HttpCall.answer(app, request, Need.NOTHING, call -> {
            call.query();
            app.requireHealthy();
            return call.ok(new Fields()
                    .put("status", "healthy")
                    .put("version", App.VERSION)
                    .put("warnings", app.warnings().isEmpty() ? null : app.warnings()));
        });
    }

    /** {@code GET /openapi.json}: the API description in OpenAPI 3.1. */
    @FunctionName("OpenApi")
    public HttpResponseMessage openApi(
            @HttpTrigger(name = "request", methods = GET, route = "openapi.json", authLevel = ANONYMOUS)
                    HttpRequestMessage<Optional<String>> request) {
        return HttpCall.answer(app, request, Need.NOTHING, call -> {
            call.query();
            app.requireConfigured();
            return call.file(OpenApi.DOCUMENT, HttpCall.ASK_AGAIN);
        });
    }

    /** {@code GET /docs}: the same API description as a web page. */
    @FunctionName("Docs")
    public HttpResponseMessage docs(
            @HttpTrigger(name = "request", methods = GET, route = "docs", authLevel = ANONYMOUS)
                    HttpRequestMessage<Optional<String>> request) {
        return HttpCall.answer(app, request, Need.NOTHING, call -> {
            call.query();
            app.requireConfigured();
            return call.file(Docs.PAGE, HttpCall.ASK_AGAIN)
                    .header("Content-Security-Policy", Docs.POLICY)
                    .header("Referrer-Policy", "no-referrer");
        });
    }
}
