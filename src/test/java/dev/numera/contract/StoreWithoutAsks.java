package dev.numera.contract;

import dev.numera.counter.CounterStore;
import dev.numera.counter.InstanceAsk;
import dev.numera.execution.WriteResult;
import dev.numera.model.CounterId;
import dev.numera.model.LedgerRow;
import java.util.List;
import java.util.Optional;

/** One where nobody asks anybody: posts are lost, and nothing is found. */
public interface StoreWithoutAsks extends CounterStore {
    /** Nobody imports here. */
    @Override
    default List<LedgerRow> rowsFrom(CounterId id, long number, int limit) {
        return List.of();
    }

    @Override
    default List<InstanceAsk.Posted> openAsks(CounterId id) {
        return List.of();
    }

    @Override
    default void removeOldAsks(CounterId id) {}

    @Override
    default Optional<InstanceAsk.Posted> findAsk(CounterId id, String process) {
        return Optional.empty();
    }

    @Override
    default WriteResult post(CounterId id, InstanceAsk ask, InstanceAsk.State state, String version) {
        return new WriteResult.Lost(WriteResult.Reason.CHANGED);
    }
}
