package dev.numera.azure;

import com.azure.data.tables.models.TableEntity;
import dev.numera.core.model.Sequence;

/** Writes a definition to its row and reads it back, so that a store in memory loses and checks the same as a table. */
public final class DefinitionAsStored {
    private DefinitionAsStored() {}

    /**
     * Returns the definition as read back from its row.
     *
     * @throws StoreFailure if the row cannot be read
     */
    public static Sequence of(Sequence definition, String version) {
        TableEntity row = DefinitionRows.write(definition).addProperty("odata.etag", version);
        return DefinitionRows.read(new StoredRow(TableNames.COUNTERS, row));
    }
}
