package dev.numera.functions.ledger;

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
import dev.numera.functions.Endpoint;
import dev.numera.functions.Json;
import dev.numera.functions.Query;
import dev.numera.functions.RequestBody;
import dev.numera.problem.Word;
import dev.numera.sequence.LedgerCheck;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code GET /sequences/{scope}/{name}/check}: whether every number is accounted for. */
public final class CheckLedgerFunction {
    private static final Set<String> PARAMETERS = Set.of("from", "to", "date", "reservedBefore", "continuation");

    private final App app;

    public CheckLedgerFunction(App app) {
        this.app = app;
    }

    @FunctionName("CheckLedger")
    public HttpResponseMessage checkLedger(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.GET,
                            route = "sequences/{scope}/{name}/check",
                            authLevel = AuthorizationLevel.FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return Endpoint.answer(request, () -> {
            Query query = Query.of(request, PARAMETERS);
            RequestBody.requireNone(request);
            SequenceName sequence = new SequenceName(scope, name);
            NumberRange range = NumberRange.of(query);
            String pagesOf = "check " + sequence + " " + query.text("date") + " " + range.from() + " " + range.to()
                    + " " + query.text("reservedBefore");
            LedgerCheck.Page page = app.sequences()
                    .ledgerCheck()
                    .check(
                            sequence,
                            range.from(),
                            range.to(),
                            query.date("date"),
                            query.instant("reservedBefore"),
                            range.position(query.continuation(pagesOf)));
            return Endpoint.json(request, 200, json(sequence, page, pagesOf)).build();
        });
    }

    private static ObjectNode json(SequenceName sequence, LedgerCheck.Page page, String pagesOf) {
        ObjectNode json = Json.object().put("scope", sequence.scope()).put("name", sequence.name());
        if (!page.period().isEmpty()) {
            json.put("period", page.period());
        }
        if (page.from() != null) {
            json.put("from", page.from()).put("to", page.to());
        }
        json.put("checkedAt", page.checkedAt().toString())
                .put("given", page.given())
                .put("void", page.voided())
                .put("reserved", page.reserved());
        ArrayNode holes = json.putArray("holes");
        page.holes().forEach(hole -> write(hole, holes.addObject()));
        return Endpoint.withContinuation(json, NumberRange.text(page.next()), pagesOf);
    }

    private static void write(LedgerCheck.Hole hole, ObjectNode json) {
        json.put("first", hole.first()).put("last", hole.last()).put("kind", Word.of(hole.kind()));
        if (hole.reason() != null) {
            json.put("reason", hole.reason());
        }
        write("before", hole.before(), json);
        write("after", hole.after(), json);
    }

    private static void write(String name, LedgerCheck.@Nullable Neighbour neighbour, ObjectNode into) {
        if (neighbour != null) {
            ObjectNode json = into.putObject(name);
            if (neighbour.key() != null) {
                json.put("key", neighbour.key());
            }
            json.put("number", neighbour.number())
                    .put("allocatedAt", neighbour.allocatedAt().toString());
        }
    }
}
