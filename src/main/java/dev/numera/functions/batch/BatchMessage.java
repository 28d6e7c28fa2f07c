package dev.numera.functions.batch;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.batch.Batch;
import dev.numera.functions.Json;
import dev.numera.model.Ask;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/** What a message of the queue {@value Queues#REQUESTS} asks for. */
sealed interface BatchMessage {
    String OBJECT = "must be a JSON object, plain or in Base64";

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

    /** Why the message was refused, in one line without its keys, which are not for a log: details quote them. */
    default String forLog(ProblemException problem) {
        String detail =
                this instanceof Refused refused && refused.problem() == problem ? refused.why() : problem.getMessage();
        if (this instanceof OfBatch ofBatch) {
            for (Ask ask : ofBatch.batch().asks()) {
                detail = detail.replace("'" + ask.key() + "'", "'...'");
            }
        }
        return detail.codePoints()
                .map(character -> Character.isISOControl(character) ? ' ' : character)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** A batch to be numbered and answered. */
    record OfBatch(Sender sender, Batch batch) implements BatchMessage {
        /** The one that the message names for all its keys; null for the day on which it was sent. */
        @Nullable
        LocalDate date() {
            return batch.asks().get(0).date();
        }
    }

    /** A part of an upload to be numbered. */
    record OfUpload(Sender sender, UploadPart part) implements BatchMessage {}

    /**
     * It cannot be understood.
     *
     * @param why as the problem's detail, for a log
     */
    record Refused(Sender sender, ProblemException problem, String why) implements BatchMessage {}

    static BatchMessage read(String content) {
        JsonNode json;
        try {
            json = Json.read(content);
        } catch (JsonProcessingException e) {
            return notJson(e);
        }
        Sender sender = new Sender(BatchJson.echo(json), BatchJson.sequenceForLog(json));
        try {
            if (!json.isObject()) {
                throw InvalidRequest.because("message", OBJECT);
            }
            return UploadPart.isMeant(json)
                    ? new OfUpload(sender, UploadPart.of(json))
                    : new OfBatch(sender, BatchJson.read(json).batch());
        } catch (ProblemException e) {
            return new Refused(sender, e, UploadPart.isMeant(json) ? e.getMessage() : BatchJson.refusalForLog(json, e));
        }
    }

    /** Says where, not what: the text may be a key. */
    private static Refused notJson(JsonProcessingException e) {
        JsonNode none = MissingNode.getInstance();
        JsonLocation at = e.getLocation();
        String where =
                at == null || at.getLineNr() < 1 ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
        ProblemException problem = InvalidRequest.because("message", "is not JSON" + where + ": it " + OBJECT);
        return new Refused(
                new Sender(BatchJson.echo(none), BatchJson.sequenceForLog(none)), problem, problem.getMessage());
    }
}
