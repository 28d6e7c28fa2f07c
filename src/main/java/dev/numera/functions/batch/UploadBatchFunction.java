package dev.numera.functions.batch;

import com.microsoft.azure.functions.HttpMethod;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.batch.Sha256;
import dev.numera.batch.Upload;
import dev.numera.batch.UploadId;
import dev.numera.counter.SequenceName;
import dev.numera.functions.App;
import dev.numera.functions.Endpoint;
import dev.numera.functions.IdempotencyKey;
import dev.numera.functions.Json;
import dev.numera.functions.Query;
import dev.numera.functions.RequestBody;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /sequences/{scope}/{name}/batches}, and {@code .../batches/csv}: a list to be numbered in the background.
 */
public final class UploadBatchFunction {
    private static final Set<String> PARAMETERS =
            Set.of(UploadBody.KEY_COLUMN, UploadBody.DATE_COLUMN, UploadBody.SEPARATOR, UploadBody.RESERVE);

    private static final String FOR_CSV = "/csv";

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
        return Endpoint.answer(request, () -> {
            Query query = Query.of(request, PARAMETERS);
            SequenceName sequence = new SequenceName(scope, name);
            String key = IdempotencyKey.from(request.getHeaders());
            UploadBody body = UploadBody.read(request, sequence, query);
            UploadId id = UploadId.of(sequence, UploadId.Kind.BATCH, key == null ? body.id() : key);
            Upload upload = app.uploads()
                    .accept(
                            id,
                            fingerprint(request, query),
                            query.flag(UploadBody.RESERVE)
                                    ? body.rows().layout().reserved()
                                    : body.rows().layout(),
                            body.rows().rows());
            return accepted(app, request, upload);
        });
    }

    /** Gets an upload going, and tells where to look for it. */
    static HttpResponseMessage accepted(App app, HttpRequestMessage<Optional<String>> request, Upload upload) {
        if (upload.status() == Upload.Status.PENDING) {
            // Also when it is under way: a copy does no harm, and whoever sends the request again may know that the
            // message is lost.
            new UploadPart(upload.id(), upload.progress().parts() + 1).send(app);
        }
        return Endpoint.json(request, 202, UploadJson.of(upload))
                .header(
                        "Location",
                        uploads(request.getUri()) + "/" + upload.id().id())
                .build();
    }

    /**
     * The same for CSV alone. A client that is generated from {@code openapi.json} sends one kind of body in one call.
     */
    @FunctionName("UploadCsv")
    public HttpResponseMessage uploadCsv(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.POST,
                            route = "sequences/{scope}/{name}/batches" + FOR_CSV,
                            authLevel = AuthorizationLevel.FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return Endpoint.answer(request, () -> {
            UploadBody.requireCsv(request);
            return uploadBatch(request, scope, name);
        });
    }

    /** The path under which uploads are read. */
    private static String uploads(URI called) {
        String path = called.getRawPath().replaceFirst("/$", "");
        return path.endsWith(FOR_CSV) ? path.substring(0, path.length() - FOR_CSV.length()) : path;
    }

    /** The same for the same request. */
    private static String fingerprint(HttpRequestMessage<Optional<String>> request, Query query) {
        return fingerprint(
                request,
                query,
                List.of(UploadBody.KEY_COLUMN, UploadBody.DATE_COLUMN, UploadBody.RESERVE, UploadBody.SEPARATOR));
    }

    /** The same for a request with the same body and the same of these parameters. */
    static String fingerprint(HttpRequestMessage<Optional<String>> request, Query query, List<String> parameters) {
        // As JSON, in which a column named null is another than none, and no name runs on into the next.
        List<@Nullable String> form = new ArrayList<>();
        form.add(request.getHeaders().get("content-type"));
        parameters.forEach(parameter -> form.add(query.text(parameter)));
        return Sha256.hex(Json.of(form).toString(), RequestBody.text(request));
    }
}
