package dev.numera.functions.batch;

import com.microsoft.azure.functions.HttpMethod;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.batch.Upload;
import dev.numera.batch.UploadId;
import dev.numera.counter.SequenceName;
import dev.numera.functions.App;
import dev.numera.functions.Endpoint;
import dev.numera.functions.IdempotencyKey;
import dev.numera.functions.Query;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * {@code POST /sequences/{scope}/{name}/batches}, and {@code .../batches/csv}: a list to be numbered in the background.
 */
public final class UploadBatchFunction {
    /** In the order that fingerprints have had them in from the beginning. */
    private static final List<String> PARAMETERS =
            List.of(UploadBody.KEY_COLUMN, UploadBody.DATE_COLUMN, UploadBody.RESERVE, UploadBody.SEPARATOR);

    private final App app;

    public UploadBatchFunction(App app) {
        this.app = app;
    }

    @FunctionName("UploadBatch")
    public HttpResponseMessage uploadBatch(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.POST,
                            route = "sequences/{scope}/{name}/batches",
                            authLevel = AuthorizationLevel.FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return Endpoint.answer(request, share -> {
            Query query = Query.of(request, Set.copyOf(PARAMETERS));
            SequenceName sequence = new SequenceName(scope, name);
            String key = IdempotencyKey.from(request.getHeaders());
            UploadBody body = UploadBody.read(request, sequence, query, share);
            UploadId id = UploadId.of(sequence, UploadId.Kind.BATCH, key == null ? body.id() : key);
            Upload upload = app.uploads()
                    .accept(
                            id,
                            UploadEndpoint.fingerprint(request, query, PARAMETERS),
                            query.flag(UploadBody.RESERVE)
                                    ? body.rows().layout().reserved()
                                    : body.rows().layout(),
                            body.rows().rows());
            return UploadEndpoint.accepted(app, request, upload);
        });
    }

    /**
     * The same for CSV alone. A client that is generated from {@code openapi.json} sends one kind of body in one call.
     */
    @FunctionName("UploadCsv")
    public HttpResponseMessage uploadCsv(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.POST,
                            route = "sequences/{scope}/{name}/batches" + UploadEndpoint.FOR_CSV,
                            authLevel = AuthorizationLevel.FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return Endpoint.answer(request, share -> {
            UploadBody.requireCsv(request);
            return uploadBatch(request, scope, name);
        });
    }
}
