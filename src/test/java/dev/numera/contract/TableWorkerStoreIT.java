package dev.numera.contract;

import dev.numera.fixtures.TestAccount;
import dev.numera.localhost.Azurite;
import dev.numera.snowflake.WorkerStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On an Azurite of its own: processes take numbers at random. */
class TableWorkerStoreIT extends WorkerStoreContract {
    private static Azurite azurite;
    private static WorkerStore store;

    @BeforeAll
    static void connect() {
        azurite = Azurite.inMemory();
        store = TestAccount.withTables(azurite.connectionString())
                .stores()
                .workers()
                .get();
    }

    @AfterAll
    static void stop() {
        azurite.close();
    }

    @Override
    WorkerStore store() {
        return store;
    }
}
