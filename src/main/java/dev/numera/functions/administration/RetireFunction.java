package dev.numera.functions.administration;

import com.microsoft.azure.functions.HttpMethod;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.counter.ChangeNote;
import dev.numera.counter.SequenceName;
import dev.numera.functions.Actor;
import dev.numera.functions.App;
import dev.numera.functions.Endpoint;
import dev.numera.functions.Query;
import dev.numera.functions.RequestBody;
import dev.numera.sequence.Precondition;
import java.util.Optional;
import java.util.Set;

/** {@code DELETE /sequences/{scope}/{name}}: retires a sequence. */
public final class RetireFunction {
    private final App app;

    public RetireFunction(App app) {
        this.app = app;
    }

    @FunctionName("Retire")
    public HttpResponseMessage retire(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.DELETE,
                            route = "sequences/{scope}/{name}",
                            authLevel = AuthorizationLevel.FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return Endpoint.answer(request, () -> {
            Query.of(request, Set.of());
            RequestBody.requireNone(request);
            SequenceName sequence = new SequenceName(scope, name);
            ChangeNote note = Actor.note(request.getHeaders());
            Precondition precondition = Preconditions.forChange(request.getHeaders());
            app.sequences().administration().retire(sequence, precondition, note);
            return Endpoint.begin(request, 204).build();
        });
    }
}
