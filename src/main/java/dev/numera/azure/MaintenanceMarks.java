package dev.numera.azure;

import dev.numera.core.model.MaintenanceMark;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.RetryPolicy;
import dev.numera.core.retry.StoreFailure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/**
 * Reads and writes the maintenance mark of the whole service. Every table and the container of backups store a copy. If
 * copies are lost or recreated, the strictest remaining copy applies. Thread-safe.
 *
 * <p>An app instance reads only the tables. The maintenance program reads the container as well, and writes the mark to
 * all of them.
 */
public final class MaintenanceMarks {
    private static final Logger LOG = Logger.getLogger(MaintenanceMarks.class.getName());
    private static final int MAX_TRIES = 20;
    private static final Duration TABLES_TIMEOUT = Duration.ofMinutes(1);
    /** Longer than the timeouts of the requests, which normally end a read first. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final List<Table> tables;
    private final ParallelReads parallelReads;
    private final Supplier<MarkBlobs> backups;

    /**
     * @param tables all tables that store the mark
     * @param backups makes the client of the container; called only when the mark is changed
     */
    public MaintenanceMarks(List<Table> tables, ParallelReads reads, Supplier<MarkBlobs> backups) {
        this.tables = List.copyOf(tables);
        this.parallelReads = reads;
        this.backups = backups;
    }

    /**
     * Returns the strictest mark of all tables, which are read in parallel.
     *
     * @throws StoreFailure a table cannot be read, or is missing, so that its mark is unknown
     */
    MaintenanceMark read() {
        List<Callable<MaintenanceMark>> reads = tables.stream()
                .map(table -> (Callable<MaintenanceMark>) () -> MaintenanceRow.read(table))
                .toList();
        return strictest(parallelReads.all(reads, PATIENCE).stream());
    }

    /** A table that exists, with the row of the mark if the table has one. */
    private record Place(Table table, Optional<StoredRow> row) {
        MaintenanceMark mark() {
            return MaintenanceRow.mark(row);
        }
    }

    /**
     * Changes the strictest mark, writes the result to every table that exists and to the container of backups, and
     * returns it.
     *
     * @throws StoreFailure the mark may be stored in some of these places only; calling again is safe
     */
    public MaintenanceMark change(UnaryOperator<MaintenanceMark> change) {
        return RetryPolicy.untilWon(Clock.SYSTEM, "The mark of the service", MAX_TRIES, () -> tryChange(change));
    }

    private Optional<MaintenanceMark> tryChange(UnaryOperator<MaintenanceMark> change) {
        // The container must be read after the tables, in each try. If another command lifts the mark meanwhile, the
        // write to the tables is lost, and the next try sees the lifted mark everywhere.
        List<Place> places = withinTime(this::places);
        MaintenanceMark kept = kept();
        MaintenanceMark after =
                change.apply(kept.strictest(strictest(places.stream().map(Place::mark))));
        if (!withinTime(() -> isWritten(places, after))) {
            return Optional.empty();
        }
        if (!after.equals(kept)) {
            keep(after, kept);
        }
        return Optional.of(after);
    }

    /**
     * Runs requests to the tables within a deadline of their own, because a slow container may use up any common one.
     */
    private static <T> T withinTime(Supplier<T> requests) {
        return Deadline.in(TABLES_TIMEOUT, Clock.SYSTEM).limit(requests);
    }

    private static boolean isWritten(List<Place> places, MaintenanceMark after) {
        boolean isWon = true;
        for (Place place : places) {
            isWon &= place.mark().equals(after)
                    || MaintenanceRow.write(place.table(), place.row(), after).isWon();
        }
        return isWon;
    }

    /** Returns the tables that exist. If none exists, reading the first table reports the failure. */
    private List<Place> places() {
        List<Table> there = tables.stream().filter(Table::isThere).toList();
        return (there.isEmpty() ? tables : there)
                .stream()
                        .map(table -> new Place(table, MaintenanceRow.find(table)))
                        .toList();
    }

    private static MaintenanceMark strictest(Stream<MaintenanceMark> marks) {
        return marks.reduce(MaintenanceMark.NONE, MaintenanceMark::strictest);
    }

    /**
     * Reads the container's copy. If that fails, the copies in the tables decide, so that an unusable container cannot
     * block the end of a maintenance.
     */
    private MaintenanceMark kept() {
        try {
            return backups.get().last();
        } catch (ProblemException e) {
            LOG.log(
                    Level.WARNING,
                    "The maintenance mark in the container {0} could not be read, so only the copies in the tables count: {1}",
                    new Object[] {BackupContainer.NAME, e.getMessage()});
            return MaintenanceMark.NONE;
        }
    }

    /**
     * Writes the mark to the container. A failure is only logged if the tables' copies are enough; it is thrown if the
     * container still has a stricter mark, which the next command would read and apply again.
     */
    private void keep(MaintenanceMark mark, MaintenanceMark kept) {
        try {
            backups.get().keep(mark);
        } catch (ProblemException e) {
            if (!kept.strictest(mark).equals(mark)) {
                throw e;
            }
            LOG.log(
                    Level.WARNING,
                    "The maintenance mark could not be written to the container {0}; only the tables have it. Assign the role"
                            + " Storage Blob Data Contributor on that container to the identity of this command: {1}",
                    new Object[] {BackupContainer.NAME, e.getMessage()});
        }
    }
}
