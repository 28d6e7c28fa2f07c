package dev.numera.functions.batch;

import dev.numera.storage.MessageQueue;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * How a client put JSON into a queue message: as it is, or in Base64, as some clients do by default. The answer goes
 * the same way.
 *
 * @param content what was in it, not yet known to be JSON
 */
record Envelope(String content, boolean isBase64) {
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    /** Whatever begins with a brace is taken as it is, since no Base64 does; so is what is no Base64 of a text. */
    static Envelope open(String message) {
        if (!message.stripLeading().startsWith("{")) {
            try {
                return new Envelope(withoutMark(decode(message)), true);
            } catch (IllegalArgumentException | CharacterCodingException e) {
                // Falls through: it is no Base64, or not of a text.
            }
        }
        return new Envelope(withoutMark(message), false);
    }

    /** The message with this text in it. */
    String seal(String text) {
        return isBase64 ? Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)) : text;
    }

    /**
     * How many bytes {@link #seal} may be given, so that a message can hold the outcome: Base64 makes four of three.
     */
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
    static String withoutMark(String text) {
        return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    }
}
