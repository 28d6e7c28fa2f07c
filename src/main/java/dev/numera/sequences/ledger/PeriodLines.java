package dev.numera.sequences.ledger;

import dev.numera.core.counter.WriteLimits;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.Page;
import dev.numera.core.model.Sequence;
import dev.numera.sequences.access.SequenceCalls;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the entries of one period in ascending order of their numbers. Thread-safe; calls block for storage requests,
 * and throw {@link dev.numera.core.retry.StoreFailure}.
 */
final class PeriodLines {
    private final LedgerStore store;
    private final LedgerLines lines;
    private final MarkedLines marked;

    PeriodLines(LedgerStore store, LedgerLines lines, MarkedLines marked) {
        this.store = store;
        this.lines = lines;
        this.marked = marked;
    }

    /** Reads a page of one period. The page ends after the row limit, even if few entries were selected. */
    Page<LedgerLine, LedgerPosition> read(
            SequenceCalls.SequenceCall call, Sequence known, CounterId id, LedgerFilter wanted, int limit) {
        List<LedgerLine> entries = new ArrayList<>();
        LedgerCursor<LedgerRow> rows = LedgerCursor.rows(call, store, id, wanted);
        LedgerPosition next = fill(entries, known, id, rows, wanted, limit);
        return new Page<>(marked.withStatus(call, known, id, entries), next);
    }

    /** Adds the selected entries of the rows. Returns where the next page starts; null if this is the last page. */
    private @Nullable LedgerPosition fill(
            List<LedgerLine> entries,
            Sequence known,
            CounterId id,
            LedgerCursor<LedgerRow> rows,
            LedgerFilter wanted,
            int limit) {
        while (rows.hasNext()) {
            int rowsAtOnce = rows.rowsRead() == 0
                    ? firstRows(wanted, limit)
                    : furtherRows(limit - entries.size(), entries.size() / rows.rowsRead());
            for (LedgerRow row : rows.next(rowsAtOnce)) {
                for (LedgerLine entry : lines.of(known, id, row, wanted)) {
                    if (entries.size() == limit) {
                        long nextFrom = Math.max(wanted.from(), Math.min(entry.first(), entry.last()));
                        return new LedgerPosition(entry.period(), nextFrom);
                    }
                    entries.add(entry);
                }
            }
        }
        return rows.position();
    }

    /**
     * Returns how many rows to read first. A short page needs one query. The entries of a long page may be in few rows,
     * and its first and last row may not be full.
     */
    private static int firstRows(LedgerFilter wanted, int limit) {
        if (wanted.from() == wanted.to()) {
            return 1;
        }
        return limit <= LedgerCursor.ROWS_AT_ONCE ? limit : limit / WriteLimits.KEYS + 2;
    }

    /** Returns how many rows the rest of a page needs, if they are as full as the rows so far. */
    private static int furtherRows(int entriesLeft, int entriesOfEach) {
        return Math.min(entriesLeft / Math.max(1, entriesOfEach) + 1, LedgerCursor.ROWS_AT_ONCE);
    }
}
