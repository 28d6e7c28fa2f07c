package dev.numera.maintain.restore;

import dev.numera.azure.backup.BackupRow;
import dev.numera.azure.backup.BackupTables;
import dev.numera.core.problem.ProblemException;
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
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Puts, inserts or deletes rows, as the given function does. Groups neighboring rows of one partition into transactions
 * and sends several transactions in parallel. Their order does not matter: each row is independent, and no program
 * reads the rows meanwhile. Not thread-safe.
 *
 * @param <R> a row, perhaps with its version
 */
final class RowTransactions<R> implements AutoCloseable {
    /**
     * The number of transactions in progress. If storage is far away, most of the time of each transaction is spent on
     * the network.
     */
    private static final int AT_ONCE = 6;
    /** The most characters in all transactions in progress, so that memory use stays flat even if rows are long. */
    private static final long UNITS_AT_ONCE = 2_000_000;

    /** Puts, inserts or deletes rows of one partition, usually by one transaction. */
    private final Consumer<List<R>> write;

    private final Function<R, BackupRow> rowOf;
    private final ExecutorService threads;
    /** The transactions in progress, in the order of their rows. */
    private final Deque<Transaction> underWay = new ArrayDeque<>();

    private List<R> together = new ArrayList<>();
    private long units;
    private long unitsUnderWay;
    private long first;
    private long written;

    /**
     * A transaction in progress.
     *
     * @param before how many rows of the backup precede the rows of this transaction
     */
    private record Transaction(Future<?> done, long units, long before) {}

    RowTransactions(Function<R, BackupRow> rowOf, Consumer<List<R>> write) {
        this.rowOf = rowOf;
        this.write = write;
        AtomicInteger started = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(AT_ONCE, task -> {
            Thread thread = new Thread(task, "restore-" + started.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Adds a row, which is written with its neighbors.
     *
     * @param before how many rows of the backup precede the backup row of this row
     * @throws StoreFailure an earlier row could not be written
     */
    void take(R taken, long before) {
        BackupRow row = rowOf.apply(taken);
        boolean isFull = together.size() == BackupTables.TRANSACTION_ROWS
                || units + row.units() > BackupTables.TRANSACTION_UNITS;
        if (!together.isEmpty() && (isFull || !isBeside(row, rowOf.apply(together.get(0))))) {
            submit();
        }
        if (together.isEmpty()) {
            first = before;
        }
        together.add(taken);
        units += row.units();
    }

    /** Returns the number of leading rows of the backup that are known to be written. */
    long written() {
        return written;
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
        List<R> rows = together;
        underWay.add(new Transaction(threads.submit(() -> write.accept(rows)), units, first));
        unitsUnderWay += units;
        together = new ArrayList<>();
        units = 0;
    }

    private void awaitFirst() {
        try {
            Transaction oldest = underWay.remove();
            oldest.done().get();
            unitsUnderWay -= oldest.units();
            written = oldest.before();
        } catch (ExecutionException e) {
            // The cause may also be an error, for example an OutOfMemoryError: rows may be missing then too.
            throw e.getCause() instanceof ProblemException || e.getCause() instanceof IllegalStateException
                    ? (RuntimeException) e.getCause()
                    : new StoreFailure("Writing rows of the backup failed: " + e.getCause(), false, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreFailure("The restore was interrupted: a part of the rows is written.", true, e);
        }
    }
}
