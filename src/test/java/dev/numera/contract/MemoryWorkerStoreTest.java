package dev.numera.contract;

import dev.numera.core.snowflake.WorkerStore;

class MemoryWorkerStoreTest extends WorkerStoreContract {
    private final WorkerStore store = new MemoryWorkerStore();

    @Override
    WorkerStore store() {
        return store;
    }
}
