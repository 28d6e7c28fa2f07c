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
import dev.numera.definition.DefinitionDraft;
import dev.numera.functions.Actor;
import dev.numera.functions.App;
import dev.numera.functions.Endpoint;
import dev.numera.functions.Query;
import dev.numera.sequence.Administration;
import dev.numera.sequence.Precondition;
import java.util.Optional;
import java.util.Set;

/** {@code PUT /sequences/{scope}/{name}}: creates, replaces or revives a definition. */
public final class PutDefinitionFunction {
    private final App app;

    public PutDefinitionFunction(App app) {
        this.app = app;
    }

    @FunctionName("PutDefinition")
    public HttpResponseMessage putDefinition(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.PUT,
                            route = "sequences/{scope}/{name}",
                            authLevel = AuthorizationLevel.FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return Endpoint.answer(request, () -> {
            Query.of(request, Set.of());
            SequenceName sequence = new SequenceName(scope, name);
            DefinitionDraft draft = DefinitionJson.read(request);
            ChangeNote note = Actor.note(request.getHeaders());
            Precondition precondition = Preconditions.forPut(request.getHeaders());
            Administration.Put put = app.sequences().administration().put(sequence, draft, precondition, note);
            return DefinitionJson.answer(request, put.isNew() ? 201 : 200, put.definition());
        });
    }
}
