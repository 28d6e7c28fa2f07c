package dev.numera.functions;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpMethod;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.counter.SequenceName;
import dev.numera.sequence.DefinitionStore;
import java.util.Optional;
import java.util.Set;

/** {@code GET /sequences}: the sequences of a scope, or of all scopes, page by page. */
public final class ListSequencesFunction {
    private static final Set<String> PARAMETERS = Set.of("scope", "limit", "continuation");
    private static final String ANY_NAME = "any";

    private final App app;

    public ListSequencesFunction(App app) {
        this.app = app;
    }

    @FunctionName("ListSequences")
    public HttpResponseMessage listSequences(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.GET,
                            route = "sequences",
                            authLevel = AuthorizationLevel.FUNCTION)
                    HttpRequestMessage<Optional<String>> request) {
        return Endpoint.answer(request, () -> {
            Query query = Query.of(request, PARAMETERS);
            RequestBody.requireNone(request);
            String asked = query.text("scope");
            String scope = asked == null ? null : new SequenceName(asked, ANY_NAME).scope();
            String pagesOf = "sequences " + scope;
            DefinitionStore.Page page = app.sequences()
                    .administration()
                    .list(scope, query.number("limit", 100, 1, 1_000), query.continuation(pagesOf));
            return Endpoint.json(request, 200, json(page, pagesOf)).build();
        });
    }

    private static ObjectNode json(DefinitionStore.Page page, String pagesOf) {
        ObjectNode json = Json.object();
        ArrayNode sequences = json.putArray("sequences");
        page.names()
                .forEach(
                        name -> sequences.addObject().put("scope", name.scope()).put("name", name.name()));
        return Endpoint.withContinuation(json, page.continuation(), pagesOf);
    }
}
