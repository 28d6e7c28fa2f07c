package dev.numera.contract;

import dev.numera.sequence.Sequences;
import org.junit.jupiter.api.BeforeAll;

class TableDefinitionStoreIT extends DefinitionStoreContract {
    private static Sequences.Stores stores;

    @BeforeAll
    static void connect() {
        stores = TableStores.inSharedAzurite();
    }

    @Override
    Sequences.Stores stores() {
        return stores;
    }
}
