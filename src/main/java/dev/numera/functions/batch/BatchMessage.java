package dev.numera.functions.batch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.batch.Batch;
import dev.numera.functions.Json;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;

/** What a message of the queue {@value Queues#REQUESTS} asks for. */
sealed interface BatchMessage {
    /**
     * By what an answer is known to the sender.
     *
     * @param echo of id, scope and name those that the message had, good or bad
     * @param sequence for a log
     */
    record Sender(ObjectNode echo, String sequence) {
        boolean hasId() {
            return echo.has("id");
        }
    }

    Sender sender();

    /** A batch to be numbered and answered. */
    record OfBatch(Sender sender, Batch batch) implements BatchMessage {}

    /** A part of an upload to be numbered. */
    record OfUpload(Sender sender, UploadPart part) implements BatchMessage {}

    /** It cannot be understood. */
    record Refused(Sender sender, ProblemException problem) implements BatchMessage {}

    static BatchMessage read(String content) {
        JsonNode json = MissingNode.getInstance();
        String whyUnreadable = "";
        try {
            json = Json.read(content);
        } catch (JsonProcessingException e) {
            whyUnreadable = ": " + e.getOriginalMessage();
        }
        Sender sender = new Sender(BatchJson.echo(json), BatchJson.sequence(json));
        try {
            if (!json.isObject()) {
                throw InvalidRequest.because("message", "must be a JSON object, plain or in Base64" + whyUnreadable);
            }
            return UploadPart.isMeant(json)
                    ? new OfUpload(sender, UploadPart.of(json))
                    : new OfBatch(sender, BatchJson.read(json));
        } catch (ProblemException e) {
            return new Refused(sender, e);
        }
    }
}
