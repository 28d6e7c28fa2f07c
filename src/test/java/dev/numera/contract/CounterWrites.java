package dev.numera.contract;

import dev.numera.counter.CounterWrite;
import dev.numera.model.CounterId;
import dev.numera.model.CounterState;
import dev.numera.model.Outcome;
import java.util.List;

/** Writes that allocate numbers and answer no peer request. */
public final class CounterWrites {
    private CounterWrites() {}

    public static CounterWrite of(
            CounterId id, String version, CounterState state, Outcome.LedgerAddition ledger, String definitionVersion) {
        return new CounterWrite(id, version, state, ledger, null, List.of(), null, definitionVersion);
    }
}
