package dev.numera.contract;

import dev.numera.core.counter.Transaction;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.LedgerRow;
import java.util.List;

/** Builds writes that allocate numbers and answer no peer request. */
public final class Transactions {
    private Transactions() {}

    /**
     * Returns a write that allocates numbers.
     *
     * @param keyed the allocations that have a key
     */
    public static Transaction of(
            CounterId id, String version, CounterState state, List<Allocation> keyed, String definitionVersion) {
        return new Transaction(id, version, state, rows(keyed, state), List.of(), null, List.of(), definitionVersion);
    }

    /** Returns the number row of a write, or no row without keys. */
    public static List<LedgerRow> rows(List<Allocation> keyed, CounterState after) {
        return keyed.isEmpty() ? List.of() : List.of(LedgerRow.of(keyed, after.changedAt(), null));
    }
}
