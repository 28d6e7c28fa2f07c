package dev.numera.functions.batch;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.batch.UploadId;
import dev.numera.counter.SequenceName;
import dev.numera.functions.Json;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;

/**
 * The message by which the app asks itself to number a part of an upload.
 *
 * @param part counted from 1
 */
public record UploadPart(UploadId upload, int part) {
    static final String UPLOAD = "upload";
    private static final String SCOPE = "scope";
    private static final String NAME = "name";
    private static final String PART = "part";

    /** @throws ProblemException {@code invalid-request} if it was not made by {@link #toMessage} */
    static UploadPart of(JsonNode json) {
        JsonNode part = json.path(PART);
        if (!part.canConvertToInt()) {
            throw InvalidRequest.because(PART, "must be a number");
        }
        SequenceName sequence =
                new SequenceName(json.path(SCOPE).asText(), json.path(NAME).asText());
        UploadId upload = UploadId.parse(sequence, json.path(UPLOAD).asText())
                .orElseThrow(() -> InvalidRequest.because(UPLOAD, "must be the id of an upload"));
        return new UploadPart(upload, part.intValue());
    }

    public String toMessage() {
        return Json.object()
                .put(UPLOAD, upload.id())
                .put(SCOPE, upload.sequence().scope())
                .put(NAME, upload.sequence().name())
                .put(PART, part)
                .toString();
    }
}
