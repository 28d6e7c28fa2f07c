package dev.numera.functions.administration;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpMethod;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.counter.ChangeNote;
import dev.numera.counter.Outcome;
import dev.numera.counter.SequenceName;
import dev.numera.functions.Actor;
import dev.numera.functions.App;
import dev.numera.functions.Endpoint;
import dev.numera.functions.Json;
import dev.numera.functions.Query;
import dev.numera.functions.RequestBody;
import dev.numera.sequence.WholeNumber;
import java.util.Optional;
import java.util.Set;

/** {@code POST /sequences/{scope}/{name}/advance}: moves the next number on. */
public final class AdvanceFunction {
    private static final Set<String> PARAMETERS = Set.of("date");
    private static final String FIELD = "nextAtLeast";
    private static final String REASON = "reason";

    private final App app;

    public AdvanceFunction(App app) {
        this.app = app;
    }

    @FunctionName("Advance")
    public HttpResponseMessage advance(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.POST,
                            route = "sequences/{scope}/{name}/advance",
                            authLevel = AuthorizationLevel.FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return Endpoint.answer(request, () -> {
            Query query = Query.of(request, PARAMETERS);
            SequenceName sequence = new SequenceName(scope, name);
            ObjectNode body = RequestBody.object(request, RequestBody.MAX_CALL_UNITS);
            RequestBody.requireFields(body, Set.of(FIELD, REASON));
            String reason = body.has(REASON) ? RequestBody.requireText(body, REASON) : null;
            ChangeNote note = new ChangeNote(Actor.from(request.getHeaders()), reason);
            Outcome.Advanced advanced = app.sequences()
                    .administration()
                    .advance(
                            sequence,
                            WholeNumber.require(FIELD, Json.whole(body.path(FIELD))),
                            query.date("date"),
                            note);
            return Endpoint.json(
                            request,
                            200,
                            Json.object()
                                    .put("previousNext", advanced.previousNext())
                                    .put("next", advanced.next()))
                    .build();
        });
    }
}
