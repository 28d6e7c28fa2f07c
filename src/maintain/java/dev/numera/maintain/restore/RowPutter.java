package dev.numera.maintain.restore;

import dev.numera.azure.backup.BackupRow;
import dev.numera.azure.backup.BackupTables;
import dev.numera.core.retry.StoreFailure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Puts rows into the tables, in transactions of neighbours, some at a time: each is a row of its own, and no program
 * reads them meanwhile. Not thread-safe.
 */
final class RowPutter implements AutoCloseable {
    /** Over a distance they wait for answers rather than for the store. */
    private static final int AT_ONCE = 6;
    /** Of all transactions under way, so that memory stays flat where rows are long. */
    private static final long UNITS_AT_ONCE = 2_000_000;

    private final BackupTables tables;
    private final ExecutorService threads;
    /** Transactions, each of which returns its units. */
    private final Deque<Future<Long>> underWay = new ArrayDeque<>();

    private List<BackupRow> together = new ArrayList<>();
    private long units;
    private long unitsUnderWay;

    RowPutter(BackupTables tables) {
        this.tables = tables;
        AtomicInteger started = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(AT_ONCE, task -> {
            Thread thread = new Thread(task, "restore-" + started.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** @throws StoreFailure a row before this one was not written */
    void take(BackupRow row) {
        boolean isFull = together.size() == BackupTables.TRANSACTION_ROWS
                || units + row.units() > BackupTables.TRANSACTION_UNITS;
        if (!together.isEmpty() && (isFull || !isBeside(row, together.get(0)))) {
            submit();
        }
        together.add(row);
        units += row.units();
    }

    /**
     * Returns when every row is written.
     *
     * @throws StoreFailure one was not
     */
    void finish() {
        if (!together.isEmpty()) {
            submit();
        }
        while (!underWay.isEmpty()) {
            awaitFirst();
        }
    }

    /** What is under way goes on; what waits is dropped. */
    @Override
    public void close() {
        threads.shutdownNow();
    }

    private static boolean isBeside(BackupRow row, BackupRow other) {
        return row.table().equals(other.table()) && row.partitionKey().equals(other.partitionKey());
    }

    private void submit() {
        while (underWay.size() == AT_ONCE || !underWay.isEmpty() && unitsUnderWay + units > UNITS_AT_ONCE) {
            awaitFirst();
        }
        List<BackupRow> rows = together;
        long unitsOfRows = units;
        underWay.add(threads.submit(() -> {
            tables.put(rows);
            return unitsOfRows;
        }));
        unitsUnderWay += units;
        together = new ArrayList<>();
        units = 0;
    }

    private void awaitFirst() {
        try {
            unitsUnderWay -= underWay.remove().get();
        } catch (ExecutionException e) {
            // An error, such as of memory: the rows may be missing, too.
            throw e.getCause() instanceof StoreFailure failure
                    ? failure
                    : new StoreFailure("Writing rows of the backup failed: " + e.getCause(), false, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreFailure("The restore was interrupted: a part of the rows is written.", true, e);
        }
    }
}
