package dev.numera.contract;

import dev.numera.sequences.SequenceStores;

class MemoryCounterStoreTest extends CounterStoreContract {
    private final SequenceStores stores = MemoryDefinitionStoreTest.stores(new MemoryCounterStore());

    @Override
    SequenceStores stores() {
        return stores;
    }

    @Override
    SequenceStores storesWithoutTable() {
        return MemoryDefinitionStoreTest.stores(MemoryCounterStore.withoutTable());
    }
}
