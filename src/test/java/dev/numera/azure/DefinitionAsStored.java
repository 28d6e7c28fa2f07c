package dev.numera.azure;

import com.azure.data.tables.models.TableEntity;
import dev.numera.core.model.Sequence;

/** Puts a definition through its row, so that a store in memory forgets and checks what a table would. */
public final class DefinitionAsStored {
    private DefinitionAsStored() {}

    /** The same as it is read back; throws what the read throws. */
    public static Sequence of(Sequence definition, String version) {
        TableEntity row = DefinitionRows.write(definition).addProperty("odata.etag", version);
        return DefinitionRows.read(new StoredRow(TableNames.COUNTERS, row));
    }
}
