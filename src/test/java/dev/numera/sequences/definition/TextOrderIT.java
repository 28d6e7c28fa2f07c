package dev.numera.sequences.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.PrintedAllocation;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Texts as row keys in a user's own table. Table Storage sorts only by row keys, and returns the first rows only in
 * that order.
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
        sequences = TestSequences.over(SharedAzurite.connectionString()).start();
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
        sequences.editor().put(sequence, definition, Precondition.ABSENT, ChangeNote.NONE);
        for (int i = 0; i < ITEMS; i++) {
            PrintedAllocation number = sequences
                    .allocator()
                    .next(sequence, List.of(new NumberRequest(null, 1, null)))
                    .results()
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
