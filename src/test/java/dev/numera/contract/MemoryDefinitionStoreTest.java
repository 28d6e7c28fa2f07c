package dev.numera.contract;

import dev.numera.sequences.SequenceStores;

class MemoryDefinitionStoreTest extends DefinitionStoreContract {
    private final SequenceStores stores = stores(new MemoryCounterStore());

    static SequenceStores stores(MemoryCounterStore table) {
        return new SequenceStores(table, table, table, table, MemoryWorkerStore::new);
    }

    @Override
    SequenceStores stores() {
        return stores;
    }
}
