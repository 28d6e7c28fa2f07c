package dev.numera.functions.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.core.format.Period;
import dev.numera.core.model.Change;
import dev.numera.core.model.Page;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.json.Fields;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the opaque token that marks where the next page of a query starts. A checksum over the position and
 * the query detects a token that was changed or belongs to another query. The token contains no secret: its bearer
 * could request everything that it opens. Because anyone can compute the checksum, the position is checked like any
 * other input.
 *
 * @param pagesOf identifies the query
 * @param write returns the parts of a position, in order
 * @param read builds a position from its parts; throws an {@link IllegalArgumentException}, {@link DateTimeException}
 *     or {@link IndexOutOfBoundsException} for strings that are no position. A token with parts that {@code read} does
 *     not use is refused
 */
public record PageToken<T>(String pagesOf, Function<T, List<?>> write, Function<List<String>, T> read) {
    /**
     * The end of the year 9999. Later years have more digits, so that text order would no longer be the order of time.
     */
    private static final Instant END_OF_TIMES = Instant.parse("9999-12-31T23:59:59Z");

    private static final Pattern CHANGE_ID = Pattern.compile("[0-9A-Za-z-]{1,100}");

    /** Returns the token for pages of sequences. The storage layer checks the position. */
    public static PageToken<String> ofSequences(String pagesOf) {
        return new PageToken<>(pagesOf, List::of, parts -> parts.get(0));
    }

    /** Returns the token for pages of periods. The position is the id of a period. */
    public static PageToken<String> ofPeriods(String pagesOf) {
        return new PageToken<>(pagesOf, List::of, parts -> new Period(parts.get(0)).id());
    }

    /** Returns the token for pages of changes. */
    public static PageToken<Change.Position> ofChanges(String pagesOf) {
        return new PageToken<>(pagesOf, change -> List.of(change.at(), change.id()), PageToken::change);
    }

    private static Change.Position change(List<String> parts) {
        Instant at = Instant.parse(parts.get(0));
        String id = parts.get(1);
        if (at.isBefore(Instant.EPOCH)
                || !at.isBefore(END_OF_TIMES)
                || !CHANGE_ID.matcher(id).matches()) {
            throw new IllegalArgumentException("No change has the position " + parts);
        }
        return new Change.Position(at, id);
    }

    /**
     * Writes a page as JSON, with the token of the next page.
     *
     * @param plural the name of the field with the items
     */
    public <R> Fields json(String plural, Page<R, T> page, Function<R, ObjectNode> write) {
        return new Fields().putEach(plural, page.items(), write).put("continuation", token(page.next()));
    }

    /** Returns the token of the next page; null on the last page. */
    public @Nullable String token(@Nullable T next) {
        return next == null ? null : encode(text(next), pagesOf);
    }

    /**
     * Returns the position at which the requested page starts; null for the first page.
     *
     * @throws ProblemException {@code invalid-request} if the token does not belong to these pages
     */
    public @Nullable T start(Query query) {
        String token = query.continuation();
        if (token == null) {
            return null;
        }
        String position = decode(token, pagesOf);
        try {
            T start = read.apply(List.of(position.split(";", -1)));
            if (text(start).equals(position)) {
                return start;
            }
        } catch (IllegalArgumentException | DateTimeException | IndexOutOfBoundsException e) {
            // Falls through: a string that is no position is refused like a forged one.
        }
        throw refused();
    }

    private String text(T position) {
        return write.apply(position).stream().map(String::valueOf).collect(Collectors.joining(";"));
    }

    static String encode(String position, String query) {
        byte[] text = position.getBytes(StandardCharsets.UTF_8);
        ByteBuffer token = ByteBuffer.allocate(text.length + Integer.BYTES)
                .putInt(checksum(position, query))
                .put(text);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(token.array());
    }

    /**
     * Returns the position in a token.
     *
     * @throws ProblemException {@code invalid-request} if the token does not belong to this query
     */
    private static String decode(String token, String query) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(token));
            int sum = bytes.remaining() < Integer.BYTES ? 0 : bytes.getInt();
            String position = StandardCharsets.UTF_8.decode(bytes).toString();
            if (sum == checksum(position, query) && encode(position, query).equals(token)) {
                return position;
            }
        } catch (IllegalArgumentException e) {
            // Falls through: a token that is not Base64 is refused like one of another query.
        }
        throw refused();
    }

    /** Returns the problem of a token that no page of this query returned. */
    private static ProblemException refused() {
        return InvalidRequest.because(
                "continuation", "must be the one that the previous page returned, with the other parameters unchanged");
    }

    private static int checksum(String position, String query) {
        CRC32C sum = new CRC32C();
        sum.update((query + '\n' + position).getBytes(StandardCharsets.UTF_8));
        return (int) sum.getValue();
    }
}
