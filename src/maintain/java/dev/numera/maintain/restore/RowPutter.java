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
 * Writes rows into the tables. Groups neighboring rows of one partition into transactions and sends several
 * transactions in parallel. Their order does not matter: each row is independent, and no program reads the rows
 * meanwhile. Not thread-safe.
 */
final class RowPutter implements AutoCloseable {
    /**
     * The number of transactions in progress. Over a distance, each mostly waits for its answer and not for storage to
     * work.
     */
    private static final int AT_ONCE = 6;
    /** The most characters in all transactions in progress, so that memory use stays flat even if rows are long. */
    private static final long UNITS_AT_ONCE = 2_000_000;

    private final BackupTables tables;
    private final ExecutorService threads;
    /** The transactions in progress. Each returns its size in characters. */
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

    /** @throws StoreFailure an earlier row could not be written */
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
     * Blocks until every row is written.
     *
     * @throws StoreFailure a row could not be written
     */
    void finish() {
        if (!together.isEmpty()) {
            submit();
        }
        while (!underWay.isEmpty()) {
            awaitFirst();
        }
    }

    /** Drops the rows that were not sent yet. Transactions in progress may still complete. */
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
            // The cause may also be an error, for example an OutOfMemoryError: rows may be missing then too.
            throw e.getCause() instanceof StoreFailure failure
                    ? failure
                    : new StoreFailure("Writing rows of the backup failed: " + e.getCause(), false, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreFailure("The restore was interrupted: a part of the rows is written.", true, e);
        }
    }
}
