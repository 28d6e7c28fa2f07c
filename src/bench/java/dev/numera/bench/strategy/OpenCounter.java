package dev.numera.bench.strategy;

import dev.numera.counter.CounterId;
import dev.numera.counter.CounterState;
import dev.numera.counter.CounterStore;
import dev.numera.counter.FixedFields;
import dev.numera.counter.Guarantee;
import dev.numera.counter.SequenceName;
import java.time.Instant;

/** A counter for strategies that use the app's store without its counter. */
public final class OpenCounter {
    private static final FixedFields FIXED = new FixedFields(Guarantee.STRICT, 1, 1, false, "never", "UTC", 1);

    private OpenCounter() {}

    static CounterId id(String sequence) {
        return new CounterId(new SequenceName("bench", sequence), "");
    }

    public static void in(CounterStore store, CounterId id) {
        store.open(id, FIXED, new CounterState(1, 0, 1, "open", Instant.now()));
    }
}
