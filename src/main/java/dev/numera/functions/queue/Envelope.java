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
 * A queue message as its sender wrote it: JSON, either plain or in Base64, which some clients use by default. The
 * answer uses the same encoding.
 *
 * <p>When the app puts a message back into the queue, it sends a copy. The copy starts with an extra line, in the same
 * encoding, with the time at which the original was inserted: <code>{"insertedAt":
 * "2026-11-21T12:40:00Z"}</code>. The number of bytes in this line is divisible by three, so that in Base64, too, the
 * original follows it character for character.
 *
 * @param original the message without the extra line, exactly as its sender wrote it
 * @param content the decoded message; it may not be JSON
 * @param firstInsertedAt the time in a copy's first line; null if the message is not a copy
 */
public record Envelope(String original, String content, boolean isBase64, @Nullable Instant firstInsertedAt) {
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final String INSERTED_AT = "insertedAt";
    private static final Pattern FIRST_LINE = Pattern.compile("\\{\"insertedAt\": \"([-:TZ\\d]{20})\"}\n");
    private static final int FIRST_LINE_BYTES = firstLine(Instant.EPOCH).length();
    private static final int FIRST_LINE_IN_BASE64 = FIRST_LINE_BYTES / 3 * 4;
    /** Tolerance between two times of the queue service. */
    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(5);
    /**
     * The longest time that a copy may have waited. Copies do not expire, and can wait as long as their sequence is
     * suspended.
     */
    private static final Duration LONGEST_WAIT = Duration.ofDays(3_660);

    /**
     * Reads a message. It counts as plain if it starts with a brace, which Base64 never does, or if it is not the
     * Base64 of a text.
     */
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
                // Falls through: it is not Base64, or its bytes are not a text.
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
     * Returns when the original was put into the queue. A copy's own statement is checked, because anyone who may add
     * messages can write its first line.
     *
     * @param insertedAt when this message was put into the queue
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
     * Returns the copy that replaces this message in the queue, in the same encoding.
     *
     * @param sentAt as {@link #sentAt} returns it
     * @return empty if the copy would be larger than {@link MessageQueue#MAX_MESSAGE_BYTES}
     */
    Optional<String> copy(Instant sentAt) {
        String copy = seal(firstLine(sentAt)) + original;
        return copy.getBytes(StandardCharsets.UTF_8).length > MessageQueue.MAX_MESSAGE_BYTES
                ? Optional.empty()
                : Optional.of(copy);
    }

    /** Encodes a text like this message. */
    String seal(String text) {
        return isBase64 ? Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)) : text;
    }

    /** Returns the most bytes of a text that fit a message after {@link #seal}: Base64 turns three bytes into four. */
    int capacityBytes() {
        return isBase64 ? MessageQueue.MAX_MESSAGE_BYTES / 4 * 3 : MessageQueue.MAX_MESSAGE_BYTES;
    }

    /** Decodes Base64, ignoring the line breaks that command line tools insert. */
    private static String decode(String message) throws CharacterCodingException {
        byte[] bytes = Base64.getDecoder().decode(message.replaceAll("\\s", ""));
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }

    /** Returns a text without the byte order mark that some programs write before it. */
    public static String withoutMark(String text) {
        return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    }
}
