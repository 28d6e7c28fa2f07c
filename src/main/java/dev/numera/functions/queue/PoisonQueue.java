package dev.numera.functions.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.numera.azure.MessageQueue;
import dev.numera.core.problem.Excerpt;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.CharacterBudget;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.Deadline;
import dev.numera.functions.App;
import dev.numera.functions.Queues;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The failed messages in the queue {@value Queues#POISON}: an operator lists, requeues or drops them. An interruption
 * loses no message. At worst a message is requeued twice, which is harmless because each key gets its numbers once.
 * Thread-safe; calls block for storage requests.
 */
public final class PoisonQueue {
    /**
     * A failed message, and what would happen if it were requeued.
     *
     * @param content the message without its encoding
     * @param canRequeue false if the message can only be dropped, because it is invalid, or because it has no date and
     *     its first line states an impossible one
     * @param problem the problem that the message would have now; empty if its keys could be numbered
     */
    public record Look(
            MessageQueue.Message message, String content, boolean canRequeue, Optional<ProblemException> problem) {}

    /** The time zone where each day begins first. */
    private static final ZoneOffset EARLIEST_DAY = ZoneOffset.MAX;

    /**
     * Limits the time for judging messages. The last message may take its own deadline longer; together this is far
     * below the time that the front end waits for an answer.
     */
    private static final Duration JUDGED_WITHIN = Duration.ofSeconds(20);

    private final App app;
    private final Clock time;

    public PoisonQueue(App app) {
        this(app, Clock.SYSTEM);
    }

    PoisonQueue(App app, Clock time) {
        this.app = app;
        this.time = time;
    }

    private MessageQueue queue() {
        return app.storage().queue(Queues.POISON);
    }

    /** Returns the approximate number of failed messages. */
    public long approximateCount() {
        return queue().approximateCount();
    }

    /**
     * Returns the first {@value MessageQueue#AT_ONCE} messages, each with the problem that it would have if it were
     * requeued now. Messages that slow storage leaves unjudged after 20 s have the problem {@code storage-unavailable}.
     * Takes no message out of the queue.
     *
     * @param share holds the texts of the messages
     * @throws ProblemException {@code storage-unavailable} if the queue itself cannot be read; {@code overloaded}
     */
    public List<Look> look(CharacterBudget.Share share) {
        Deadline deadline = Deadline.in(JUDGED_WITHIN, time);
        List<MessageQueue.Message> messages = queue().peek();
        share.hold(
                messages.stream().mapToLong(message -> message.text().length()).sum());
        return messages.stream().map(message -> look(message, deadline)).toList();
    }

    private Look look(MessageQueue.Message message, Deadline deadline) {
        Envelope envelope = Envelope.open(message.text());
        QueueMessage.Content requested = QueueMessage.read(envelope.content()).content();
        if (requested instanceof QueueMessage.Refused refused) {
            return new Look(message, envelope.content(), false, Optional.of(refused.problem()));
        }
        if (isDateLeftOut(requested)) {
            Result<Instant> sentAt = Result.unlessTrouble(() -> envelope.sentAt(message.insertedAt()));
            if (sentAt.isRefused()) {
                return new Look(message, envelope.content(), false, Optional.of(sentAt.refusal()));
            }
        }
        return new Look(
                message, envelope.content(), true, problem(requested, envelope, message.insertedAt(), deadline));
    }

    /** Whether a message means the day on which it was first sent. */
    private static boolean isDateLeftOut(QueueMessage.Content requested) {
        return requested instanceof QueueMessage.OfBatch ofBatch && ofBatch.date() == null;
    }

    private Optional<ProblemException> problem(
            QueueMessage.Content requested, Envelope envelope, Instant insertedAt, Deadline deadline) {
        if (deadline.isOver()) {
            return Optional.of(new ProblemException(
                    ProblemType.STORAGE_UNAVAILABLE,
                    "The problem of this message is unknown: storage is slow, and checking the messages before it took"
                            + " longer than "
                            + JUDGED_WITHIN.toSeconds() + " s. Read the list again."));
        }
        return foreseen(requested, envelope, insertedAt);
    }

    /**
     * Returns the problem that a message would have. A failure is the problem of that message only, so that one
     * sequence does not hide the messages of others.
     */
    private Optional<ProblemException> foreseen(QueueMessage.Content requested, Envelope envelope, Instant insertedAt) {
        try {
            if (requested instanceof QueueMessage.OfPart part) {
                return app.uploads().foreseen(part.upload(), part.part());
            }
            if (requested instanceof QueueMessage.OfBatch ofBatch) {
                return app.batches().foreseen(ofBatch.sequence(), ofBatch.requests(), envelope.sentAt(insertedAt));
            }
        } catch (ProblemException e) {
            return Optional.of(e);
        }
        throw new IllegalStateException(
                "No code forecasts messages of the type " + requested.getClass() + ": add it to PoisonQueue.");
    }

    /**
     * Sends a message to {@value Queues#REQUESTS} again, with the date that its sender meant, and deletes it here.
     *
     * @param date for a batch that names no date; null for any other message
     * @throws ProblemException {@code unknown-message}; {@code invalid-request} if the date is missing, superfluous or
     *     too late, or the message is invalid; {@code too-large} if the message does not fit with the date;
     *     {@code storage-unavailable} if the message may or may not have been sent, and is visible here again within 30
     *     s
     */
    public void putBack(String id, @Nullable LocalDate date) {
        MessageQueue poison = queue();
        MessageQueue.Message message = poison.take(id).orElseThrow(() -> unknown(id));
        try {
            app.storage().queue(Queues.REQUESTS).send(dated(message, date));
        } catch (ProblemException e) {
            giveBack(message);
            throw e;
        }
        poison.delete(message);
    }

    private void giveBack(MessageQueue.Message message) {
        try {
            queue().giveBack(message);
        } catch (ProblemException e) {
            // Ignored: the message becomes visible again by itself, and the caller gets the first failure.
        }
    }

    /**
     * Deletes a message.
     *
     * @throws ProblemException {@code unknown-message}, {@code storage-unavailable}
     */
    public void drop(String id) {
        MessageQueue poison = queue();
        poison.delete(poison.take(id).orElseThrow(() -> unknown(id)));
    }

    private static String dated(MessageQueue.Message message, @Nullable LocalDate date) {
        Envelope envelope = Envelope.open(message.text());
        QueueMessage.Content requested = QueueMessage.read(envelope.content()).content();
        if (requested instanceof QueueMessage.Refused refused) {
            throw InvalidRequest.because(
                    "id",
                    "names a message that can only be dropped, because it is invalid ("
                            + refused.problem().getMessage() + ")");
        }
        if (isDateLeftOut(requested)) {
            return dated(envelope, date, envelope.sentAt(message.insertedAt()));
        }
        if (date != null) {
            throw InvalidRequest.because("date", "must be left out: the message, or its upload, already has a date");
        }
        return envelope.original();
    }

    /** Inserts the date before the message's other fields, whose text stays unchanged. */
    private static String dated(Envelope envelope, @Nullable LocalDate date, Instant insertedAt) {
        if (date == null) {
            throw InvalidRequest.because(
                    "date",
                    "is missing: the message has no date and means the day on which it was first sent, at the latest "
                            + LocalDate.ofInstant(insertedAt, ZoneOffset.UTC) + " (UTC)");
        }
        if (date.isAfter(LocalDate.ofInstant(insertedAt, EARLIEST_DAY))) {
            throw InvalidRequest.because(
                    "date", "is " + date + ", but the message was sent at the latest at " + insertedAt);
        }
        String content = envelope.content();
        String fields = content.substring(content.indexOf('{') + 1);
        String dated = envelope.seal("{\"" + QueueMessage.DATE + "\": \"" + date + "\", " + fields);
        if (dated.getBytes(UTF_8).length > MessageQueue.MAX_MESSAGE_BYTES) {
            throw new ProblemException(
                    ProblemType.TOO_LARGE,
                    "With a date the message would be larger than " + MessageQueue.MAX_MESSAGE_BYTES
                            + " bytes. Send its keys again in two messages with the date, and drop it.");
        }
        return dated;
    }

    private static ProblemException unknown(String id) {
        return new ProblemException(
                ProblemType.UNKNOWN_MESSAGE,
                "There is no message " + Excerpt.of(id) + " in the queue " + Queues.POISON
                        + ": it was deleted, is hidden for some seconds by another request, or is behind hundreds of others."
                        + " Read the list again.");
    }
}
