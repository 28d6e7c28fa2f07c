package dev.numera.bench.strategy;

import dev.numera.counter.CounterId;
import dev.numera.counter.CounterState;
import dev.numera.counter.CounterStore;
import dev.numera.counter.CounterWrite;
import dev.numera.counter.Outcome;
import dev.numera.counter.SequenceName;
import java.time.Instant;
import java.util.List;

/** A counter for strategies that use the app's store without its counter. */
public final class OpenCounter {
    static final Outcome.LedgerAddition NO_LEDGER = new Outcome.LedgerAddition(List.of(), null);

    private OpenCounter() {}

    static CounterId id(String sequence) {
        return new CounterId(new SequenceName("bench", sequence), "");
    }

    public static void in(CounterStore store, CounterId id) {
        store.write(new CounterWrite(id, null, new CounterState(1, 0, 1, "open", Instant.now()), NO_LEDGER, null));
    }
}
