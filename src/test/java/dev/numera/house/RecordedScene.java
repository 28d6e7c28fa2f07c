package dev.numera.house;

import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import dev.numera.functions.App;
import dev.numera.functions.http.AllocateFunction;
import dev.numera.functions.http.Requests;
import dev.numera.functions.http.sequence.SequenceFunctions;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Calls for one sequence with a format and a key, over an app in this process. Answers with the status. */
public final class RecordedScene implements Function<String, Integer> {
    private static final String DEFINITION =
            "{\"guarantee\": \"gapless\", \"format\": \"INV-{yyyy}-{n:6}\", \"resetEvery\": \"year\","
                    + " \"timeZone\": \"Europe/Berlin\", \"description\": \"%s\"}";

    private final App app;
    private int ordinal;

    public RecordedScene(String connectionString) {
        this.app = new App(Map.of("NumeraStorage", connectionString));
    }

    @Override
    public Integer apply(String call) {
        ordinal++;
        HttpResponseMessage answer =
                switch (call) {
                    case "create" ->
                        new SequenceFunctions(app)
                                .putDefinition(
                                        request("", DEFINITION.formatted("first"), Map.of("if-none-match", "*")),
                                        "calls",
                                        "invoice");
                    case "next" ->
                        new AllocateFunction(app)
                                .allocate(
                                        request("/next", null, Map.of("idempotency-key", "order-" + ordinal)),
                                        "calls",
                                        "invoice");
                    case "describe" ->
                        new SequenceFunctions(app)
                                .patchDefinition(
                                        request(
                                                "",
                                                "{\"description\": \"of " + ordinal + "\"}",
                                                Map.of(
                                                        "if-match",
                                                        "*",
                                                        "content-type",
                                                        "application/merge-patch+json")),
                                        "calls",
                                        "invoice");
                    default -> throw new IllegalArgumentException(call);
                };
        return answer.getStatusCode();
    }

    private static HttpRequestMessage<Optional<String>> request(String call, String body, Map<String, String> headers) {
        return Requests.of("/api/sequences/calls/invoice" + call, body, headers);
    }
}
