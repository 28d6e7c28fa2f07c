package dev.numera.functions.http;

import static com.microsoft.azure.functions.HttpMethod.POST;
import static com.microsoft.azure.functions.annotation.AuthorizationLevel.FUNCTION;

import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.functions.App;
import dev.numera.json.Fields;
import dev.numera.sequences.access.PrintedAllocation;
import java.util.Optional;

/** {@code POST /sequences/{scope}/{name}/next}: allocates the next numbers. */
public final class AllocateFunction {
    private static final double NANOS_PER_TENTH_MILLI = 1e5;

    private final App app;

    public AllocateFunction(App app) {
        this.app = app;
    }

    @FunctionName("Allocate")
    public HttpResponseMessage allocate(
            @HttpTrigger(
                            name = "request",
                            methods = POST,
                            route = "sequences/{scope}/{name}/next",
                            authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(app, request, Need.in(scope, Right.ALLOCATE), call -> {
            Query query = call.queryAlone("key", "count", "date", "reserve");
            RequestHeaders headers = call.headers();
            SequenceName sequence = new SequenceName(scope, name);
            NumberRequest numberRequest = NumberRequest.ofCheckedKey(
                    headers.key(query),
                    query.number("count", 1, 1, NumberRequest.MAX_COUNT),
                    query.date("date"),
                    query.flag("reserve"),
                    headers.actor());
            return allocated(
                    call, sequence, app.sequences().allocator().nextWithin(sequence, numberRequest, call.share()));
        });
    }

    private static HttpResponseMessage.Builder allocated(
            HttpCall call, SequenceName sequence, CallResult<PrintedAllocation> numbered) {
        Fields body = new Fields()
                .put("scope", sequence.scope())
                .put("name", sequence.name())
                .putAll(numbered.results().get(0).orThrow().members())
                .put("created", numbered.isNew() ? true : null);
        return call.ok(body).header("Server-Timing", serverTiming(numbered));
    }

    private static String serverTiming(CallResult<PrintedAllocation> numbered) {
        double storageMillis = Math.round(numbered.storageNanos() / NANOS_PER_TENTH_MILLI) / 10.0;
        return "storage;dur=" + storageMillis + ", attempts;desc=\"" + numbered.attempts() + "\"";
    }
}
