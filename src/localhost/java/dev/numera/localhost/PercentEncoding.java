package dev.numera.localhost;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;

/**
 * Decodes paths and queries as the real host does: text that is not valid percent-encoding, or not valid UTF-8 when
 * decoded, stays as the client sent it. The JDK's decoder refuses such text, so the host would answer a client's typing
 * error with 500.
 */
final class PercentEncoding {
    private static final String PUNCTUATION_IN_PATHS = "-._~!$&'()*+,;=:@/%";

    private PercentEncoding() {}

    /** Decodes one segment of a path. {@code %2F} stays, so that a decoded slash never separates segments. */
    static String decodeSegment(String segment) {
        return decode(segment, false);
    }

    /** Decodes a name or value of a query, where {@code +} is a space. */
    static String decodeQuery(String part) {
        return decode(part.replace('+', ' '), true);
    }

    /** Encodes every character of a path that {@link java.net.URI} would refuse. */
    static String escapePath(String path) {
        if (isAllowedInPath(path)) {
            return path;
        }
        StringBuilder escaped = new StringBuilder(path.length() + 16);
        path.codePoints().forEach(c -> {
            if (isAllowedInPath(c)) {
                escaped.appendCodePoint(c);
            } else {
                for (byte b : Character.toString(c).getBytes(UTF_8)) {
                    escaped.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
                }
            }
        });
        return escaped.toString();
    }

    private static String decode(String text, boolean slashes) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        byte[] encoded = text.getBytes(UTF_8);
        ByteArrayOutputStream decoded = new ByteArrayOutputStream(encoded.length);
        for (int i = 0; i < encoded.length; i++) {
            int value = encoded[i] == '%' ? hexByteAt(encoded, i + 1) : -1;
            if (value < 0 || (value == '/' && !slashes)) {
                decoded.write(encoded[i]);
            } else {
                decoded.write(value);
                i += 2;
            }
        }
        try {
            return UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(decoded.toByteArray()))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            return text;
        }
    }

    private static int hexByteAt(byte[] text, int at) {
        boolean isHex = at + 1 < text.length && HexFormat.isHexDigit(text[at]) && HexFormat.isHexDigit(text[at + 1]);
        return isHex ? HexFormat.fromHexDigits(new String(text, at, 2, US_ASCII)) : -1;
    }

    private static boolean isAllowedInPath(String path) {
        for (int i = 0; i < path.length(); i++) {
            if (!isAllowedInPath(path.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAllowedInPath(int c) {
        return (c < 128 && Character.isLetterOrDigit(c)) || PUNCTUATION_IN_PATHS.indexOf(c) >= 0;
    }
}
