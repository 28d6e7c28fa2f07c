package dev.numera.functions.http.sequence;

import static com.microsoft.azure.functions.HttpMethod.GET;
import static com.microsoft.azure.functions.HttpMethod.POST;
import static com.microsoft.azure.functions.annotation.AuthorizationLevel.FUNCTION;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.core.model.Change;
import dev.numera.core.model.FieldParsers;
import dev.numera.core.model.Page;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.Result;
import dev.numera.functions.App;
import dev.numera.functions.http.HttpCall;
import dev.numera.functions.http.Need;
import dev.numera.functions.http.PageToken;
import dev.numera.functions.http.Query;
import dev.numera.functions.http.Right;
import dev.numera.json.Fields;
import dev.numera.json.RequestBody;
import dev.numera.sequences.ledger.Closing;
import java.time.LocalDate;
import java.util.Optional;

/**
 * The calls on closings: closing a range of document dates, which checks it and records the result, and listing them.
 */
public final class ClosingFunctions {
    private static final String CLOSINGS = "sequences/{scope}/{name}/closings";
    private static final String DATE_FROM = "dateFrom";
    private static final String DATE_TO = "dateTo";

    private final App app;

    public ClosingFunctions(App app) {
        this.app = app;
    }

    /** {@code POST /sequences/{scope}/{name}/closings}: checks a range of dates and records the result. */
    @FunctionName("CloseDates")
    public HttpResponseMessage closeDates(
            @HttpTrigger(name = "request", methods = POST, route = CLOSINGS, authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(app, request, Need.in(scope, Right.DEFINE), call -> {
            call.query();
            SequenceName sequence = new SequenceName(scope, name);
            ObjectNode body = call.fields(DATE_FROM, DATE_TO);
            LocalDate from = FieldParsers.date(DATE_FROM, RequestBody.requireText(body, DATE_FROM));
            LocalDate to = FieldParsers.date(DATE_TO, RequestBody.requireText(body, DATE_TO));
            if (from.isAfter(to)) {
                throw InvalidRequest.because(DATE_FROM, "must not be later than dateTo");
            }
            String actor = call.headers().actor();
            return call.json(
                    201,
                    json(app.sequences()
                            .closings()
                            .close(sequence, from, to, actor, app.uploadReader().refusedRows(sequence))));
        });
    }

    /** {@code GET /sequences/{scope}/{name}/closings}: the recorded closings, oldest first. */
    @FunctionName("ListClosings")
    public HttpResponseMessage listClosings(
            @HttpTrigger(name = "request", methods = GET, route = CLOSINGS, authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(app, request, Need.in(scope, Right.READ, Right.DEFINE), call -> {
            Query query = call.queryAlone("limit", "continuation");
            SequenceName sequence = new SequenceName(scope, name);
            PageToken<Change.Position> pages = PageToken.ofChanges("closings " + sequence);
            Page<Result<Closing>, Change.Position> page = call.within(
                    app.sequences().closings().list(sequence, pages.start(query), query.limit()),
                    closing -> SequenceJson.characters(closing, Closing::characters),
                    closing -> closing.map(each -> each.change().position()).value());
            return call.ok(pages.json("closings", page, closing -> Fields.ofAnswer(closing, ClosingFunctions::json)));
        });
    }

    private static ObjectNode json(Closing closing) {
        Change.Position position = closing.change().position();
        Fields fields = new Fields()
                .put("id", position.id())
                .put("closedAt", position.at())
                .putActor(closing.change().note().actor());
        closing.results().stream()
                .filter(field -> !field.field().equals("changedExact"))
                .forEach(field -> fields.put(field.field(), field.after()));
        fields.putEach("gaps", closing.gaps(), ClosingFunctions::gap);
        if (closing.isCompared()) {
            fields.put("changedExact", closing.isChangedExact());
            fields.putEach("changed", closing.changed(), ClosingFunctions::changed);
        }
        return fields.json();
    }

    private static ObjectNode gap(Closing.Gap gap) {
        return new Fields()
                .put("period", gap.period())
                .put("first", gap.numbers().before())
                .put("last", gap.numbers().after())
                .put("kind", gap.kind())
                .put("reason", gap.reason())
                .json();
    }

    private static ObjectNode changed(Closing.Changed allocation) {
        return new Fields()
                .put("key", allocation.key())
                .put("first", allocation.first())
                .put("status", allocation.status())
                .put("last", allocation.last())
                .put("text", allocation.text())
                .put("period", "".equals(allocation.period()) ? null : allocation.period())
                .put("at", allocation.at())
                .putActor(allocation.actor() instanceof String actor ? actor : null)
                .put("reason", allocation.reason())
                .json();
    }
}
