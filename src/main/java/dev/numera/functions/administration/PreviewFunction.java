package dev.numera.functions.administration;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpMethod;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.counter.SequenceName;
import dev.numera.definition.DefinitionDraft;
import dev.numera.functions.App;
import dev.numera.functions.Endpoint;
import dev.numera.functions.Json;
import dev.numera.functions.Query;
import dev.numera.sequence.Preview;
import java.util.Optional;
import java.util.Set;

/** {@code POST /sequences/{scope}/{name}/preview}: what a definition, or a change of one, would give. */
public final class PreviewFunction {
    private static final Set<String> PARAMETERS = Set.of("date");

    private final App app;

    public PreviewFunction(App app) {
        this.app = app;
    }

    @FunctionName("Preview")
    public HttpResponseMessage preview(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.POST,
                            route = "sequences/{scope}/{name}/preview",
                            authLevel = AuthorizationLevel.FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return Endpoint.answer(request, () -> {
            Query query = Query.of(request, PARAMETERS);
            SequenceName sequence = new SequenceName(scope, name);
            DefinitionDraft draft = DefinitionJson.read(request);
            Preview preview = app.sequences().administration().preview(sequence, draft, query.date("date"));
            return Endpoint.json(request, 200, json(preview)).build();
        });
    }

    private static ObjectNode json(Preview preview) {
        ObjectNode json = Json.object();
        json.set("numbers", Json.of(preview.numbers()));
        if (preview.texts() != null) {
            json.set("texts", Json.of(preview.texts()));
        }
        if (preview.longestText() != null) {
            json.put("longestText", preview.longestText());
        }
        return json;
    }
}
