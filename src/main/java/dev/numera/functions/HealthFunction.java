package dev.numera.functions;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpMethod;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import java.util.Optional;
import java.util.Set;

/** {@code GET /health}: whether the app is configured and its storage can be reached, and which version it is. */
public final class HealthFunction {
    private final App app;

    public HealthFunction(App app) {
        this.app = app;
    }

    @FunctionName("Health")
    public HttpResponseMessage health(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.GET,
                            route = "health",
                            authLevel = AuthorizationLevel.ANONYMOUS)
                    HttpRequestMessage<Optional<String>> request) {
        return Endpoint.answer(request, () -> {
            Query.of(request, Set.of());
            app.requireHealthy();
            ObjectNode health = Json.object().put("status", "healthy").put("version", Version.OF_THE_APP);
            if (!app.warnings().isEmpty()) {
                app.warnings().forEach(health.putArray("warnings")::add);
            }
            return Endpoint.json(request, 200, health).build();
        });
    }
}
