package dev.numera.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.Page;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.Result;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChangePagesTest {
    private static final SequenceName NAME = new SequenceName("shop", "invoice");
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

    private final RowsInMemory rows = new RowsInMemory();
    private final TableDefinitionStore store = new TableDefinitionStore(rows.table(), rows.table(), rows.marks());

    /** A closing may be large, and a page of a thousand took 310 MB. */
    @Test
    void aPageHasAtMostAHundredChangesAndTheNextOneFollows() {
        for (int minute = 0; minute <= 100; minute++) {
            store.keep(NAME, Change.closed(List.of(), ChangeNote.NONE, NOW.plusSeconds(60L * minute)));
        }

        Page<Result<Change>, Change.Position> first = store.closingsFrom(NAME, null, 1_000);
        Page<Result<Change>, Change.Position> second = store.closingsFrom(NAME, first.next(), 1_000);

        assertEquals(100, first.items().size());
        assertEquals(1, second.items().size());
        assertNull(second.next());
    }
}
