package dev.numera.functions.http.lists;

import static com.microsoft.azure.functions.HttpMethod.GET;
import static com.microsoft.azure.functions.HttpMethod.POST;
import static com.microsoft.azure.functions.annotation.AuthorizationLevel.FUNCTION;

import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import com.microsoft.azure.functions.annotation.TimerTrigger;
import dev.numera.core.model.Page;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Sha256;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.retry.CharacterBudget;
import dev.numera.functions.App;
import dev.numera.functions.Queues;
import dev.numera.functions.http.CsvForm;
import dev.numera.functions.http.CsvName;
import dev.numera.functions.http.HttpCall;
import dev.numera.functions.http.Need;
import dev.numera.functions.http.PageToken;
import dev.numera.functions.http.Query;
import dev.numera.functions.http.Right;
import dev.numera.functions.queue.QueueMessage;
import dev.numera.json.Json;
import dev.numera.sequences.lists.RowResult;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.UploadPosition;
import dev.numera.sequences.lists.UploadReader;
import dev.numera.sequences.lists.UploadStore;
import dev.numera.sequences.lists.Uploads;
import java.net.URI;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The calls that upload lists and read their results: keys that need numbers, and numbers to import. The lists are
 * processed in the background.
 */
public final class ListFunctions {
    private static final String BATCHES = "sequences/{scope}/{name}/batches";
    private static final String IMPORTS = "sequences/{scope}/{name}/imports";
    private static final String[] UPLOAD = Stream.concat(ListParameters.ofKeys().stream(), Stream.of(ListBody.RESERVE))
            .toArray(String[]::new);
    private static final String[] IMPORT = Stream.concat(
                    ListParameters.ofImport().stream(), Stream.of(ListBody.DRY_RUN))
            .toArray(String[]::new);

    private static final String FOR_CSV = "/csv";
    private static final String OUTCOME = "outcome";
    private static final String REFUSED = "refused";
    /** A cautious estimate, so that a caller that waits as advised finds the result complete. */
    private static final int ITEMS_PER_SECOND = 1_000;

    private static final int LONGEST_RETRY_AFTER_SECONDS = 30;

    private final App app;

    public ListFunctions(App app) {
        this.app = app;
    }

    /** {@code POST /sequences/{scope}/{name}/batches}: uploads a list of keys that need numbers. */
    @FunctionName("UploadBatch")
    public HttpResponseMessage uploadBatch(
            @HttpTrigger(name = "request", methods = POST, route = BATCHES, authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(
                app, request, Need.in(scope, Right.ALLOCATE), call -> upload(call, new SequenceName(scope, name)));
    }

    /**
     * {@code POST /sequences/{scope}/{name}/batches/csv}: the same, only for CSV. Exists for clients generated from
     * {@code openapi.json}, which send one content type in each call.
     */
    @FunctionName("UploadCsv")
    public HttpResponseMessage uploadCsv(
            @HttpTrigger(name = "request", methods = POST, route = BATCHES + FOR_CSV, authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(app, request, Need.in(scope, Right.ALLOCATE), call -> {
            ListBody.requireCsv(call);
            return upload(call, new SequenceName(scope, name));
        });
    }

    private HttpResponseMessage.Builder upload(HttpCall call, SequenceName sequence) {
        Query query = call.query(UPLOAD);
        String key = call.headers().key();
        String actor = call.headers().actor();
        if (key == null) {
            // Read first, because the body may have the id. Without one the id is random, so no upload has it.
            ListBody body = bodyOfKeys(call, sequence, query, () -> false);
            Upload.Id id = Upload.Id.of(sequence, Upload.Kind.BATCH, body.id());
            return accepted(call, accepted(id, call, query, () -> contentOfKeys(body, query), actor));
        }
        Upload.Id id = Upload.Id.ofKey(sequence, Upload.Kind.BATCH, key);
        Supplier<Upload.Content> content = () -> contentOfKeys(
                bodyOfKeys(call, sequence, query, () -> app.uploads().isKnown(id)), query);
        return accepted(call, accepted(id, call, query, content, actor));
    }

    private ListBody bodyOfKeys(HttpCall call, SequenceName sequence, Query query, BooleanSupplier isKnown) {
        return ListBody.ofKeys(
                call, sequence, query, () -> app.sequences().allocator().foreseen(sequence), isKnown);
    }

    private static Upload.Content contentOfKeys(ListBody body, Query query) {
        Upload.Content content = body.rows().content();
        return query.flag(ListBody.RESERVE) ? content.reserved() : content;
    }

    /** {@code GET /sequences/{scope}/{name}/batches}: the uploads that have not been removed yet. */
    @FunctionName("ListBatches")
    public HttpResponseMessage listBatches(
            @HttpTrigger(name = "request", methods = GET, route = BATCHES, authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(
                app,
                request,
                Need.in(scope, Right.ALLOCATE, Right.READ),
                call -> listed(call, new SequenceName(scope, name), Upload.Kind.BATCH, "batches"));
    }

    /** {@code GET /sequences/{scope}/{name}/imports}: the imports that have not been removed yet. */
    @FunctionName("ListImports")
    public HttpResponseMessage listImports(
            @HttpTrigger(name = "request", methods = GET, route = IMPORTS, authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(
                app,
                request,
                Need.in(scope, Right.READ, Right.DEFINE),
                call -> listed(call, new SequenceName(scope, name), Upload.Kind.IMPORT, "imports"));
    }

    private HttpResponseMessage.Builder listed(HttpCall call, SequenceName sequence, Upload.Kind kind, String plural) {
        Query query = call.queryAlone("limit", "continuation");
        PageToken<String> pages = new PageToken<>(plural + " " + sequence, List::of, parts -> String.join(";", parts));
        Page<UploadStore.Listed, String> page =
                app.uploadReader().list(sequence, kind, query.limit(), pages.start(query));
        return call.ok(pages.json(plural, page, UploadJson::listed));
    }

    /** {@code GET /sequences/{scope}/{name}/batches/{id}}: the progress and results of an upload. */
    @FunctionName("ReadBatch")
    public HttpResponseMessage readBatch(
            @HttpTrigger(name = "request", methods = GET, route = BATCHES + "/{id}", authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name,
            @BindingName("id") String id) {
        return HttpCall.answer(app, request, Need.in(scope, Right.ALLOCATE, Right.READ), call -> {
            Query query = call.queryAlone(CsvForm.with("limit", "continuation"));
            CsvForm form = CsvForm.of(query, call.wantsCsv());
            Upload.Id batch = id(scope, name, Upload.Kind.BATCH, id);
            int limit = query.limit();
            PageToken<UploadPosition> pages = pages("upload " + batch);
            UploadPosition from = Objects.requireNonNullElse(pages.start(query), UploadPosition.START);
            Upload upload = app.uploads().get(batch);
            return switch (upload.status()) {
                case PENDING -> pending(call, upload);
                case NUMBERED, PARTIAL, REJECTED -> {
                    if (call.wantsCsv()) {
                        ResultCsv csv = new ResultCsv(form);
                        yield call.csv(
                                csv.write(
                                        upload.columns(),
                                        app.uploadReader()
                                                .all(upload)
                                                .peek(item -> holdCsv(csv.characters(item), call.share()))),
                                form,
                                name(upload, "upload"));
                    }
                    Page<RowResult<List<String>>, UploadPosition> page =
                            app.uploadReader().page(upload, UploadReader.Rows.ALL, from, limit);
                    call.share().hold(UploadReader.characters(page));
                    yield call.ok(UploadJson.withAllocations(upload, page.items())
                            .put("continuation", pages.token(page.next())));
                }
            };
        });
    }

    /** Returns the name of a list's file, with the day on which the list was sent. */
    private static CsvName name(Upload upload, String content) {
        SequenceName sequence = upload.id().sequence();
        LocalDate sent = LocalDate.ofInstant(upload.sentAt(), ZoneOffset.UTC);
        return CsvName.of(
                sequence.scope(), sequence.name(), content, sent, upload.id().id());
    }

    /**
     * Holds memory for a row in CSV before the row is written. One CSV answer contains all rows, so they are counted
     * one by one.
     */
    private static void holdCsv(long characters, CharacterBudget.Share share) {
        if (!share.canEverHold(characters)) {
            throw InvalidRequest.because(
                    "Accept",
                    "must be application/json, read page by page: as a single CSV answer, this upload is larger than"
                            + " the memory of this instance");
        }
        share.hold(characters);
    }

    /** {@code POST /sequences/{scope}/{name}/imports}: uploads numbers of another system. */
    @FunctionName("ImportNumbers")
    public HttpResponseMessage importNumbers(
            @HttpTrigger(name = "request", methods = POST, route = IMPORTS, authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(app, request, Need.in(scope, Right.DEFINE), call -> {
            Query query = call.query(IMPORT);
            SequenceName sequence = new SequenceName(scope, name);
            String key = call.headers().key();
            String actor = call.headers().actor();
            Upload upload = accepted(
                    Upload.Id.of(sequence, Upload.Kind.IMPORT, key),
                    call,
                    query,
                    () -> contentOfImport(call, sequence, query),
                    actor);
            return accepted(call, upload);
        });
    }

    private Upload.Content contentOfImport(HttpCall call, SequenceName sequence, Query query) {
        Upload.Content content = ListBody.ofImport(
                        call, query, () -> app.sequences().imports().known(sequence))
                .rows()
                .content();
        return query.flag(ListBody.DRY_RUN) ? content.dryRun() : content;
    }

    /** {@code POST /sequences/{scope}/{name}/imports/inspect}: how an import would read a file. Stores nothing. */
    @FunctionName("InspectImport")
    public HttpResponseMessage inspectImport(
            @HttpTrigger(name = "request", methods = POST, route = IMPORTS + "/inspect", authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(app, request, Need.in(scope, Right.DEFINE), call -> {
            Query query = call.query(ListParameters.ofImport().toArray(String[]::new));
            ListBody.requireCsv(call);
            SequenceName sequence = new SequenceName(scope, name);
            Sequence known = app.sequences().imports().require(sequence);
            BodyText.File file = BodyText.inspected(call, new ListParameters(query).encoding());
            return call.ok(
                    new FileInspection(file, query, known, app.sequences().imports()).answer());
        });
    }

    /** {@code GET /sequences/{scope}/{name}/imports/{id}}: the progress and results of an import. */
    @FunctionName("ReadImport")
    public HttpResponseMessage readImport(
            @HttpTrigger(name = "request", methods = GET, route = IMPORTS + "/{id}", authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name,
            @BindingName("id") String id) {
        return HttpCall.answer(app, request, Need.in(scope, Right.READ, Right.DEFINE), call -> {
            Query query = call.queryAlone(CsvForm.with(OUTCOME, "limit", "continuation"));
            CsvForm form = CsvForm.of(query, call.wantsCsv());
            Upload.Id imported = id(scope, name, Upload.Kind.IMPORT, id);
            boolean isRefusedOnly = isRefusedOnly(query);
            int limit = query.limit();
            PageToken<UploadPosition> pages = pages(imported + (isRefusedOnly ? " " + REFUSED : ""));
            UploadPosition from = Objects.requireNonNullElse(pages.start(query), UploadPosition.START);
            Upload upload = app.uploads().get(imported);
            if (upload.status() == Upload.Status.PENDING) {
                return pending(call, upload);
            }
            if (call.wantsCsv()) {
                ResultCsv csv = new ResultCsv(form);
                Stream<RowResult<List<String>>> rows = app.uploadReader()
                        .all(upload)
                        .filter(item -> !isRefusedOnly || item.isRefused())
                        .peek(item -> holdCsv(csv.characters(item), call.share()));
                return call.csv(
                        isRefusedOnly
                                ? csv.writeRefused(upload.columns(), rows)
                                : csv.writeImport(upload.columns(), rows),
                        form,
                        name(upload, isRefusedOnly ? REFUSED : "import"));
            }
            UploadReader.Rows rows = isRefusedOnly ? UploadReader.Rows.REFUSED : UploadReader.Rows.ALL;
            Page<RowResult<List<String>>, UploadPosition> page =
                    app.uploadReader().page(upload, rows, from, limit);
            call.share().hold(UploadReader.characters(page));
            return call.ok(UploadJson.withRows(upload, page.items()).put("continuation", pages.token(page.next())));
        });
    }

    private static boolean isRefusedOnly(Query query) {
        String outcome = query.text(OUTCOME);
        if (outcome != null && !outcome.equals(REFUSED)) {
            throw InvalidRequest.because(OUTCOME, "must be " + REFUSED + ", or be left out");
        }
        return outcome != null;
    }

    /** Removes old uploads every night. Their numbers stay in the ledger. */
    @FunctionName("RemoveBatches")
    public void removeBatches(@TimerTrigger(name = "timer", schedule = "0 17 3 * * *") String timer) {
        app.oldUploads().removeAll();
    }

    private static Upload.Id id(String scope, String name, Upload.Kind kind, String id) {
        return Upload.Id.parse(new SequenceName(scope, name), kind, id).orElseThrow(() -> Uploads.unknown(kind, id));
    }

    private Upload accepted(
            Upload.Id id, HttpCall call, Query query, Supplier<Upload.Content> content, @Nullable String actor) {
        return app.uploads().accept(id, fingerprint(call, query), content, actor);
    }

    /** Returns a hash that is the same for requests with the same media type, encoding, body and parameters. */
    private static String fingerprint(HttpCall call, Query query) {
        return Sha256.hex(
                Json.of(List.of(ListBody.mediaType(call), BodyText.transferOf(call), query.all()))
                        .toString(),
                call.body());
    }

    /** Starts an upload, and answers with its address. */
    private HttpResponseMessage.Builder accepted(HttpCall call, Upload upload) {
        if (upload.status() == Upload.Status.PENDING) {
            // Sent even if the upload is already being processed. A second message does no harm, and the caller may
            // be repeating the request because the first message was lost.
            send(QueueMessage.OfPart.next(upload));
        }
        return call.json(202, UploadJson.of(upload).json())
                .header("Location", uploads(call.uri()) + "/" + upload.id().id());
    }

    /** Returns the path of the list of uploads. The host matches paths without regard to case. */
    private static String uploads(URI called) {
        String path = path(called);
        int end = path.length() - FOR_CSV.length();
        return path.regionMatches(true, end, FOR_CSV, 0, FOR_CSV.length()) ? path.substring(0, end) : path;
    }

    private static String path(URI called) {
        return called.getRawPath().replaceFirst("/$", "");
    }

    /**
     * Answers that an upload is in progress, and restarts a stalled one. Its message may be lost, and without an
     * idempotency key no caller could send the upload again.
     */
    private HttpResponseMessage.Builder pending(HttpCall call, Upload upload) {
        app.uploads().stalledPart(upload).ifPresent(part -> send(new QueueMessage.OfPart(upload.id(), part)));
        // Logic Apps reads on only if each answer has the address.
        return call.pending(UploadJson.of(upload), retryAfterSeconds(upload)).header("Location", path(call.uri()));
    }

    /** Returns when the caller should read again: sooner for fewer remaining rows, at most after half a minute. */
    private static int retryAfterSeconds(Upload upload) {
        int left = upload.items() - upload.progress().items();
        return Math.min(1 + left / ITEMS_PER_SECOND, LONGEST_RETRY_AFTER_SECONDS);
    }

    private void send(QueueMessage.OfPart part) {
        app.storage().queue(Queues.REQUESTS).send(part.toMessage());
    }

    private static PageToken<UploadPosition> pages(String pagesOf) {
        return new PageToken<>(
                pagesOf,
                position -> List.of(position.part(), position.row()),
                parts -> new UploadPosition(Integer.parseInt(parts.get(0)), Integer.parseInt(parts.get(1))));
    }
}
