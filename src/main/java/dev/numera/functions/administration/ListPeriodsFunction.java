package dev.numera.functions.administration;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpMethod;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.counter.SequenceName;
import dev.numera.functions.App;
import dev.numera.functions.Continuation;
import dev.numera.functions.Endpoint;
import dev.numera.functions.Json;
import dev.numera.functions.Query;
import dev.numera.functions.RequestBody;
import dev.numera.sequence.Periods;
import java.util.Optional;
import java.util.Set;

/** {@code GET /sequences/{scope}/{name}/periods}: how far a sequence is in each period that has a counter. */
public final class ListPeriodsFunction {
    private static final Set<String> PARAMETERS = Set.of("limit", "continuation");

    private final App app;

    public ListPeriodsFunction(App app) {
        this.app = app;
    }

    @FunctionName("ListPeriods")
    public HttpResponseMessage listPeriods(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.GET,
                            route = "sequences/{scope}/{name}/periods",
                            authLevel = AuthorizationLevel.FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return Endpoint.answer(request, () -> {
            Query query = Query.of(request, PARAMETERS);
            RequestBody.requireNone(request);
            SequenceName sequence = new SequenceName(scope, name);
            String pagesOf = "periods " + sequence;
            String position = query.continuation(pagesOf);
            Periods.Page page = app.sequences()
                    .periods()
                    .list(
                            sequence,
                            position == null ? "" : Continuation.period(position),
                            query.number("limit", 100, 1, 1_000));
            return Endpoint.json(request, 200, json(page, pagesOf)).build();
        });
    }

    private static ObjectNode json(Periods.Page page, String pagesOf) {
        ObjectNode json = Json.object();
        ArrayNode periods = json.putArray("periods");
        page.states().forEach(state -> periods.add(ReadStateFunction.json(state)));
        return Endpoint.withContinuation(json, page.nextPeriod(), pagesOf);
    }
}
