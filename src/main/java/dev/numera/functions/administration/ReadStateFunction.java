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
import dev.numera.functions.App;
import dev.numera.functions.Endpoint;
import dev.numera.functions.Json;
import dev.numera.functions.Query;
import dev.numera.functions.RequestBody;
import dev.numera.sequence.SequenceState;
import java.util.Optional;
import java.util.Set;

/** {@code GET /sequences/{scope}/{name}/state}: how far a sequence is. */
public final class ReadStateFunction {
    private static final Set<String> PARAMETERS = Set.of("date");

    private final App app;

    public ReadStateFunction(App app) {
        this.app = app;
    }

    @FunctionName("ReadState")
    public HttpResponseMessage readState(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.GET,
                            route = "sequences/{scope}/{name}/state",
                            authLevel = AuthorizationLevel.FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return Endpoint.answer(request, () -> {
            Query query = Query.of(request, PARAMETERS);
            RequestBody.requireNone(request);
            return Endpoint.json(
                            request,
                            200,
                            json(app.sequences().states().state(new SequenceName(scope, name), query.date("date"))))
                    .build();
        });
    }

    /** To four digits. */
    private static double rounded(double share) {
        return Math.round(share * 10_000) / 10_000.0;
    }

    static ObjectNode json(SequenceState state) {
        ObjectNode json = Json.object()
                .put("scope", state.name().scope())
                .put("name", state.name().name());
        if (!state.period().isEmpty()) {
            json.put("period", state.period());
        }
        json.put("next", state.next());
        if (state.nextText() != null) {
            json.put("nextText", state.nextText());
        }
        json.put("allocated", state.allocated()).put("left", state.left()).put("used", rounded(state.used()));
        if (state.lastDate() != null) {
            json.put("lastDate", state.lastDate().toString());
        }
        if (state.firstGivenAt() != null) {
            json.put("firstGivenAt", state.firstGivenAt().toString());
        }
        if (state.changedAt() != null) {
            json.put("changedAt", state.changedAt().toString());
        }
        return state.retiredAt() == null
                ? json
                : json.put("retiredAt", state.retiredAt().toString());
    }
}
