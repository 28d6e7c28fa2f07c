package dev.numera.functions.administration;

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
import dev.numera.definition.Change;
import dev.numera.functions.App;
import dev.numera.functions.Endpoint;
import dev.numera.functions.Json;
import dev.numera.functions.Query;
import dev.numera.functions.RequestBody;
import dev.numera.problem.Word;
import dev.numera.sequence.Changes;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code GET /sequences/{scope}/{name}/changes}: what was done to a sequence beside numbering, and by whom. */
public final class ListChangesFunction {
    private static final Set<String> PARAMETERS = Set.of("limit", "continuation");

    private final App app;

    public ListChangesFunction(App app) {
        this.app = app;
    }

    @FunctionName("ListChanges")
    public HttpResponseMessage listChanges(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.GET,
                            route = "sequences/{scope}/{name}/changes",
                            authLevel = AuthorizationLevel.FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return Endpoint.answer(request, () -> {
            Query query = Query.of(request, PARAMETERS);
            RequestBody.requireNone(request);
            SequenceName sequence = new SequenceName(scope, name);
            String pagesOf = "changes " + sequence;
            Changes.Page page = app.sequences()
                    .changes()
                    .list(
                            sequence,
                            ChangePosition.read(query.continuation(pagesOf)),
                            query.number("limit", 100, 1, 1_000));
            return Endpoint.json(request, 200, json(page, pagesOf)).build();
        });
    }

    private static ObjectNode json(Changes.Page page, String pagesOf) {
        ObjectNode json = Json.object();
        ArrayNode changes = json.putArray("changes");
        page.changes().forEach(change -> write(change, changes.addObject()));
        return Endpoint.withContinuation(json, ChangePosition.text(page.next()), pagesOf);
    }

    private static void write(Change change, ObjectNode json) {
        json.put("kind", Word.of(change.kind()))
                .put("at", change.position().at().toString());
        put(json, "actor", change.note().actor());
        put(json, "reason", change.note().reason());
        if (!change.fields().isEmpty()) {
            ArrayNode fields = json.putArray("fields");
            change.fields().forEach(field -> write(field, fields.addObject()));
        }
        if (change.kind() == Change.Kind.IMPORTED) {
            json.put("import", change.position().id());
        }
        if (change.move() != null) {
            write(change.move(), json);
        }
    }

    private static void write(Change.FieldChange change, ObjectNode json) {
        put(json.put("field", change.field()), "before", change.before());
        put(json, "after", change.after());
    }

    private static void write(Change.Move move, ObjectNode json) {
        if (!move.period().isEmpty()) {
            json.put("period", move.period());
        }
        json.put("previousNext", move.previousNext()).put("next", move.next());
    }

    private static void put(ObjectNode json, String name, @Nullable Object value) {
        if (value != null) {
            json.set(name, Json.of(value));
        }
    }
}
