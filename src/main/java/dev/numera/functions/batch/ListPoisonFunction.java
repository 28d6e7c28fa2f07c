package dev.numera.functions.batch;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpMethod;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.functions.App;
import dev.numera.functions.Endpoint;
import dev.numera.functions.Json;
import dev.numera.functions.Query;
import dev.numera.functions.RequestBody;
import java.util.Optional;
import java.util.Set;

/** {@code GET /poison}: the messages that could not be numbered, and why. */
public final class ListPoisonFunction {
    private final App app;

    public ListPoisonFunction(App app) {
        this.app = app;
    }

    @FunctionName("ListPoison")
    public HttpResponseMessage listPoison(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.GET,
                            route = "poison",
                            authLevel = AuthorizationLevel.FUNCTION)
                    HttpRequestMessage<Optional<String>> request) {
        return Endpoint.answer(request, () -> {
            Query.of(request, Set.of());
            RequestBody.requireNone(request);
            return Endpoint.json(request, 200, json(new PoisonQueue(app))).build();
        });
    }

    private static ObjectNode json(PoisonQueue poison) {
        ObjectNode json = Json.object();
        ArrayNode messages = json.putArray("messages");
        poison.look().forEach(look -> write(look, messages.addObject()));
        return json.put("approximateCount", poison.approximateCount());
    }

    private static void write(PoisonQueue.Look look, ObjectNode json) {
        json.put("id", look.message().id())
                .put("insertedAt", look.message().insertedAt().toString())
                .put("expiresAt", look.message().expiresAt().toString())
                .put("text", look.content());
        look.problem().ifPresent(problem -> json.set("problem", Json.of(problem)));
    }
}
