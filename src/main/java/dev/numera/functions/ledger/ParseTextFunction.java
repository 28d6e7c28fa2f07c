package dev.numera.functions.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpMethod;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.counter.SequenceName;
import dev.numera.format.ParsedText;
import dev.numera.functions.App;
import dev.numera.functions.Endpoint;
import dev.numera.functions.Json;
import dev.numera.functions.Query;
import dev.numera.functions.RequestBody;
import dev.numera.problem.InvalidRequest;
import java.util.Optional;
import java.util.Set;

/** {@code POST /sequences/{scope}/{name}/parse}: a text back to its number and period. */
public final class ParseTextFunction {
    private static final String FIELD = "text";

    private final App app;

    public ParseTextFunction(App app) {
        this.app = app;
    }

    @FunctionName("ParseText")
    public HttpResponseMessage parseText(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.POST,
                            route = "sequences/{scope}/{name}/parse",
                            authLevel = AuthorizationLevel.FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return Endpoint.answer(request, () -> {
            Query.of(request, Set.of());
            SequenceName sequence = new SequenceName(scope, name);
            String text = text(RequestBody.object(request, RequestBody.MAX_CALL_UNITS));
            ParsedText parsed = app.sequences().textParser().parse(sequence, text);
            ObjectNode json = Json.object().put("number", parsed.number());
            return Endpoint.json(
                            request,
                            200,
                            parsed.period().id().isEmpty()
                                    ? json
                                    : json.put("period", parsed.period().id()))
                    .build();
        });
    }

    private static String text(ObjectNode body) {
        RequestBody.requireFields(body, Set.of(FIELD));
        JsonNode text = body.path(FIELD);
        if (text.isTextual() && !text.textValue().isEmpty()) {
            return text.textValue();
        }
        throw InvalidRequest.because(FIELD, "must be a text that is not empty");
    }
}
