package dev.numera.functions.batch;

import com.microsoft.azure.functions.ExecutionContext;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.QueueTrigger;
import dev.numera.batch.BatchNumbering;
import dev.numera.functions.App;
import dev.numera.problem.ProblemException;
import dev.numera.storage.MessageQueue;
import dev.numera.storage.StorageConnection;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * Numbers the batches of the queue {@value Queues#REQUESTS} and answers to {@value Queues#RESULTS}. Output bindings are
 * of no use: the host sends them after the function has returned, and parses, splits and rewrites what looks like JSON.
 */
public final class NumberBatchFunction {
    /** The message is left for the host to deliver again. */
    static final class NotNow extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private NotNow(String message, ProblemException cause) {
            super(message, cause);
        }
    }

    private final App app;

    public NumberBatchFunction(App app) {
        this.app = app;
    }

    /**
     * Returns when the batch is numbered and answered, or refused for good.
     *
     * @param messageId by which the queue knows the message
     * @param insertionTime when the message was put into the queue, as JSON
     * @throws NotNow the service is in trouble, or the answer could not be sent: the batch is not to blame
     * @throws ProblemException a batch that is refused for good could not be put away
     */
    @FunctionName("NumberBatch")
    public void numberBatch(
            @QueueTrigger(name = "message", queueName = Queues.REQUESTS, connection = StorageConnection.NAME)
                    String message,
            @BindingName("Id") String messageId,
            @BindingName("InsertionTime") String insertionTime,
            ExecutionContext context) {
        Envelope envelope = Envelope.open(message);
        BatchMessage asked = BatchMessage.read(envelope.content());
        try {
            number(asked, envelope, insertionTime);
        } catch (ProblemException e) {
            String named =
                    "Message " + named(messageId) + " for " + asked.sender().sequence();
            if (e.type().isTroubleOfTheService()) {
                throw new NotNow(named + " is left in the queue and will be delivered again. " + asked.forLog(e), e);
            }
            context.getLogger()
                    .warning(named + " is rejected and goes to the queue " + Queues.POISON + ": "
                            + e.type().urn() + ". " + asked.forLog(e));
            app.storage().queue(Queues.POISON).send(message);
            if (asked.sender().hasId()) {
                app.storage()
                        .queue(Queues.RESULTS)
                        .send(envelope.seal(answer(asked, envelope).rejected(e)));
            }
        }
    }

    private void number(BatchMessage asked, Envelope envelope, String insertionTime) {
        // Before anything else: an app that does not work judges no message.
        BatchNumbering batches = app.batches();
        if (asked instanceof BatchMessage.Refused refused) {
            throw refused.problem();
        } else if (asked instanceof BatchMessage.OfUpload ofUpload) {
            number(ofUpload.part());
        } else if (asked instanceof BatchMessage.OfBatch ofBatch) {
            List<BatchNumbering.AnsweredAsk> items = batches.number(ofBatch.batch(), instant(insertionTime));
            MessageQueue results = app.storage().queue(Queues.RESULTS);
            answer(asked, envelope).parts(items).forEach(text -> results.send(envelope.seal(text)));
        } else {
            throw new IllegalStateException("Nobody works off messages of the kind " + asked.getClass() + ".");
        }
    }

    /**
     * A field {@code Id} of the message itself goes before the queue's id, and what a sender writes is not for the log.
     */
    private static String named(String messageId) {
        try {
            return UUID.fromString(messageId.replace("\"", "")).toString();
        } catch (IllegalArgumentException e) {
            return "with an id of its own";
        }
    }

    private static BatchAnswer answer(BatchMessage asked, Envelope envelope) {
        return new BatchAnswer(asked.sender().echo(), envelope.capacityBytes());
    }

    /** Numbers a part of an upload, and only then asks for the one after it. */
    private void number(UploadPart part) {
        OptionalInt next = app.uploads().number(part.upload(), part.part());
        next.ifPresent(number -> new UploadPart(part.upload(), number).send(app));
    }

    /** The host gives a date and time as JSON, in its quotes. */
    private static Instant instant(String insertionTime) {
        try {
            return OffsetDateTime.parse(insertionTime.replace("\"", "")).toInstant();
        } catch (DateTimeParseException e) {
            throw new IllegalStateException(
                    "The host gave no insertion time, which chooses the date of the batch, but " + insertionTime, e);
        }
    }
}
