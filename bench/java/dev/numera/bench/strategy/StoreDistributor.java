package dev.numera.bench.strategy;

import dev.numera.contract.CounterStates;
import dev.numera.contract.Transactions;
import dev.numera.core.counter.CounterStore;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Versioned;
import dev.numera.core.retry.WriteResult;
import java.time.Instant;
import me.ahoo.cosid.segment.IdSegmentDistributor;

/**
 * Allocates CosId's segments from the app's counter: reads, adds a segment and writes on condition, until a write wins.
 */
public final class StoreDistributor implements IdSegmentDistributor {
    private final CounterStore store;
    private final CounterId id;
    private final long step;

    /** @param id the id of an open counter */
    public StoreDistributor(CounterStore store, CounterId id, long step) {
        this.store = store;
        this.id = id;
        this.step = step;
    }

    @Override
    public String getNamespace() {
        return id.sequence().scope();
    }

    @Override
    public String getName() {
        return id.sequence().name();
    }

    @Override
    public long getStep() {
        return step;
    }

    @Override
    public long nextMaxId(long numbers) {
        while (true) {
            Versioned<CounterState> before = store.read(id).orElseThrow();
            CounterState state = before.value();
            CounterState after = CounterStates.of(
                    state.next() + numbers, state.allocated() + numbers, state.epoch(), "cosid", Instant.now());
            if (store.write(Transactions.of(id, before.version(), after, OpenCounter.NO_LEDGER, null))
                    instanceof WriteResult.Won) {
                return after.next() - 1;
            }
        }
    }
}
