package dev.numera.functions.administration;

import com.microsoft.azure.functions.HttpMethod;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.counter.SequenceName;
import dev.numera.functions.App;
import dev.numera.functions.Endpoint;
import dev.numera.functions.Query;
import dev.numera.functions.RequestBody;
import java.util.Optional;
import java.util.Set;

/** {@code GET /sequences/{scope}/{name}}: the definition, in the form that PUT takes. */
public final class GetDefinitionFunction {
    private final App app;

    public GetDefinitionFunction(App app) {
        this.app = app;
    }

    @FunctionName("GetDefinition")
    public HttpResponseMessage getDefinition(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.GET,
                            route = "sequences/{scope}/{name}",
                            authLevel = AuthorizationLevel.FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return Endpoint.answer(request, () -> {
            Query.of(request, Set.of());
            RequestBody.requireNone(request);
            return DefinitionJson.answer(
                    request, 200, app.sequences().administration().get(new SequenceName(scope, name)));
        });
    }
}
