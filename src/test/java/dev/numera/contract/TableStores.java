package dev.numera.contract;

import dev.numera.fixtures.SharedAzurite;
import dev.numera.sequence.Sequences;
import dev.numera.storage.StorageAccount;
import dev.numera.storage.StorageConnection;
import java.time.Duration;

/** The app's own stores over the tables of the shared Azurite. */
final class TableStores {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private TableStores() {}

    static Sequences.Stores inSharedAzurite() {
        StorageAccount account = account(SharedAzurite.connectionString());
        account.createTables();
        return account.stores();
    }

    static StorageAccount account(String connectionString) {
        return new StorageAccount(new StorageConnection.ConnectionString(connectionString), TIMEOUT);
    }
}
