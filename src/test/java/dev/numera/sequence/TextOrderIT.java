package dev.numera.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import dev.numera.counter.ChangeNote;
import dev.numera.counter.CounterLimits;
import dev.numera.counter.SequenceName;
import dev.numera.definition.AutoCreate;
import dev.numera.definition.DefinitionDraft;
import dev.numera.definition.DefinitionField;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.storage.StorageAccount;
import dev.numera.storage.StorageConnection;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Texts as row keys of somebody's own table: Table Storage sorts by nothing else, and gives the first rows only in that
 * order.
 */
class TextOrderIT {
    private static final int ITEMS = 120;

    private final TableClient items = new TableClientBuilder()
            .connectionString(SharedAzurite.connectionString())
            .tableName("items" + System.nanoTime())
            .buildClient();
    private Sequences sequences;

    @BeforeEach
    void start() {
        StorageAccount account = new StorageAccount(
                new StorageConnection.ConnectionString(SharedAzurite.connectionString()), Duration.ofSeconds(10));
        account.createTables();
        CounterLimits limits = new CounterLimits(Duration.ofSeconds(30), Duration.ofSeconds(2), 200);
        sequences = Sequences.over(account.stores(), AutoCreate.ALWAYS, new SequenceLimits(limits, 100, 400, 3_660));
        items.createTable();
    }

    @AfterEach
    void removeTable() {
        items.deleteTable();
    }

    @Test
    void reversedNumbersGiveTheNewestFirst() {
        insertItems(
                "reversed",
                DefinitionDraft.EMPTY
                        .with(DefinitionField.MAX_VALUE, 2_147_483_647L)
                        .with(DefinitionField.FORMAT, "{r:10}"));

        assertEquals(LongStream.rangeClosed(0, 9).map(i -> ITEMS - i).boxed().toList(), firstTen("reversed"));
    }

    @Test
    void paddedNumbersGiveTheOldestFirst() {
        insertItems("padded", DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, "{n:6}"));

        assertEquals(LongStream.rangeClosed(1, 10).boxed().toList(), firstTen("padded"));
    }

    private void insertItems(String name, DefinitionDraft definition) {
        SequenceName sequence = new SequenceName(items.getTableName(), name);
        sequences.administration().put(sequence, definition, new Precondition.Absent(), ChangeNote.NONE);
        for (int i = 0; i < ITEMS; i++) {
            Numbers number = sequences
                    .numbering()
                    .next(sequence, List.of(new Ask(null, 1, null)))
                    .answers()
                    .get(0)
                    .orThrow();
            items.createEntity(new TableEntity(name, number.texts().get(0)).addProperty("number", number.first()));
        }
    }

    private List<Object> firstTen(String partition) {
        return items
                .listEntities(
                        new ListEntitiesOptions()
                                .setFilter("PartitionKey eq '" + partition + "'")
                                .setTop(10),
                        null,
                        null)
                .iterableByPage()
                .iterator()
                .next()
                .getValue()
                .stream()
                .map(row -> row.getProperty("number"))
                .toList();
    }
}
