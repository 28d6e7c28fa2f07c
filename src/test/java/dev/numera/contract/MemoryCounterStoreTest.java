package dev.numera.contract;

import dev.numera.sequence.Sequences;

class MemoryCounterStoreTest extends CounterStoreContract {
    private final Sequences.Stores stores = MemoryDefinitionStoreTest.stores(new MemoryCounterStore());

    @Override
    Sequences.Stores stores() {
        return stores;
    }

    @Override
    Sequences.Stores storesWithoutTable() {
        return MemoryDefinitionStoreTest.stores(MemoryCounterStore.withoutTable());
    }
}
