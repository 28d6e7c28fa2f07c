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
import dev.numera.functions.Actor;
import dev.numera.functions.App;
import dev.numera.functions.Endpoint;
import dev.numera.functions.IdempotencyKey;
import dev.numera.functions.Query;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** {@code POST /sequences/{scope}/{name}/imports}: numbers that another system has given. */
public final class ImportNumbersFunction {
    private static final Set<String> PARAMETERS = new HashSet<>(ImportBody.csvParameters());

    private final App app;

    public ImportNumbersFunction(App app) {
        this.app = app;
    }

    @FunctionName("ImportNumbers")
    public HttpResponseMessage importNumbers(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.POST,
                            route = "sequences/{scope}/{name}/imports",
                            authLevel = AuthorizationLevel.FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return Endpoint.answer(request, share -> {
            Query query = Query.of(request, PARAMETERS);
            SequenceName sequence = new SequenceName(scope, name);
            String key = IdempotencyKey.from(request.getHeaders());
            String actor = Actor.from(request.getHeaders());
            app.sequences().imports().requirePossible(sequence);
            Upload upload = app.uploads()
                    .acceptImport(
                            UploadId.of(sequence, UploadId.Kind.IMPORT, key),
                            UploadEndpoint.fingerprint(request, query, ImportBody.csvParameters()),
                            () -> ImportBody.read(request, query, share).content(),
                            actor);
            return UploadEndpoint.accepted(app, request, upload);
        });
    }
}
