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
import dev.numera.counter.SequenceName;
import dev.numera.functions.App;
import dev.numera.functions.Endpoint;
import dev.numera.functions.Query;
import dev.numera.functions.RequestBody;
import dev.numera.problem.InvalidRequest;
import java.util.Optional;
import java.util.Set;

/** {@code GET /sequences/{scope}/{name}/imports/{id}}: what has become of an import. */
public final class ReadImportFunction {
    private static final String OUTCOME = "outcome";
    private static final String REFUSED = "refused";
    private static final Set<String> PARAMETERS = Set.of(OUTCOME, "limit", "continuation");

    private final App app;

    public ReadImportFunction(App app) {
        this.app = app;
    }

    @FunctionName("ReadImport")
    public HttpResponseMessage readImport(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.GET,
                            route = "sequences/{scope}/{name}/imports/{id}",
                            authLevel = AuthorizationLevel.FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name,
            @BindingName("id") String id) {
        return Endpoint.answer(request, share -> {
            Query query = Query.of(request, PARAMETERS);
            RequestBody.requireNone(request);
            UploadId imported = UploadId.parse(new SequenceName(scope, name), UploadId.Kind.IMPORT, id)
                    .orElseThrow(() -> Uploads.unknown(UploadId.Kind.IMPORT, id));
            boolean isRefusedOnly = isRefusedOnly(query);
            String pagesOf = imported + (isRefusedOnly ? " " + REFUSED : "");
            int limit = query.number("limit", 100, 1, 1_000);
            Uploads.Position from = UploadEndpoint.position(query, pagesOf);
            Upload upload = app.uploads().get(imported);
            if (upload.status() == Upload.Status.PENDING) {
                return UploadEndpoint.pending(app, request, upload);
            }
            Uploads.Page page = isRefusedOnly
                    ? app.uploads().readRefused(upload, from, limit)
                    : app.uploads().read(upload, from, limit);
            share.hold(page.characters());
            ObjectNode json = UploadJson.withRows(UploadJson.of(upload), upload.layout(), page.items());
            return UploadEndpoint.page(request, json, page.next(), pagesOf);
        });
    }

    private static boolean isRefusedOnly(Query query) {
        String outcome = query.text(OUTCOME);
        if (outcome != null && !outcome.equals(REFUSED)) {
            throw InvalidRequest.because(OUTCOME, "must be " + REFUSED + ", or be left out");
        }
        return outcome != null;
    }
}
