package dev.numera.contract;

import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.TestAccount;
import dev.numera.sequences.SequenceStores;
import org.junit.jupiter.api.BeforeAll;

class TableDefinitionStoreIT extends DefinitionStoreContract {
    private static SequenceStores stores;

    @BeforeAll
    static void connect() {
        stores = TestAccount.withTables(SharedAzurite.connectionString()).stores();
    }

    @Override
    SequenceStores stores() {
        return stores;
    }
}
