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
     * row of passed-over numbers, that row is divided. Blocks for one or two requests.
     *
     * @throws StoreFailure the row may be missing; calling again is safe
     */
    public void complete(CounterId id, Allocation imported) {
        long number = imported.first();
        RetryPolicy.untilWon(Clock.SYSTEM, "The number " + number + " of " + id, MAX_TRIES, () -> {
            LedgerRow around = table.first(RowKeys.numbersFrom(id, number), 1).stream()
                    .map(LedgerRows::fromNumberRow)
                    .filter(row -> row.lowest() <= number)
                    .findFirst()
                    .orElse(null);
            boolean isThere = around != null && !around.isAdvance();
            return isThere
                            || table.transact(rows(imported, around).stream()
                                            .map(row -> TableCounterStore.byNumber(id, row))
                                            .toList())
                                    .isWon()
                    ? Optional.of(id)
                    : Optional.empty();
        });
    }

    /**
     * Returns the rows to write.
     *
     * @param passed the row of passed-over numbers that contains the number; null if there is none. Storage names a row
     *     by its highest number, so only the part with that number replaces it
     */
    private static List<LedgerRow> rows(Allocation imported, @Nullable LedgerRow passed) {
        if (passed == null) {
            return List.of(LedgerRow.of(List.of(imported), imported.allocatedAt(), null));
        }
        long number = imported.first();
        boolean isHighest = passed.highest() == number;
        List<LedgerRow> rows = new ArrayList<>();
        rows.add(LedgerRow.of(List.of(imported), imported.allocatedAt(), isHighest ? passed.version() : null));
        if (!isHighest) {
            rows.add(part(passed, number + 1, passed.highest(), passed.version()));
        }
        if (passed.lowest() < number) {
            rows.add(part(passed, passed.lowest(), number - 1, null));
        }
        return rows;
    }

    private static LedgerRow part(LedgerRow row, long lowest, long highest, @Nullable String version) {
        return row.first() <= row.last() ? row.part(lowest, highest, version) : row.part(highest, lowest, version);
    }
}
