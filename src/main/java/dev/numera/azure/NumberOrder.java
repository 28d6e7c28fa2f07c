package dev.numera.azure;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.RetryPolicy;
import dev.numera.core.retry.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Completes the ledger's rows in number order from rows by key, without the counter's write that normally writes both.
 * Use it only while no instance writes. Thread-safe.
 */
public final class NumberOrder {
    private static final int MAX_TRIES = 20;

    private final Table table;

    public NumberOrder(Table table) {
        this.table = table;
    }

    /**
     * Adds the row of an imported number, unless a row in number order already has the number. If the number lies in a
     * row of passed-over numbers, that row is divided. Blocks for at most three requests.
     *
     * @throws StoreFailure the row may be missing; calling again is safe
     */
    public void complete(CounterId id, Allocation imported) {
        long number = imported.first();
        RetryPolicy.untilWon(Clock.SYSTEM, "The number " + number + " of " + id, MAX_TRIES, () -> {
            List<LedgerRow> missing = missing(id, imported);
            return missing.isEmpty()
                            || table.transact(missing.stream()
                                            .map(row -> TableCounterStore.byNumber(id, row))
                                            .toList())
                                    .isWon()
                    ? Optional.of(id)
                    : Optional.empty();
        });
    }

    /** Returns the rows to write. Storage names a row by its highest number. */
    private List<LedgerRow> missing(CounterId id, Allocation imported) {
        long number = imported.first();
        List<LedgerRow> stored = table.first(RowKeys.numbersFrom(id, number), 2).stream()
                .map(LedgerRows::fromNumberRow)
                .filter(row -> row.lowest() <= number)
                .toList();
        LedgerRow passed =
                stored.stream().filter(LedgerRow::isAdvance).findFirst().orElse(null);
        boolean isThere = stored.stream().anyMatch(row -> !row.isAdvance());
        if (passed == null) {
            return isThere ? List.of() : List.of(LedgerRow.of(List.of(imported), imported.allocatedAt(), null));
        }
        List<LedgerRow> rows = new ArrayList<>();
        boolean isHighest = passed.highest() == number;
        if (!isThere) {
            rows.add(LedgerRow.of(List.of(imported), imported.allocatedAt(), isHighest ? passed.version() : null));
        }
        if (!isHighest) {
            rows.add(part(passed, number + 1, passed.highest(), passed.version()));
        }
        // The row below exists if an earlier run of the restore divided the same row, and this run put the row back.
        boolean isDivided = table.find(RowKeys.partition(id.sequence()), RowKeys.number(id.period(), number - 1))
                .isPresent();
        if (passed.lowest() < number && !isDivided) {
            rows.add(part(passed, passed.lowest(), number - 1, null));
        }
        return rows;
    }

    private static LedgerRow part(LedgerRow row, long lowest, long highest, @Nullable String version) {
        return row.first() <= row.last() ? row.part(lowest, highest, version) : row.part(highest, lowest, version);
    }
}
