package dev.numera.functions.batch;

import com.microsoft.azure.functions.HttpMethod;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.functions.App;
import dev.numera.functions.Endpoint;
import dev.numera.functions.Query;
import dev.numera.functions.RequestBody;
import java.util.Optional;
import java.util.Set;

/** {@code DELETE /poison/{id}}: drops a message that is not to be numbered. */
public final class DropPoisonFunction {
    private final App app;

    public DropPoisonFunction(App app) {
        this.app = app;
    }

    @FunctionName("DropPoison")
    public HttpResponseMessage dropPoison(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.DELETE,
                            route = "poison/{id}",
                            authLevel = AuthorizationLevel.FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("id") String id) {
        return Endpoint.answer(request, () -> {
            Query.of(request, Set.of());
            RequestBody.requireNone(request);
            new PoisonQueue(app).drop(id);
            return Endpoint.begin(request, 204).build();
        });
    }
}
