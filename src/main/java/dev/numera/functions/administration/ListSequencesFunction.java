package dev.numera.functions.administration;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpMethod;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.counter.SequenceName;
import dev.numera.definition.StoredDefinition;
import dev.numera.functions.App;
import dev.numera.functions.Endpoint;
import dev.numera.functions.Json;
import dev.numera.functions.Query;
import dev.numera.functions.RequestBody;
import dev.numera.sequence.Listing;
import java.util.Optional;
import java.util.Set;

/** {@code GET /sequences}: the sequences of a scope, or of all scopes, page by page. */
public final class ListSequencesFunction {
    private static final Set<String> PARAMETERS = Set.of("scope", "with", "limit", "continuation");
    private static final int MAX_LIMIT = 1_000;
    private static final int DEFAULT_LIMIT = 100;
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
            Set<Listing.Detail> details = query.choices("with", Listing.Detail.class);
            Listing.Page page = app.sequences()
                    .listing()
                    .list(
                            scope,
                            details,
                            query.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT),
                            query.continuation(pagesOf));
            return Endpoint.json(request, 200, json(page, pagesOf)).build();
        });
    }

    private static ObjectNode json(Listing.Page page, String pagesOf) {
        ObjectNode json = Json.object();
        ArrayNode sequences = json.putArray("sequences");
        page.entries().forEach(entry -> write(entry, sequences.addObject()));
        return Endpoint.withContinuation(json, page.continuation(), pagesOf);
    }

    private static void write(Listing.Entry entry, ObjectNode json) {
        json.put("scope", entry.scope()).put("name", entry.name());
        StoredDefinition stored = entry.definition();
        if (stored != null) {
            json.set("definition", DefinitionJson.write(stored.definition()));
            if (stored.retiredAt() != null) {
                json.put("retiredAt", stored.retiredAt().toString());
            }
        }
        if (entry.state() != null) {
            json.set("state", ReadStateFunction.json(entry.state()));
        }
        if (entry.problem() != null) {
            json.set("problem", Json.of(entry.problem()));
        }
    }
}
