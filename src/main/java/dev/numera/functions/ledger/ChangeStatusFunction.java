package dev.numera.functions.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpMethod;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.counter.CharacterBudget;
import dev.numera.counter.KeyStatus;
import dev.numera.counter.SequenceName;
import dev.numera.functions.Actor;
import dev.numera.functions.App;
import dev.numera.functions.Endpoint;
import dev.numera.functions.Json;
import dev.numera.functions.Query;
import dev.numera.functions.RequestBody;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.Word;
import dev.numera.sequence.Numbers;
import dev.numera.sequence.Statuses;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code POST /sequences/{scope}/{name}/status}: confirms what was reserved, or voids what was reserved or issued. */
public final class ChangeStatusFunction {
    private static final String KEY = "key";
    private static final String STATUS = "status";
    private static final String REASON = "reason";

    private final App app;

    public ChangeStatusFunction(App app) {
        this.app = app;
    }

    @FunctionName("ChangeStatus")
    public HttpResponseMessage changeStatus(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.POST,
                            route = "sequences/{scope}/{name}/status",
                            authLevel = AuthorizationLevel.FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return Endpoint.answer(request, share -> {
            Query.of(request, Set.of());
            ObjectNode body = RequestBody.object(request, RequestBody.MAX_CALL_UNITS);
            RequestBody.requireFields(body, Set.of(KEY, STATUS, REASON));
            Numbers changed = change(new SequenceName(scope, name), body, Actor.from(request.getHeaders()), share);
            return Endpoint.json(request, 200, Json.of(changed)).build();
        });
    }

    private Numbers change(
            SequenceName sequence, ObjectNode body, @Nullable String actor, CharacterBudget.Share share) {
        Statuses statuses = app.sequences().statuses();
        String key = RequestBody.requireText(body, KEY);
        String status = RequestBody.requireText(body, STATUS);
        if (status.equals(Word.of(KeyStatus.Status.VOID))) {
            return statuses.makeVoid(sequence, key, RequestBody.requireText(body, REASON), actor, share);
        }
        if (!status.equals(Word.of(KeyStatus.Status.ISSUED))) {
            throw InvalidRequest.because(STATUS, "must be issued or void: only next reserves");
        }
        if (body.has(REASON)) {
            throw InvalidRequest.because(REASON, "is for void only");
        }
        return statuses.issue(sequence, key, actor, share);
    }
}
