package dev.numera.functions.http;

import static com.microsoft.azure.functions.HttpMethod.GET;
import static com.microsoft.azure.functions.annotation.AuthorizationLevel.FUNCTION;

import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.functions.App;
import dev.numera.json.Fields;
import java.util.List;
import java.util.Optional;

/** {@code GET /me}: the actor and the rights of the call, as every other call sees them. */
public final class MeFunction {
    /** The rights of a key without the header. The word is no right, so no header can send it. */
    private static final List<String> ALL = List.of("all");

    private final App app;

    public MeFunction(App app) {
        this.app = app;
    }

    @FunctionName("Me")
    public HttpResponseMessage me(
            @HttpTrigger(name = "request", methods = GET, route = "me", authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request) {
        return HttpCall.answer(app, request, Need.ANY_RIGHT, call -> {
            call.queryAlone();
            app.requireConfigured();
            Rights rights = call.headers().rights();
            return call.ok(new Fields()
                    .putActor(call.headers().actor())
                    .put("rights", rights == null ? ALL : rights.words())
                    .put("source", rights == null ? "key" : "header"));
        });
    }
}
