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
import dev.numera.sequence.Precondition;
import java.util.Optional;
import java.util.Set;

/** {@code PATCH /sequences/{scope}/{name}}: changes fields of a definition, as JSON Merge Patch (RFC 7396). */
public final class PatchDefinitionFunction {
    private final App app;

    public PatchDefinitionFunction(App app) {
        this.app = app;
    }

    @FunctionName("PatchDefinition")
    public HttpResponseMessage patchDefinition(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.PATCH,
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
            Precondition precondition = Preconditions.forChange(request.getHeaders());
            return DefinitionJson.answer(
                    request, 200, app.sequences().administration().patch(sequence, draft, precondition, note));
        });
    }
}
