package dev.numera.functions.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.numera.azure.MessageQueue;
import dev.numera.core.problem.Excerpt;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
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
 * The messages that lie in {@value Queues#POISON}: what each would meet now, and what an operator does with it. An
 * interruption loses none: at worst one is put back twice, and its keys are numbered once. Thread-safe; calls block for
 * storage requests.
 */
public final class PoisonQueue {
    /**
     * @param content what is in the message, Base64 undone
     * @param canRequeue false where it cannot be understood, so that it can only be dropped
     * @param problem empty where it could be numbered
     */
    public record Look(
            MessageQueue.Message message, String content, boolean canRequeue, Optional<ProblemException> problem) {}

    /** Where a day begins first. */
    private static final ZoneOffset EARLIEST_DAY = ZoneOffset.MAX;

    /** The last one begun may take its own deadline more: far less than the front end waits for an answer. */
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

    /** As far as the service knows. */
    public long approximateCount() {
        return queue().approximateCount();
    }

    /**
     * The first {@value MessageQueue#AT_ONCE}, each with what it would meet if it were put back now. Where storage is
     * so slow that some are not judged within 20 s, their problem is {@code storage-unavailable}. Consumes nothing.
     *
     * @param share holds the texts of the messages
     * @throws ProblemException {@code storage-unavailable}: the queue itself could not be looked into;
     *     {@code overloaded}
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
        return requested instanceof QueueMessage.Refused refused
                ? new Look(message, envelope.content(), false, Optional.of(refused.problem()))
                : new Look(
                        message,
                        envelope.content(),
                        true,
                        problem(requested, envelope, message.insertedAt(), deadline));
    }

    private Optional<ProblemException> problem(
            QueueMessage.Content requested, Envelope envelope, Instant insertedAt, Deadline deadline) {
        if (deadline.isOver()) {
            return Optional.of(new ProblemException(
                    ProblemType.STORAGE_UNAVAILABLE,
                    "Its problem is unknown: storage is slow, and the messages before it took longer than "
                            + JUDGED_WITHIN.toSeconds() + " s. Look again."));
        }
        return foreseen(requested, envelope, insertedAt);
    }

    /** A failure of one sequence does not hide the messages of the others. */
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
     * Puts a message back into {@value Queues#REQUESTS}, with the date that it meant, and takes it from here.
     *
     * @param date of a batch that names none; null for any other message
     * @throws ProblemException {@code unknown-message}; {@code invalid-request} where the date is missing, is one too
     *     many, or would not help; {@code too-large} with the date; {@code storage-unavailable}: the message is put
     *     back or not, and lies here still, seen again within 30 s
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
            // It is seen again a little later; the caller gets the first failure.
        }
    }

    /** @throws ProblemException {@code unknown-message}, {@code storage-unavailable} */
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
                    "is of a message that can only be dropped, since no date helps it ("
                            + refused.problem().getMessage() + ")");
        }
        if (requested instanceof QueueMessage.OfBatch ofBatch && ofBatch.date() == null) {
            return dated(envelope, date, envelope.sentAt(message.insertedAt()));
        }
        if (date != null) {
            throw InvalidRequest.because("date", "must be left out: the message, or its upload, names its own");
        }
        return envelope.original();
    }

    /** The date goes before the message's other fields, which stay as they were written. */
    private static String dated(Envelope envelope, @Nullable LocalDate date, Instant insertedAt) {
        if (date == null) {
            throw InvalidRequest.because(
                    "date",
                    "is missing: the message names none and means the day on which it was first sent, which was not after "
                            + LocalDate.ofInstant(insertedAt, ZoneOffset.UTC) + " (UTC)");
        }
        if (date.isAfter(LocalDate.ofInstant(insertedAt, EARLIEST_DAY))) {
            throw InvalidRequest.because(
                    "date", "is " + date + ", but the message was first sent before it came here, at " + insertedAt);
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
                        + ": it is gone, hidden for some seconds by another search, or behind hundreds of others. Look again.");
    }
}
