package dev.numera.simulation;

import dev.numera.core.model.LedgerRow;
import dev.numera.maintain.history.LedgerEntry;
import java.util.ArrayList;
import java.util.List;

/** Converts rows of a ledger to the entries that a history is compared with. */
final class LedgerEntries {
    private LedgerEntries() {}

    static List<LedgerEntry> of(List<LedgerRow> rows, long increment) {
        List<LedgerEntry> entries = new ArrayList<>();
        for (LedgerRow row : rows) {
            if (row.isAdvance()) {
                long count = (row.last() - row.first()) / increment + 1;
                long last = row.first() + (count - 1) * increment;
                entries.add(new LedgerEntry(LedgerEntry.EntryKind.ADVANCE, null, row.first(), last, count));
            }
            row.allocations()
                    .forEach(entry -> entries.add(new LedgerEntry(
                            entry.importId() == null ? LedgerEntry.EntryKind.ALLOCATION : LedgerEntry.EntryKind.IMPORT,
                            entry.key(),
                            entry.first(),
                            entry.last(),
                            entry.count())));
        }
        return entries;
    }
}
