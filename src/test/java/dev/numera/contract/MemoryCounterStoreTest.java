package dev.numera.contract;

import dev.numera.counter.CounterStore;
import dev.numera.sequence.LedgerStore;

class MemoryCounterStoreTest extends CounterStoreContract {
    private final MemoryCounterStore store = new MemoryCounterStore();

    @Override
    CounterStore store() {
        return store;
    }

    @Override
    LedgerStore ledger() {
        return store;
    }

    @Override
    CounterStore storeWithoutTable() {
        return MemoryCounterStore.withoutTable();
    }
}
