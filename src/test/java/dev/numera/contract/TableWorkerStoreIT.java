package dev.numera.contract;

import dev.numera.core.snowflake.WorkerStore;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.TestAccount;
import org.junit.jupiter.api.BeforeAll;

/** Runs on an account of its own, because other processes lease random worker numbers. */
class TableWorkerStoreIT extends WorkerStoreContract {
    private static WorkerStore store;

    @BeforeAll
    static void connect() {
        store = TestAccount.withTables(SharedAzurite.emptyAccount())
                .stores()
                .workers()
                .get();
    }

    @Override
    WorkerStore store() {
        return store;
    }
}
