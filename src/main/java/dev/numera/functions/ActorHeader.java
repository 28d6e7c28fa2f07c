package dev.numera.functions;

import dev.numera.problem.InvalidRequest;
import dev.numera.problem.PrintableText;
import dev.numera.problem.ProblemException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The header {@code Numera-Actor}: who makes a call, as the caller stated and unverified. A header has ASCII only, so a
 * name in any other script is UTF-8 with each byte as a percent sign and two hexadecimal digits.
 */
final class ActorHeader {
    private static final String HEADER = "Numera-Actor";
    private static final int HEXADECIMAL = 16;

    private ActorHeader() {}

    /**
     * Null without the header.
     *
     * @param headers by their names in lower case, as the host passes them
     * @throws ProblemException {@code invalid-request}
     */
    static @Nullable String from(Map<String, String> headers) {
        String value = headers.get("numera-actor");
        if (value == null) {
            return null;
        }
        if (!value.chars().allMatch(unit -> unit >= ' ' && unit <= '~')) {
            throw InvalidRequest.because(
                    HEADER, "must have printable ASCII characters only: percent-encode others as UTF-8");
        }
        String actor = decode(value);
        PrintableText.ACTOR.require(HEADER, actor);
        return actor;
    }

    private static String decode(String value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(value.length());
        for (int at = 0; at < value.length(); at++) {
            if (value.charAt(at) == '%') {
                bytes.write(octet(value, at));
                at += 2;
            } else {
                bytes.write(value.charAt(at));
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw malformed();
        }
    }

    private static int octet(String value, int percentAt) {
        int high = digit(value, percentAt + 1);
        int low = digit(value, percentAt + 2);
        if (high < 0 || low < 0) {
            throw malformed();
        }
        return high * HEXADECIMAL + low;
    }

    /** Negative where there is none. */
    private static int digit(String value, int at) {
        return at < value.length() ? Character.digit(value.charAt(at), HEXADECIMAL) : -1;
    }

    private static ProblemException malformed() {
        return InvalidRequest.because(
                HEADER,
                "must be percent-encoded UTF-8: after each % the two hexadecimal digits of a byte, and %25 for % itself");
    }
}
