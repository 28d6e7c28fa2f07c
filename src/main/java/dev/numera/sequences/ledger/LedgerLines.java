package dev.numera.sequences.ledger;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Status;
import dev.numera.sequences.access.AllocationPrinter;
import dev.numera.sequences.access.PrintedAllocation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Converts rows of the ledger to entries with texts. Thread-safe; blocks only if a row needs a newer definition. */
public final class LedgerLines {
    private final AllocationPrinter formatter;

    public LedgerLines(AllocationPrinter formatter) {
        this.formatter = formatter;
    }

    /** Returns the selected entries of a row, in the order of numbers. Does not format the others. */
    List<LedgerLine> of(Sequence known, CounterId id, LedgerRow row, LedgerFilter wanted) {
        if (row.isAdvance()) {
            LedgerLine advance = advance(known, id, row);
            return wanted.holds(advance.first(), advance.last(), null, null) ? List.of(advance) : List.of();
        }
        List<LedgerLine> entries = new ArrayList<>(row.allocations().stream()
                .filter(wanted::holds)
                .map(allocation -> of(known, allocation))
                .toList());
        if (known.definition().fixed().increment() < 0) {
            Collections.reverse(entries);
        }
        return entries;
    }

    /**
     * Returns the entry of an advance. It ends with a number of the series, even if an earlier release stored the
     * number before the next one.
     */
    private static LedgerLine advance(Sequence known, CounterId id, LedgerRow row) {
        long increment = known.fixed().increment();
        return new LedgerLine(
                null,
                row.first(),
                row.first() + (row.last() - row.first()) / increment * increment,
                0,
                null,
                id.period(),
                null,
                row.allocatedAt(),
                Status.SIMPLY_ISSUED,
                row.note().reason(),
                null,
                row.note().actor());
    }

    LedgerLine of(Sequence known, Allocation allocation) {
        PrintedAllocation printed = formatter.of(known, allocation);
        return new LedgerLine(
                printed.key(),
                printed.first(),
                printed.last(),
                printed.count(),
                printed.texts(),
                allocation.period(),
                allocation.date(),
                allocation.allocatedAt(),
                allocation.status(),
                null,
                allocation.importId(),
                allocation.actor());
    }
}
