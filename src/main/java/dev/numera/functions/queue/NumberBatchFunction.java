package dev.numera.functions.queue;

import com.microsoft.azure.functions.ExecutionContext;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.QueueTrigger;
import dev.numera.azure.MessageQueue;
import dev.numera.azure.StorageConnection;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.PrintableText;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.CharacterBudget;
import dev.numera.functions.App;
import dev.numera.functions.Queues;
import dev.numera.sequences.access.Bulkhead;
import dev.numera.sequences.lists.ListWork;
import dev.numera.sequences.lists.RowResult;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.logging.Logger;

/**
 * Numbers the batches of the queue {@value Queues#REQUESTS} and sends the results to {@value Queues#RESULTS}. Does not
 * use output bindings: the host sends their messages after the function has returned, and rewrites everything that
 * looks like JSON.
 */
public final class NumberBatchFunction {
    /**
     * Makes the host deliver the message again. The host logs this exception, so its message contains everything that
     * matters. It has no stack trace, which would make a planned retry look like a defect, and no cause, because the
     * Java worker would log the cause instead of the message.
     */
    static final class NotNow extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private NotNow(String message) {
            super(message, null, false, false);
        }
    }

    /** A message with its properties, as the host delivers it. */
    private record Delivery(
            Envelope envelope,
            QueueMessage message,
            String messageId,
            String dequeueCount,
            String insertionTime,
            Logger log) {
        /**
         * Describes the message for a log line. For a copy it includes the original's age, which a copy's text in the
         * poison queue does not show.
         */
        String named() {
            String firstInserted =
                    envelope.isCopy() ? " (first put into the queue at " + envelope.firstInsertedAt() + ")" : "";
            return "Message " + id() + firstInserted + " for " + message.sequence();
        }

        /**
         * Returns the sender's id, or the queue's. The host finds the sender's id only in a message that is a single
         * plain JSON value, not in a copy or in Base64.
         */
        private String id() {
            String own = message.id().orElse("");
            String id = isForLog(own) ? own : messageId.replace("\"", "");
            return isForLog(id) ? id : "with an invalid id";
        }

        /** Whether an id may be logged. A valid id contains no line break. */
        private static boolean isForLog(String id) {
            return PrintableText.KEY.flaw(id).isEmpty();
        }

        boolean isFirst() {
            return count() <= 1;
        }

        boolean isLast() {
            return count() >= Queues.MAX_DELIVERIES;
        }

        private long count() {
            try {
                return Long.parseLong(dequeueCount.replace("\"", ""));
            } catch (NumberFormatException e) {
                throw new IllegalStateException(
                        "The host sent no count of the message's deliveries, but " + dequeueCount, e);
            }
        }

        /** @throws ProblemException {@code invalid-request} for a forged copy */
        Instant sentAt() {
            return envelope.sentAt(instant(insertionTime));
        }

        /**
         * Returns how long the message waits. Each wait is about twice as long as all earlier waits together: a busy
         * sequence soon finishes a burst of messages, but a suspended or unresponsive one may take hours.
         *
         * @param random from 0 to 1
         * @return from 1 second to 36
         * @throws ProblemException as {@link #sentAt}
         */
        Duration nextWait(double random) {
            Instant insertedAt = instant(insertionTime);
            long waited =
                    Duration.between(envelope.sentAt(insertedAt), insertedAt).toSeconds();
            long seconds = Math.max(1, Math.min(1 + 2 * waited, LONGEST_WAIT_SECONDS));
            return Duration.ofSeconds(seconds + (long) (random * (1 + seconds / 5)));
        }
    }

    private static final int LONGEST_WAIT_SECONDS = 30;
    /** The slots of this process. Static, because the host creates a new instance of this class for each message. */
    private static final Bulkhead SLOTS = new Bulkhead(Queues.SLOTS_FOR_EACH_SEQUENCE);

    private final App app;
    private final DoubleSupplier random;
    private final Bulkhead slots;

    public NumberBatchFunction(App app) {
        this(app, () -> ThreadLocalRandom.current().nextDouble(), SLOTS);
    }

    /**
     * @param random from 0 to 1, to spread messages that are put back at the same time
     * @param slots limits the messages of each sequence that this process handles at once
     */
    NumberBatchFunction(App app, DoubleSupplier random, Bulkhead slots) {
        this.app = app;
        this.random = random;
        this.slots = slots;
    }

    /**
     * Returns when the batch is numbered and answered, put back, or refused permanently.
     *
     * @param messageId the {@code id} in the message if the host finds one, otherwise the queue's id
     * @param dequeueCount how often the message was delivered, including this time
     * @param insertionTime when the message was put into the queue, as JSON
     * @throws NotNow the service failed, or the answer could not be sent; the batch itself may be valid
     * @throws ProblemException a refused batch could not be moved to the poison queue
     */
    @FunctionName("NumberBatch")
    public void numberBatch(
            @QueueTrigger(name = "message", queueName = Queues.REQUESTS, connection = StorageConnection.NAME)
                    String message,
            @BindingName("Id") String messageId,
            @BindingName("DequeueCount") String dequeueCount,
            @BindingName("InsertionTime") String insertionTime,
            ExecutionContext context) {
        Envelope envelope = Envelope.open(message);
        Delivery delivery = new Delivery(
                envelope,
                QueueMessage.read(envelope.content()),
                messageId,
                dequeueCount,
                insertionTime,
                context.getLogger());
        try {
            number(delivery);
        } catch (ProblemException e) {
            if (!e.isTroubleOfTheService()) {
                reject(delivery, e);
            } else if (envelope.isCopy() && delivery.isLast()) {
                poisonOriginal(delivery, e);
            } else {
                throw new NotNow(delivery.named() + " is left in the queue and will be delivered again. "
                        + delivery.message().forLog(e));
            }
        }
    }

    private void reject(Delivery delivery, ProblemException problem) {
        Envelope envelope = delivery.envelope();
        QueueMessage message = delivery.message();
        delivery.log()
                .warning(delivery.named() + " is refused and goes to the queue " + Queues.POISON + ": "
                        + problem.type().urn() + ". " + message.forLog(problem));
        app.storage().queue(Queues.POISON).send(envelope.original());
        if (message.hasId()) {
            app.storage()
                    .queue(Queues.RESULTS)
                    .send(envelope.seal(answer(message, envelope).rejected(problem)));
        }
    }

    /** Moves the original to the poison queue. Without this, the host would move the copy with its extra line. */
    private void poisonOriginal(Delivery delivery, ProblemException problem) {
        delivery.log()
                .warning(delivery.named() + " was delivered " + Queues.MAX_DELIVERIES
                        + " times and goes to the queue " + Queues.POISON + ". "
                        + delivery.message().forLog(problem));
        app.storage().queue(Queues.POISON).send(delivery.envelope().original());
    }

    private void number(Delivery delivery) {
        // Checked first: an app with wrong settings or missing tables must not refuse any message.
        ListWork batches = app.batches();
        QueueMessage.Content requested = delivery.message().content();
        if (requested instanceof QueueMessage.Refused refused) {
            throw refused.problem();
        } else if (requested instanceof QueueMessage.OfPart part) {
            inASlot(delivery, part.upload().sequence(), () -> work(part));
        } else if (requested instanceof QueueMessage.OfBatch ofBatch) {
            Instant sentAt = delivery.sentAt();
            SequenceName sequence = ofBatch.sequence();
            inASlot(delivery, sequence, () -> answer(delivery, batches.number(sequence, ofBatch.requests(), sentAt)));
        } else {
            throw new IllegalStateException("No code processes messages of the type " + requested.getClass()
                    + ": add it to NumberBatchFunction.number.");
        }
    }

    private void inASlot(Delivery delivery, SequenceName sequence, Runnable number) {
        boolean hasSlot = slots.call(
                sequence,
                () -> {
                    orPutBack(delivery, number);
                    return true;
                },
                () -> false);
        if (!hasSlot) {
            putBack(delivery, Queues.SLOTS_FOR_EACH_SEQUENCE + " messages of its sequence are already being processed");
        }
    }

    /**
     * Runs the work, and puts the message back if its sequence is suspended. Numbers that were already written stay,
     * and the message gets the same ones when it is delivered again.
     */
    private void orPutBack(Delivery delivery, Runnable number) {
        try {
            number.run();
        } catch (ProblemException e) {
            if (e.type() != ProblemType.SUSPENDED) {
                throw e;
            }
            putBack(delivery, "its sequence is suspended");
        }
    }

    /**
     * Replaces a message by a copy that is hidden for a while, so that waiting does not count as a failed delivery. A
     * message that was delivered before may already have a copy, if a process ended before the host deleted the
     * message. It is therefore left to the host instead. Its last delivery still makes a copy, so that no message
     * reaches the poison queue only because it had to wait.
     *
     * @throws ProblemException {@code overloaded} to make the host deliver the message again; or the copy could not be
     *     sent
     */
    private void putBack(Delivery delivery, String why) {
        if (!delivery.isFirst() && !delivery.isLast()) {
            throw waits(why + ".");
        }
        String copy = delivery.envelope()
                .copy(delivery.sentAt())
                .orElseThrow(() -> waits(why + ", and the message is too large for a copy that waits."));
        Duration hidden = delivery.nextWait(random.getAsDouble());
        app.storage().queue(Queues.REQUESTS).sendHidden(copy, hidden);
        delivery.log().info(delivery.named() + " is put back for " + hidden.toSeconds() + " s, because " + why + ".");
    }

    private static ProblemException waits(String why) {
        return new ProblemException(ProblemType.OVERLOADED, "It has to wait, because " + why);
    }

    /**
     * Sends the results.
     *
     * @throws ProblemException {@code overloaded}; the message is delivered again and gets the same numbers
     */
    private void answer(Delivery delivery, List<RowResult<NumberRequest>> items) {
        Envelope envelope = delivery.envelope();
        MessageQueue results = app.storage().queue(Queues.RESULTS);
        try (CharacterBudget.Share share = CharacterBudget.OF_THE_PROCESS.open()) {
            share.hold(Math.min(ResultParts.characters(items), CharacterBudget.OF_THE_PROCESS.characters()));
            answer(delivery.message(), envelope).parts(items).forEach(text -> results.send(envelope.seal(text)));
        }
    }

    private static ResultParts answer(QueueMessage message, Envelope envelope) {
        return new ResultParts(message.echo(), envelope.capacityBytes());
    }

    /** Processes a part of an upload, and only then requests the next part. */
    private void work(QueueMessage.OfPart part) {
        OptionalInt next = app.uploads().work(part.upload(), part.part());
        next.ifPresent(number ->
                app.storage().queue(Queues.REQUESTS).send(new QueueMessage.OfPart(part.upload(), number).toMessage()));
    }

    /** Parses a time that the host sends as JSON, in quotes. */
    private static Instant instant(String insertionTime) {
        try {
            return OffsetDateTime.parse(insertionTime.replace("\"", "")).toInstant();
        } catch (DateTimeParseException e) {
            throw new IllegalStateException(
                    "The host sent no insertion time, which chooses the date of the batch, but " + insertionTime, e);
        }
    }
}
