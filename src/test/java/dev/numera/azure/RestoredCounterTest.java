package dev.numera.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.models.TableEntity;
import dev.numera.contract.CounterStates;
import dev.numera.core.counter.Transaction;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Versioned;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The column that marks a counter as restored. Only versions that know the column clear it. */
class RestoredCounterTest {
    private static final CounterId ID = new CounterId(new SequenceName("shop", "invoice"), "2026");
    private static final CounterState STATE = CounterStates.of(42, 41, 5, "op", Instant.EPOCH);

    private final RowsInMemory rows = new RowsInMemory();
    private final TableCounterStore store =
            new TableCounterStore(rows.table(), new ParallelReads(RowsInMemory.THREADS));
    private final TableDefinitionStore definitions = new TableDefinitionStore(rows.table(), rows.table(), rows.marks());

    private Versioned<CounterState> read() {
        return store.read(ID).orElseThrow();
    }

    private void restore() {
        TableEntity restored = new TableEntity(RowKeys.partition(ID.sequence()), RowKeys.counter(ID));
        CounterRows.restored(new TreeMap<>(CounterRows.write(ID, STATE).getProperties()))
                .forEach(restored::addProperty);
        rows.put(restored);
    }

    private void write(CounterState state, Change change) {
        assertTrue(
                store.write(new Transaction(ID, read().version(), state, List.of(), List.of(), change, List.of(), null))
                        .isWon());
    }

    @Test
    void aCounterThatIsPutBackIsRestoredAtItsNextNumber() {
        restore();

        assertEquals(STATE.restored(42L), read().value());
        assertEquals(Set.of("2026"), definitions.restored(ID.sequence()));
    }

    /** During an update, another version of the app may write the counter. */
    @Test
    void aWriteThatDoesNotKnowTheColumnKeepsIt() {
        restore();
        write(CounterStates.of(43, 42, 5, "op2", Instant.EPOCH), null);

        assertEquals(43, read().value().next());
        assertEquals(42L, read().value().restoredFrom());
    }

    @Test
    void aMoveByAMarginTakesItAway() {
        restore();
        CounterState moved = STATE.inNewEpoch(142, "op2", Instant.EPOCH);
        write(moved, Change.advanced(new Change.Move("2026", 42, 142), ChangeNote.NONE, moved));

        assertNull(read().value().restoredFrom());
        assertEquals(Set.of(), definitions.restored(ID.sequence()));
    }

    @Test
    void aCounterThatCannotBeReadIsRestoredAllTheSame() {
        restore();
        TableEntity row = rows.rows("RowKey eq 'counter:2026'").get(0);
        rows.put(row.addProperty("epoch", "none"));

        assertEquals(Set.of("2026"), definitions.restored(ID.sequence()));
    }
}
