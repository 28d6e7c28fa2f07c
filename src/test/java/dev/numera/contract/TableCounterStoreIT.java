package dev.numera.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.TableEntity;
import dev.numera.core.model.Sequence;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.TestAccount;
import dev.numera.sequences.SequenceStores;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TableCounterStoreIT extends CounterStoreContract {
    private static SequenceStores stores;
    private static SequenceStores storesWithoutTables;

    @BeforeAll
    static void connect() {
        stores = TestAccount.withTables(SharedAzurite.connectionString()).stores();
        storesWithoutTables = TestAccount.at(SharedAzurite.emptyAccount()).stores();
    }

    @Override
    SequenceStores stores() {
        return stores;
    }

    @Override
    SequenceStores storesWithoutTable() {
        return storesWithoutTables;
    }

    /** Another version of the app, or another program, may keep further columns in the definition's row. */
    @Test
    void markKeepsUnknownColumns() {
        Sequence defined = define();
        String partition = defined.name().scope() + ":" + defined.name().name();
        TableClient table = new TableClientBuilder()
                .connectionString(SharedAzurite.connectionString())
                .tableName("numeracounters")
                .buildClient();
        table.updateEntity(new TableEntity(partition, "definition").addProperty("colour", "green"));
        Map<String, Object> before = content(table.getEntity(partition, "definition"));
        openDefined();

        before.put("inUse", true);
        assertEquals(before, content(table.getEntity(partition, "definition")));
    }

    private static Map<String, Object> content(TableEntity row) {
        Map<String, Object> content = new HashMap<>(row.getProperties());
        content.keySet().removeAll(Set.of("odata.etag", "Timestamp"));
        return content;
    }
}
