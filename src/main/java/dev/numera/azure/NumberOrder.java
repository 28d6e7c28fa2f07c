package dev.numera.azure;

import com.azure.data.tables.models.TableTransactionAction;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.RetryPolicy;
import dev.numera.core.retry.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Completes the ledger's rows in number order from rows by key, without the counter's write that normally writes both.
 * Use it only while no instance writes. Thread-safe.
 */
public final class NumberOrder {
    private static final int MAX_TRIES = 20;
    /** The row below a number, the row of the number, and a row of passed-over numbers that also contains it. */
    private static final int MAX_NEAR = 3;

    private final Table table;

    public NumberOrder(Table table) {
        this.table = table;
    }

    /**
     * Adds the row of an imported number, unless a row in number order already has the number. If the number lies in a
     * row of passed-over numbers, that row is divided. Blocks for one read and at most one write.
     *
     * @throws StoreFailure the row may be missing; calling again is safe
     */
    public void complete(CounterId id, Allocation imported) {
        long number = imported.first();
        RetryPolicy.untilWon(Clock.SYSTEM, "The number " + number + " of " + id, MAX_TRIES, () -> {
            List<LedgerRow> near = table.first(RowKeys.numbersFrom(id, number - 1), MAX_NEAR).stream()
                    .map(LedgerRows::fromNumberRow)
                    .toList();
            List<TableTransactionAction> actions = missing(imported, near).stream()
                    .map(row -> TableCounterStore.byNumber(id, row))
                    .toList();
            return actions.isEmpty() || table.transact(actions).isWon() ? Optional.of(id) : Optional.empty();
        });
    }

    /** @param near the first stored rows that end at the number before the imported one, or higher */
    private static List<LedgerRow> missing(Allocation imported, List<LedgerRow> near) {
        long number = imported.first();
        List<LedgerRow> around = near.stream()
                .filter(row -> row.lowest() <= number && number <= row.highest())
                .toList();
        LedgerRow passed =
                around.stream().filter(LedgerRow::isAdvance).findFirst().orElse(null);
        List<LedgerRow> missing = new ArrayList<>();
        if (around.stream().allMatch(LedgerRow::isAdvance)) {
            String replaced = passed != null && passed.highest() == number ? passed.version() : null;
            missing.add(LedgerRow.of(List.of(imported), imported.allocatedAt(), replaced));
        }
        if (passed != null && number < passed.highest()) {
            missing.add(passed.part(number + 1, passed.highest()));
        }
        // The row below is stored if an earlier run of the restore divided the row, and this run put the row back.
        boolean isDivided = near.stream().anyMatch(row -> row.highest() == number - 1);
        if (passed != null && passed.lowest() < number && !isDivided) {
            missing.add(passed.part(passed.lowest(), number - 1));
        }
        return missing;
    }
}
