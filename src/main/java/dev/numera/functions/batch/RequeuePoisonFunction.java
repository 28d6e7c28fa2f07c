package dev.numera.functions.batch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpMethod;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.functions.App;
import dev.numera.functions.Endpoint;
import dev.numera.functions.Query;
import dev.numera.functions.RequestBody;
import dev.numera.sequence.IsoDate;
import java.time.LocalDate;
import java.util.Optional;
import java.util.Set;

/** {@code POST /poison/{id}/requeue}: puts a message back to be numbered, with the date that it meant. */
public final class RequeuePoisonFunction {
    private final App app;

    public RequeuePoisonFunction(App app) {
        this.app = app;
    }

    @FunctionName("RequeuePoison")
    public HttpResponseMessage requeuePoison(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.POST,
                            route = "poison/{id}/requeue",
                            authLevel = AuthorizationLevel.FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("id") String id) {
        return Endpoint.answer(request, () -> {
            Query.of(request, Set.of());
            ObjectNode body = RequestBody.object(request, RequestBody.MAX_CALL_UNITS);
            RequestBody.requireFields(body, Set.of(BatchJson.DATE));
            LocalDate date = body.has(BatchJson.DATE)
                    ? IsoDate.parse(BatchJson.DATE, RequestBody.requireText(body, BatchJson.DATE))
                    : null;
            new PoisonQueue(app).putBack(id, date);
            return Endpoint.begin(request, 202).build();
        });
    }
}
