package dev.numera.functions;

import com.microsoft.azure.functions.HttpMethod;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import java.util.Optional;
import java.util.Set;

/** {@code GET /openapi.json}: this interface in OpenAPI 3.1, as it stands in the resources. */
public final class OpenApiFunction {
    private static final Resource DOCUMENT = Resource.read("openapi.json");

    private final App app;

    public OpenApiFunction(App app) {
        this.app = app;
    }

    @FunctionName("OpenApi")
    public HttpResponseMessage openApi(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.GET,
                            route = "openapi.json",
                            authLevel = AuthorizationLevel.ANONYMOUS)
                    HttpRequestMessage<Optional<String>> request) {
        return Endpoint.answer(request, () -> {
            Query.of(request, Set.of());
            app.requireConfigured();
            return Endpoint.file(request, DOCUMENT, "application/json", Endpoint.ASK_AGAIN)
                    .build();
        });
    }
}
