package dev.numera.functions.batch;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.batch.Upload;
import dev.numera.functions.App;
import dev.numera.functions.Json;
import dev.numera.model.SequenceName;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;

/**
 * The message by which the app asks itself to number a part of an upload, or to let it in.
 *
 * @param part counted from 1
 */
public record UploadPart(Upload.Id upload, int part) {
    private static final String UPLOAD = "upload";
    private static final String IMPORT = "import";
    private static final String SCOPE = "scope";
    private static final String NAME = "name";
    private static final String PART = "part";

    /** Whether a message is meant to be one. */
    static boolean isMeant(JsonNode json) {
        return json.has(UPLOAD) || json.has(IMPORT);
    }

    /** @throws ProblemException {@code invalid-request} if it was not made by {@link #toMessage} */
    static UploadPart of(JsonNode json) {
        JsonNode part = json.path(PART);
        if (!part.canConvertToInt()) {
            throw InvalidRequest.because(PART, "must be a number");
        }
        SequenceName sequence =
                new SequenceName(json.path(SCOPE).asText(), json.path(NAME).asText());
        Upload.Kind kind = json.has(IMPORT) ? Upload.Kind.IMPORT : Upload.Kind.BATCH;
        String field = field(kind);
        Upload.Id upload = Upload.Id.parse(sequence, kind, json.path(field).asText())
                .orElseThrow(() -> InvalidRequest.because(field, "must be the id of an upload"));
        return new UploadPart(upload, part.intValue());
    }

    void send(App app) {
        app.storage().queue(Queues.REQUESTS).send(toMessage());
    }

    public String toMessage() {
        return Json.object()
                .put(field(upload.kind()), upload.id())
                .put(SCOPE, upload.sequence().scope())
                .put(NAME, upload.sequence().name())
                .put(PART, part)
                .toString();
    }

    private static String field(Upload.Kind kind) {
        return kind == Upload.Kind.IMPORT ? IMPORT : UPLOAD;
    }
}
