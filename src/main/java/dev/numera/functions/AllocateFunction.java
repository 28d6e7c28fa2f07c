package dev.numera.functions;

import static com.microsoft.azure.functions.HttpMethod.POST;
import static com.microsoft.azure.functions.annotation.AuthorizationLevel.FUNCTION;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.model.Ask;
import dev.numera.model.SequenceName;
import dev.numera.sequence.Numbered;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** {@code POST /sequences/{scope}/{name}/next}: the next numbers. */
public final class AllocateFunction {
    private static final Set<String> PARAMETERS = Set.of("key", "count", "date", "reserve");
    private static final double NANOS_PER_MILLI = 1e6;

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
        return Endpoint.withoutBody(request, PARAMETERS, (query, share) -> {
            SequenceName sequence = new SequenceName(scope, name);
            Ask ask = new Ask(
                    IdempotencyKey.from(request.getHeaders(), query),
                    query.number("count", 1, 1, Ask.MAX_COUNT),
                    query.date("date"),
                    query.flag("reserve"));
            return allocated(request, sequence, app.sequences().numbering().nextWithin(sequence, ask, share));
        });
    }

    private static HttpResponseMessage allocated(
            HttpRequestMessage<Optional<String>> request, SequenceName sequence, Numbered numbered) {
        ObjectNode body = new Fields()
                .put("scope", sequence.scope())
                .put("name", sequence.name())
                .putAll(numbered.answers().get(0).orThrow().members())
                .put("created", numbered.isNew() ? true : null)
                .json();
        return Endpoint.json(request, 200, body)
                .header("Server-Timing", serverTiming(numbered))
                .build();
    }

    private static String serverTiming(Numbered numbered) {
        return String.format(
                Locale.ROOT,
                "storage;dur=%.1f, attempts;desc=\"%d\"",
                numbered.storageNanos() / NANOS_PER_MILLI,
                numbered.attempts());
    }
}
