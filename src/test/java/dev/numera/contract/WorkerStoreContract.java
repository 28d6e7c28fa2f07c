package dev.numera.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.retry.WriteResult;
import dev.numera.core.snowflake.WorkerRow;
import dev.numera.core.snowflake.WorkerStore;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The behavior that every store of leases shares. Each test uses its own worker numbers. */
abstract class WorkerStoreContract {
    abstract WorkerStore store();

    private WorkerRow row(int worker, String owner, String version) {
        return new WorkerRow(worker, owner, 1L << 37, 1_234_567, version);
    }

    private String won(WriteResult result) {
        return assertInstanceOf(WriteResult.Won.class, result).version();
    }

    private void assertLost(WriteResult result) {
        assertInstanceOf(WriteResult.Refused.class, result);
    }

    @Test
    void onlyTheFirstIsInserted() {
        assertEquals(Optional.empty(), store().find(127));
        String version = won(store().write(row(127, "a", null)));
        assertLost(store().write(row(127, "b", null)));
        assertEquals(Optional.of(row(127, "a", version)), store().find(127));
    }

    @Test
    void workerRowIsChangedOnlyAtItsVersion() {
        String first = won(store().write(row(126, "a", null)));
        String second = won(store().write(row(126, "b", first)));
        assertLost(store().write(row(126, "c", first)));
        assertEquals(Optional.of(row(126, "b", second)), store().find(126));
        assertLost(store().write(row(125, "c", first)));
        assertEquals(Optional.empty(), store().find(125));
    }

    @Test
    void listsAllWorkerRows() {
        WorkerRow one = row(124, "a", won(store().write(row(124, "a", null))));
        WorkerRow other = row(9, "b", won(store().write(row(9, "b", null))));
        assertTrue(store().all().containsAll(List.of(one, other)));
    }
}
