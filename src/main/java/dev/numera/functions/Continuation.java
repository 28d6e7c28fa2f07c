package dev.numera.functions;

import dev.numera.format.Period;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.CRC32C;

/**
 * Where the next page begins, as an opaque text. A checksum over it and over what the pages are of tells a token that
 * was changed, or taken from another query. It keeps no secret and needs none: a token opens nothing that its bearer
 * could not ask for. But anybody can make one, so whoever takes a position from it checks that first.
 */
public final class Continuation {
    private Continuation() {}

    public static String encode(String position, String query) {
        byte[] text = position.getBytes(StandardCharsets.UTF_8);
        ByteBuffer token = ByteBuffer.allocate(text.length + Integer.BYTES)
                .putInt(checksum(position, query))
                .put(text);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(token.array());
    }

    /** @throws ProblemException {@code invalid-request} if it is no token of this query */
    static String decode(String token, String query) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(token));
            int sum = bytes.remaining() < Integer.BYTES ? 0 : bytes.getInt();
            String position = StandardCharsets.UTF_8.decode(bytes).toString();
            if (sum == checksum(position, query) && encode(position, query).equals(token)) {
                return position;
            }
        } catch (IllegalArgumentException e) {
            // Falls through: no Base64 is as wrong as another token.
        }
        throw refused();
    }

    /** A position that is a period; empty for the one of a sequence that is never reset. */
    public static String period(String position) {
        try {
            return new Period(position).id();
        } catch (IllegalArgumentException e) {
            throw refused();
        }
    }

    /** The problem of a token that no page gave. */
    public static ProblemException refused() {
        return InvalidRequest.because(
                "continuation", "must be the one that the page before gave, with the other parameters as they were");
    }

    private static int checksum(String position, String query) {
        CRC32C sum = new CRC32C();
        sum.update((query + '\n' + position).getBytes(StandardCharsets.UTF_8));
        return (int) sum.getValue();
    }
}
