package dev.numera.contract;

import dev.numera.sequence.Sequences;

class MemoryDefinitionStoreTest extends DefinitionStoreContract {
    private final Sequences.Stores stores = stores(new MemoryCounterStore());

    static Sequences.Stores stores(MemoryCounterStore table) {
        return new Sequences.Stores(table, table, table, table, MemoryWorkerStore::new);
    }

    @Override
    Sequences.Stores stores() {
        return stores;
    }
}
