package dev.numera.functions.batch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpMethod;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.batch.Upload;
import dev.numera.batch.UploadId;
import dev.numera.batch.Uploads;
import dev.numera.counter.CharacterBudget;
import dev.numera.counter.SequenceName;
import dev.numera.functions.App;
import dev.numera.functions.Endpoint;
import dev.numera.functions.Json;
import dev.numera.functions.Query;
import dev.numera.functions.RequestBody;
import dev.numera.problem.InvalidRequest;
import java.util.Optional;
import java.util.Set;

/** {@code GET /sequences/{scope}/{name}/batches/{id}}: what has become of an upload. */
public final class ReadBatchFunction {
    private static final Set<String> PARAMETERS = Set.of("limit", "continuation");

    private final App app;

    public ReadBatchFunction(App app) {
        this.app = app;
    }

    @FunctionName("ReadBatch")
    public HttpResponseMessage readBatch(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.GET,
                            route = "sequences/{scope}/{name}/batches/{id}",
                            authLevel = AuthorizationLevel.FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name,
            @BindingName("id") String id) {
        return Endpoint.answer(request, share -> {
            Query query = Query.of(request, PARAMETERS);
            RequestBody.requireNone(request);
            UploadId upload = UploadId.parse(new SequenceName(scope, name), UploadId.Kind.BATCH, id)
                    .orElseThrow(() -> Uploads.unknown(UploadId.Kind.BATCH, id));
            int limit = query.number("limit", 100, 1, 1_000);
            Uploads.Position from = UploadEndpoint.position(query, pagesOf(upload));
            return answer(request, app.uploads().get(upload), from, limit, share);
        });
    }

    private HttpResponseMessage answer(
            HttpRequestMessage<Optional<String>> request,
            Upload upload,
            Uploads.Position from,
            int limit,
            CharacterBudget.Share share) {
        Uploads uploads = app.uploads();
        ObjectNode json = UploadJson.of(upload);
        return switch (upload.status()) {
            case PENDING -> UploadEndpoint.pending(app, request, upload);
            case REJECTED ->
                Endpoint.json(
                                request,
                                200,
                                json.set(
                                        "problem",
                                        Json.of(uploads.read(upload, Uploads.Position.START, 1)
                                                .items()
                                                .get(0)
                                                .answer()
                                                .refusal())))
                        .build();
            case NUMBERED, PARTIAL ->
                Endpoint.wantsCsv(request)
                        ? Endpoint.csv(
                                        request,
                                        UploadCsv.write(
                                                upload.layout(),
                                                uploads.all(upload).peek(item -> holdCsv(item, share))))
                                .build()
                        : page(request, upload, json, uploads.read(upload, from, limit), share);
        };
    }

    /** All rows are one answer in CSV, so they are held one by one, before each is written. */
    private static void holdCsv(Uploads.AnsweredRow item, CharacterBudget.Share share) {
        long characters = UploadCsv.characters(item);
        if (!share.canEverHold(characters)) {
            throw InvalidRequest.because(
                    "Accept",
                    "must be application/json, page by page: as CSV, which is one page, this upload has more"
                            + " characters than this instance has room for");
        }
        share.hold(characters);
    }

    private static HttpResponseMessage page(
            HttpRequestMessage<Optional<String>> request,
            Upload upload,
            ObjectNode json,
            Uploads.Page page,
            CharacterBudget.Share share) {
        share.hold(page.characters());
        ObjectNode rows = UploadJson.withAllocations(json, upload.layout(), page.items());
        return UploadEndpoint.page(request, rows, page.next(), pagesOf(upload.id()));
    }

    private static String pagesOf(UploadId upload) {
        return "upload " + upload;
    }
}
