package dev.numera.contract;

import dev.numera.core.snowflake.WorkerStore;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.TestAccount;
import org.junit.jupiter.api.BeforeAll;

/** On an account of its own: processes take numbers at random. */
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
