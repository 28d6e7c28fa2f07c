package dev.numera.functions;

import dev.numera.definition.Change;
import dev.numera.format.Period;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import dev.numera.sequence.LedgerPosition;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Where the next page begins, as an opaque text. A checksum over it and over what the pages are of tells a token that
 * was changed, or taken from another query. It keeps no secret and needs none: a token opens nothing that its bearer
 * could not ask for. But anybody can make one, so whoever takes a position from it checks that first.
 */
public final class Continuation {
    private static final char BEFORE_NUMBER = ';';
    private static final char BEFORE_ID = ';';
    /** Years of four digits stand in the order of texts. */
    private static final Instant END_OF_TIMES = Instant.parse("9999-12-31T23:59:59Z");

    private static final Pattern ID = Pattern.compile("[0-9A-Za-z-]{1,100}");

    private Continuation() {}

    static String encode(String position, String query) {
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
    static String period(String position) {
        try {
            return new Period(position).id();
        } catch (IllegalArgumentException e) {
            throw refused();
        }
    }

    /** A position in a ledger, as text. */
    static @Nullable String text(@Nullable LedgerPosition position) {
        return position == null ? null : position.period() + BEFORE_NUMBER + position.number();
    }

    /** A position in a ledger that is of a period and of one of these numbers; null on the first page. */
    static @Nullable LedgerPosition position(@Nullable String text, NumberRange range) {
        if (text == null) {
            return null;
        }
        int end = text.indexOf(BEFORE_NUMBER);
        if (end < 0) {
            throw refused();
        }
        return new LedgerPosition(period(text.substring(0, end)), range.position(text.substring(end + 1)));
    }

    /** A position among changes, as text. */
    static @Nullable String text(Change.@Nullable Position position) {
        return position == null ? null : position.at().toString() + BEFORE_ID + position.id();
    }

    /** A position among changes, of whatever sequence; null on the first page. */
    static Change.@Nullable Position changePosition(@Nullable String text) {
        if (text == null) {
            return null;
        }
        int end = text.indexOf(BEFORE_ID);
        if (end < 0 || !ID.matcher(text.substring(end + 1)).matches()) {
            throw refused();
        }
        try {
            Instant at = Instant.parse(text.substring(0, end));
            if (!at.isBefore(Instant.EPOCH) && at.isBefore(END_OF_TIMES)) {
                return new Change.Position(at, text.substring(end + 1));
            }
        } catch (DateTimeException e) {
            // Falls through: no time is as forged as one of another age.
        }
        throw refused();
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
