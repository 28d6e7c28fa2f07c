package dev.numera.contract;

import dev.numera.counter.CounterStore;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.localhost.Azurite;
import dev.numera.sequence.LedgerStore;
import dev.numera.sequence.Sequences;
import dev.numera.storage.StorageAccount;
import dev.numera.storage.StorageConnection;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class TableCounterStoreIT extends CounterStoreContract {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static Sequences.Stores stores;
    private static Azurite emptyAzurite;
    private static Sequences.Stores storesWithoutTables;

    @BeforeAll
    static void connect() {
        StorageAccount account = account(SharedAzurite.connectionString());
        account.createTables();
        stores = account.stores();
        emptyAzurite = Azurite.inMemory();
        storesWithoutTables = account(emptyAzurite.connectionString()).stores();
    }

    @AfterAll
    static void stop() {
        emptyAzurite.close();
    }

    @Override
    CounterStore store() {
        return stores.counters();
    }

    @Override
    LedgerStore ledger() {
        return stores.ledgers();
    }

    @Override
    CounterStore storeWithoutTable() {
        return storesWithoutTables.counters();
    }

    private static StorageAccount account(String connectionString) {
        return new StorageAccount(new StorageConnection.ConnectionString(connectionString), TIMEOUT);
    }
}
