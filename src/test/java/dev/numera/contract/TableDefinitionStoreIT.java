package dev.numera.contract;

import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.TestAccount;
import dev.numera.sequence.Sequences;
import org.junit.jupiter.api.BeforeAll;

class TableDefinitionStoreIT extends DefinitionStoreContract {
    private static Sequences.Stores stores;

    @BeforeAll
    static void connect() {
        stores = TestAccount.withTables(SharedAzurite.connectionString()).stores();
    }

    @Override
    Sequences.Stores stores() {
        return stores;
    }
}
