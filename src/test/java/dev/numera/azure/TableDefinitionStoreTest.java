package dev.numera.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.azure.data.tables.models.TableEntity;
import dev.numera.core.model.Definition;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.StoreFailure;
import dev.numera.sequences.access.IndexEntry;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Rows that another program wrote or changed. The problem names the row instead of blaming the caller. */
class TableDefinitionStoreTest {
    private final Table sequences = mock();
    private final Table counters = mock();
    private final TableDefinitionStore store = new TableDefinitionStore(sequences, counters, mock());

    /** This was once answered with 400, as if the caller had sent the name. */
    @Test
    void indexRowWithAnImpossibleNameIsReported() {
        StoredRow row = new StoredRow(TableNames.SEQUENCES, new TableEntity("App1", "or der"));
        when(sequences.first(any(), anyInt())).thenReturn(List.of(row));

        IndexEntry listed = store.list(null, 10, null).items().get(0);
        StoreFailure failure = assertInstanceOf(StoreFailure.class, listed.problem());

        assertEquals(List.of("App1", "or der"), List.of(listed.scope(), listed.name()));
        assertEquals(
                "The row or der of App1 in table numerasequences was written by another program and cannot be read:"
                        + " its property PartitionKey or RowKey is 'App1/or der', which is no name of a sequence."
                        + " See docs/tables.md.",
                failure.getMessage());
    }

    @Test
    void definitionWithAnImpossibleNameIsReported() {
        TableEntity definition = new TableEntity("App1:order", "definition")
                .addProperty("scope", "App 1")
                .addProperty("name", "order");
        StoredRow row = new StoredRow(TableNames.COUNTERS, definition);
        when(counters.list(any(), anyInt(), any())).thenReturn(new Table.Page(List.of(row), null, Instant.EPOCH));

        Result<SequenceName> name = store.walk(10, null).items().get(0);
        StoreFailure failure = assertThrows(StoreFailure.class, name::orThrow);

        assertEquals(
                "The row definition of App1:order in table numeracounters was written by another program and cannot be"
                        + " read: its property scope or name is 'App 1/order', which is no name of a sequence. See"
                        + " docs/tables.md.",
                failure.getMessage());
    }

    /** A missing element was once read as an empty string or 0. */
    @Test
    void definitionWithAnIncompleteFormatIsReported() {
        requireUnreadable("formats[0][0] must be a string of 1 to 200 characters, not null", "[[null,1,9,9]]");
        requireUnreadable("formats[0] must be an array of 4 elements, not [\"{n}\",1,9]", "[[\"{n}\",1,9]]");
        requireUnreadable(
                "formats[0][2] must be an integer from -4000000000000000000 to 4000000000000000000, not \"9\"",
                "[[\"{n}\",1,\"9\",9]]");
        requireUnreadable(
                "formats[0][3] must be an integer from -4000000000000000000 to 4000000000000000000, not 9999999999999999999",
                "[[\"{n}\",1,9,9999999999999999999]]");
        requireUnreadable("formats[0] must be an array of 4 elements, not \"{n}\"", "[\"{n}\"]");
    }

    private void requireUnreadable(String why, String formats) {
        SequenceName name = new SequenceName("App1", "order");
        TableEntity definition = DefinitionRows.write(Sequence.first(name, Definition.DEFAULT, LocalDate.EPOCH))
                .addProperty("formats0", formats);
        when(counters.find("App1:order", "definition"))
                .thenReturn(Optional.of(new StoredRow(TableNames.COUNTERS, definition)));

        StoreFailure failure = assertThrows(StoreFailure.class, () -> store.find(name));

        assertEquals(
                "The row definition of App1:order in table numeracounters was written by another program and cannot be"
                        + " read: its property " + why + ". See docs/tables.md.",
                failure.getMessage());
    }
}
