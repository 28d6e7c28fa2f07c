package dev.numera.sequences.ledger;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.sequences.access.SequenceCalls;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads a ledger in the order of numbers, some rows at a time, within the bound of one page. Each user runs the same
 * loop: while {@link #hasNext}, call {@link #next}. Afterwards {@link #position} is the start of the next page. Not
 * thread-safe; {@link #next} and {@link #following} block for one request to storage, which is retried, and throw
 * {@link dev.numera.core.retry.StoreFailure}.
 *
 * @param <R> the rows: {@link LedgerRow} for all numbers of a period, {@link Allocation} for reserved or void numbers
 */
final class LedgerCursor<R> {
    static final int ROWS_AT_ONCE = 100;

    /** A page starts no further request after this many rows. */
    static final int MAX_ROWS = 1_000;

    private interface Query<R> {
        List<R> from(@Nullable LedgerPosition position, int limit);
    }

    private final Query<R> query;
    private final Function<R, LedgerPosition> behind;
    private final long to;
    private @Nullable LedgerPosition position;
    private int rowsRead;
    private boolean isAtEnd;

    private LedgerCursor(
            Query<R> query, Function<R, LedgerPosition> behind, long to, @Nullable LedgerPosition position) {
        this.query = query;
        this.behind = behind;
        this.to = to;
        this.position = position;
    }

    /** Reads the rows of one period from the first of the requested numbers up to the last one. */
    static LedgerCursor<LedgerRow> rows(
            SequenceCalls.SequenceCall call, LedgerStore store, CounterId id, LedgerFilter wanted) {
        return new LedgerCursor<>(
                (position, limit) -> {
                    long number = position == null ? wanted.from() : position.number();
                    return call.retry(() -> store.rowsFrom(id, number, limit));
                },
                row -> new LedgerPosition(id.period(), row.following()),
                wanted.to(),
                null);
    }

    /**
     * Reads the allocations of all periods that are reserved or void. Skips the rest of a period after its requested
     * numbers.
     *
     * @param start null for the first period
     */
    static LedgerCursor<Allocation> marked(
            SequenceCalls.SequenceCall call,
            LedgerStore store,
            SequenceName name,
            LedgerFilter wanted,
            @Nullable LedgerPosition start) {
        Status.Kind status = Objects.requireNonNull(wanted.status(), "Only a status has marks.");
        return new LedgerCursor<>(
                (position, limit) -> call.retry(() -> store.markedFrom(name, position, status, limit)),
                wanted::behind,
                Long.MAX_VALUE,
                start);
    }

    /** Whether the ledger may have more rows, and the page may read them. Always true before the first request. */
    boolean hasNext() {
        return !isAtEnd && rowsRead < MAX_ROWS;
    }

    /** Reads the next rows with one request. Fewer rows than {@code limit} are the last ones. */
    List<R> next(int limit) {
        List<R> rows = query.from(position, limit);
        rowsRead += rows.size();
        if (!rows.isEmpty()) {
            position = behind.apply(rows.get(rows.size() - 1));
        }
        isAtEnd = rows.size() < limit || position != null && position.number() > to;
        return rows;
    }

    /** Reads one more row, beyond the bound of a page; empty at the end of the ledger. */
    Optional<R> following() {
        return isAtEnd ? Optional.empty() : next(1).stream().findFirst();
    }

    int rowsRead() {
        return rowsRead;
    }

    /** Whether the rows that were read are the last ones. */
    boolean isAtEnd() {
        return isAtEnd;
    }

    /** Returns where the next page starts: behind the rows that were read. Null at the end of the ledger. */
    @Nullable
    LedgerPosition position() {
        return isAtEnd ? null : position;
    }
}
