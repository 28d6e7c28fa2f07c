package dev.numera.functions.queue;

import dev.numera.azure.MessageQueue;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a client put JSON into a queue message: as it is, or in Base64, as some clients do by default. The answer goes
 * the same way.
 *
 * <p>A copy that the app itself puts back has a first line more, in the same encoding, with the time at which the
 * original was inserted: <code>{"insertedAt": "2026-11-21T12:40:00Z"}</code>. Its length divides by three, so that in
 * Base64 too the original follows it character for character.
 *
 * @param original the message without that line, as its sender put it into the queue
 * @param content what was in it, not yet known to be JSON
 * @param firstInsertedAt of a copy, as it says; null for any other message
 */
public record Envelope(String original, String content, boolean isBase64, @Nullable Instant firstInsertedAt) {
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final String INSERTED_AT = "insertedAt";
    private static final Pattern FIRST_LINE = Pattern.compile("\\{\"insertedAt\": \"([-:TZ\\d]{20})\"}\n");
    private static final int FIRST_LINE_BYTES = firstLine(Instant.EPOCH).length();
    private static final int FIRST_LINE_IN_BASE64 = FIRST_LINE_BYTES / 3 * 4;
    /** Both times are the queue service's own. */
    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(5);
    /** A copy does not expire, and may wait as long as its sequence is suspended. */
    private static final Duration LONGEST_WAIT = Duration.ofDays(3_660);

    /** Whatever begins with a brace is taken as it is, since no Base64 does; so is what is no Base64 of a text. */
    static Envelope open(String message) {
        Instant plain = firstInsertedAt(start(message, FIRST_LINE_BYTES));
        if (plain != null) {
            return open(message.substring(FIRST_LINE_BYTES), plain);
        }
        Instant encoded = firstInsertedAt(decodedOrEmpty(start(message, FIRST_LINE_IN_BASE64)));
        return encoded == null ? open(message, null) : open(message.substring(FIRST_LINE_IN_BASE64), encoded);
    }

    private static Envelope open(String original, @Nullable Instant firstInsertedAt) {
        if (!original.stripLeading().startsWith("{")) {
            try {
                return new Envelope(original, withoutMark(decode(original)), true, firstInsertedAt);
            } catch (IllegalArgumentException | CharacterCodingException e) {
                // Falls through: it is no Base64, or not of a text.
            }
        }
        return new Envelope(original, withoutMark(original), false, firstInsertedAt);
    }

    private static String start(String message, int length) {
        return message.substring(0, Math.min(length, message.length()));
    }

    private static String decodedOrEmpty(String base64) {
        try {
            return decode(base64);
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return "";
        }
    }

    private static @Nullable Instant firstInsertedAt(String firstLine) {
        Matcher line = FIRST_LINE.matcher(firstLine);
        try {
            return line.matches() ? Instant.parse(line.group(1)) : null;
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    private static String firstLine(Instant insertedAt) {
        return "{\"" + INSERTED_AT + "\": \"" + insertedAt.truncatedTo(ChronoUnit.SECONDS) + "\"}\n";
    }

    boolean isCopy() {
        return firstInsertedAt != null;
    }

    /**
     * When the original was put into the queue. Anyone who may add messages can write the first line of a copy.
     *
     * @param insertedAt when this message was put there
     * @throws ProblemException {@code invalid-request} for a time that no copy can have
     */
    Instant sentAt(Instant insertedAt) {
        if (firstInsertedAt == null) {
            return insertedAt;
        }
        if (firstInsertedAt.isAfter(insertedAt.plus(CLOCKS_DIFFER))
                || firstInsertedAt.isBefore(insertedAt.minus(LONGEST_WAIT))) {
            throw InvalidRequest.because(
                    INSERTED_AT,
                    "is " + firstInsertedAt + ", which must be at most " + LONGEST_WAIT.toDays()
                            + " days before the time at which the message was put into the queue, " + insertedAt
                            + ", and not after it: send the message without its first line");
        }
        return firstInsertedAt;
    }

    /**
     * The message that takes this one's place, in the same encoding.
     *
     * @param sentAt as {@link #sentAt} returns it
     * @return empty where it would be larger than {@link MessageQueue#MAX_MESSAGE_BYTES}
     */
    Optional<String> copy(Instant sentAt) {
        String copy = seal(firstLine(sentAt)) + original;
        return copy.getBytes(StandardCharsets.UTF_8).length > MessageQueue.MAX_MESSAGE_BYTES
                ? Optional.empty()
                : Optional.of(copy);
    }

    /** The message with this text in it. */
    String seal(String text) {
        return isBase64 ? Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)) : text;
    }

    /** How many bytes {@link #seal} may take, so that a message can hold the outcome: Base64 makes four of three. */
    int capacityBytes() {
        return isBase64 ? MessageQueue.MAX_MESSAGE_BYTES / 4 * 3 : MessageQueue.MAX_MESSAGE_BYTES;
    }

    /** Command line tools wrap Base64 into lines. */
    private static String decode(String message) throws CharacterCodingException {
        byte[] bytes = Base64.getDecoder().decode(message.replaceAll("\\s", ""));
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }

    /** A text without the mark that some programs put before it. */
    public static String withoutMark(String text) {
        return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    }
}
