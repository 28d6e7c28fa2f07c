package dev.numera.functions.http.sequence;

import static com.microsoft.azure.functions.HttpMethod.DELETE;
import static com.microsoft.azure.functions.HttpMethod.GET;
import static com.microsoft.azure.functions.HttpMethod.PATCH;
import static com.microsoft.azure.functions.HttpMethod.POST;
import static com.microsoft.azure.functions.HttpMethod.PUT;
import static com.microsoft.azure.functions.annotation.AuthorizationLevel.FUNCTION;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.FieldParsers;
import dev.numera.core.model.Page;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.Result;
import dev.numera.functions.App;
import dev.numera.functions.http.HttpCall;
import dev.numera.functions.http.Need;
import dev.numera.functions.http.PageToken;
import dev.numera.functions.http.Query;
import dev.numera.functions.http.Right;
import dev.numera.json.Fields;
import dev.numera.json.Json;
import dev.numera.json.RequestBody;
import dev.numera.sequences.catalog.ListedSequence;
import dev.numera.sequences.catalog.SequenceList;
import dev.numera.sequences.definition.DefinitionEditor;
import dev.numera.sequences.definition.Precondition;
import dev.numera.sequences.definition.Preview;
import dev.numera.sequences.definition.SequenceState;
import dev.numera.sequences.ledger.Closing;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The calls for the owner of a sequence: its definition and changes, its state, and advancing it. */
public final class SequenceFunctions {
    private static final String SEQUENCE = "sequences/{scope}/{name}";
    private static final String FILTER = "filter";
    private static final String RETIRED = "retired";
    private static final String NEXT_AT_LEAST = "nextAtLeast";
    private static final String REASON = "reason";

    private final App app;

    public SequenceFunctions(App app) {
        this.app = app;
    }

    /** {@code GET /sequences}: the sequences of a scope, or of all scopes, page by page. */
    @FunctionName("ListSequences")
    public HttpResponseMessage listSequences(
            @HttpTrigger(name = "request", methods = GET, route = "sequences", authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request) {
        return HttpCall.answer(app, request, Need.inQuery(Right.READ), call -> {
            Query query = call.queryAlone("scope", FILTER, RETIRED, "with", "limit", "continuation");
            String scope = query.scope();
            String text = query.text(FILTER);
            List<String> words = text == null ? List.of() : SequenceList.Wanted.words(text);
            boolean withUnused = query.flag(RETIRED);
            PageToken<String> pages = PageToken.ofSequences(
                    (withUnused ? "all sequences " : "sequences ") + scope + (text == null ? "" : " " + text));
            SequenceList.Wanted wanted =
                    new SequenceList.Wanted(scope, words, withUnused, query.choices("with", SequenceList.Detail.class));
            Page<ListedSequence, String> page = app.sequences().list().list(wanted, query.limit(), pages.start(query));
            return call.ok(pages.json("sequences", page, SequenceJson::of));
        });
    }

    /** {@code GET /sequences/{scope}/{name}}: the definition, in the form that PUT takes. */
    @FunctionName("GetDefinition")
    public HttpResponseMessage getDefinition(
            @HttpTrigger(name = "request", methods = GET, route = SEQUENCE, authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(app, request, Need.in(scope, Right.READ, Right.DEFINE), call -> {
            call.queryAlone();
            return SequenceJson.answer(call, 200, administration().get(new SequenceName(scope, name)));
        });
    }

    /** {@code PUT /sequences/{scope}/{name}}: creates, replaces or revives a definition. */
    @FunctionName("PutDefinition")
    public HttpResponseMessage putDefinition(
            @HttpTrigger(name = "request", methods = PUT, route = SEQUENCE, authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(app, request, Need.in(scope, Right.DEFINE), call -> {
            call.query();
            SequenceName sequence = new SequenceName(scope, name);
            DefinitionDraft draft = SequenceJson.readDefinition(call);
            ChangeNote note = ChangeNote.by(call.headers().actor());
            Precondition precondition = call.headers().preconditionOfPut();
            Sequence defined = administration().put(sequence, draft, precondition, note);
            return SequenceJson.answer(call, precondition.isAbsence() ? 201 : 200, defined);
        });
    }

    /** {@code PATCH /sequences/{scope}/{name}}: changes fields of a definition, as JSON Merge Patch (RFC 7396). */
    @FunctionName("PatchDefinition")
    public HttpResponseMessage patchDefinition(
            @HttpTrigger(name = "request", methods = PATCH, route = SEQUENCE, authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(app, request, Need.in(scope, Right.DEFINE), call -> {
            call.query();
            SequenceName sequence = new SequenceName(scope, name);
            DefinitionDraft draft = SequenceJson.readDefinition(call);
            ChangeNote note = ChangeNote.by(call.headers().actor());
            Precondition precondition = call.headers().precondition();
            return SequenceJson.answer(call, 200, administration().patch(sequence, draft, precondition, note));
        });
    }

    /** {@code DELETE /sequences/{scope}/{name}}: retires a sequence. */
    @FunctionName("Retire")
    public HttpResponseMessage retire(
            @HttpTrigger(name = "request", methods = DELETE, route = SEQUENCE, authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(app, request, Need.in(scope, Right.DEFINE), call -> {
            call.queryAlone();
            SequenceName sequence = new SequenceName(scope, name);
            ChangeNote note = ChangeNote.by(call.headers().actor());
            app.sequences().lifecycle().retire(sequence, call.headers().precondition(), note);
            return call.empty(204);
        });
    }

    /** {@code POST /sequences/{scope}/{name}/preview}: the numbers that a new or changed definition would produce. */
    @FunctionName("Preview")
    public HttpResponseMessage preview(
            @HttpTrigger(name = "request", methods = POST, route = SEQUENCE + "/preview", authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(app, request, Need.in(scope, Right.READ, Right.DEFINE), call -> {
            Query query = call.query("date");
            SequenceName sequence = new SequenceName(scope, name);
            DefinitionDraft draft = SequenceJson.readDefinition(call);
            Preview preview = administration().preview(sequence, draft, query.date("date"));
            return call.ok(Json.of(preview));
        });
    }

    /** {@code POST /sequences/{scope}/{name}/advance}: moves the next number forward. */
    @FunctionName("Advance")
    public HttpResponseMessage advance(
            @HttpTrigger(name = "request", methods = POST, route = SEQUENCE + "/advance", authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(app, request, Need.in(scope, Right.DEFINE), call -> {
            Query query = call.query("date");
            SequenceName sequence = new SequenceName(scope, name);
            ObjectNode body = call.fields(NEXT_AT_LEAST, REASON);
            ChangeNote note = new ChangeNote(call.headers().actor(), reason(body));
            long next = FieldParsers.wholeNumber(NEXT_AT_LEAST, Json.whole(body.path(NEXT_AT_LEAST)));
            Change.Move moved = app.sequences().moves().advance(sequence, next, query.date("date"), note);
            return call.ok(
                    new Fields().put("previousNext", moved.previousNext()).put("next", moved.next()));
        });
    }

    /** {@code POST /sequences/{scope}/{name}/suspend}: stops allocation; known keys keep their numbers. */
    @FunctionName("Suspend")
    public HttpResponseMessage suspend(
            @HttpTrigger(name = "request", methods = POST, route = SEQUENCE + "/suspend", authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(app, request, Need.in(scope, Right.DEFINE), call -> {
            Sequence suspended =
                    changed(call, new SequenceName(scope, name), app.sequences().lifecycle()::suspend);
            return call.ok(state(suspended));
        });
    }

    /** {@code POST /sequences/{scope}/{name}/resume}: ends a suspension. */
    @FunctionName("Resume")
    public HttpResponseMessage resume(
            @HttpTrigger(name = "request", methods = POST, route = SEQUENCE + "/resume", authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(app, request, Need.in(scope, Right.DEFINE), call -> {
            Sequence resumed =
                    changed(call, new SequenceName(scope, name), app.sequences().lifecycle()::resume);
            ObjectNode state = state(resumed);
            app.sequences().lifecycle().whyStillSuspended(resumed).ifPresent(why -> state.put(REASON, why));
            return call.ok(state);
        });
    }

    private static Sequence changed(
            HttpCall call, SequenceName sequence, BiFunction<SequenceName, ChangeNote, Sequence> change) {
        call.query();
        ObjectNode body = call.fields(REASON);
        return change.apply(sequence, new ChangeNote(call.headers().actor(), reason(body)));
    }

    private ObjectNode state(Sequence sequence) {
        return sequence.fixed().isCounted()
                ? SequenceJson.of(app.sequences().states().state(sequence.name(), null))
                : SequenceJson.withoutCounter(sequence);
    }

    private static @Nullable String reason(ObjectNode body) {
        return body.has(REASON) ? RequestBody.requireText(body, REASON) : null;
    }

    /** {@code GET /sequences/{scope}/{name}/state}: the next number and the counts of a sequence. */
    @FunctionName("ReadState")
    public HttpResponseMessage readState(
            @HttpTrigger(name = "request", methods = GET, route = SEQUENCE + "/state", authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(app, request, Need.in(scope, Right.ALLOCATE, Right.READ, Right.DEFINE), call -> {
            Query query = call.queryAlone("date");
            SequenceName sequence = new SequenceName(scope, name);
            SequenceState state = app.sequences().states().state(sequence, query.date("date"));
            return call.ok(SequenceJson.of(state));
        });
    }

    /** {@code GET /sequences/{scope}/{name}/periods}: the state of each period that has a counter. */
    @FunctionName("ListPeriods")
    public HttpResponseMessage listPeriods(
            @HttpTrigger(name = "request", methods = GET, route = SEQUENCE + "/periods", authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(app, request, Need.in(scope, Right.READ, Right.DEFINE), call -> {
            Query query = call.queryAlone("limit", "continuation");
            SequenceName sequence = new SequenceName(scope, name);
            PageToken<String> pages = PageToken.ofPeriods("periods " + sequence);
            String first = Objects.requireNonNullElse(pages.start(query), "");
            Page<Map.Entry<String, Result<SequenceState>>, String> page =
                    app.sequences().states().periods(sequence, first, query.limit());
            return call.ok(pages.json("periods", page, period -> SequenceJson.ofPeriod(sequence, period)));
        });
    }

    /** {@code GET /sequences/{scope}/{name}/changes}: the changes of a sequence other than its numbers, with actors. */
    @FunctionName("ListChanges")
    public HttpResponseMessage listChanges(
            @HttpTrigger(name = "request", methods = GET, route = SEQUENCE + "/changes", authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(app, request, Need.in(scope, Right.READ, Right.DEFINE), call -> {
            Query query = call.queryAlone("limit", "continuation");
            SequenceName sequence = new SequenceName(scope, name);
            PageToken<Change.Position> pages = PageToken.ofChanges("changes " + sequence);
            Page<Result<Change>, Change.Position> page = call.within(
                    administration().changes(sequence, pages.start(query), query.limit()),
                    change -> SequenceJson.characters(change, Closing::charactersOf),
                    change -> change.map(Change::position).value());
            return call.ok(pages.json("changes", page, SequenceJson::ofChange));
        });
    }

    private DefinitionEditor administration() {
        return app.sequences().editor();
    }
}
