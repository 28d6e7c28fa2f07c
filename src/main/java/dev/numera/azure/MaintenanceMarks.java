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
 * The mark of the whole service. Every table and the container of backups store a copy. If copies are lost or
 * recreated, the strictest remaining copy applies. Thread-safe.
 *
 * <p>Instances read the tables only. What maintains the service reads the container, too, and writes the mark to all
 * places.
 */
public final class MaintenanceMarks {
    private static final Logger LOG = Logger.getLogger(MaintenanceMarks.class.getName());
    private static final int MAX_TRIES = 20;
    private static final Duration TABLES_TIMEOUT = Duration.ofMinutes(1);
    /** Beyond the timeouts of the requests themselves. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final List<Table> tables;
    private final ParallelReads parallelReads;
    private final Supplier<MarkBlobs> backups;

    /**
     * @param tables all that hold it
     * @param backups makes the container's client, when the mark is changed
     */
    public MaintenanceMarks(List<Table> tables, ParallelReads reads, Supplier<MarkBlobs> backups) {
        this.tables = List.copyOf(tables);
        this.parallelReads = reads;
        this.backups = backups;
    }

    /**
     * The strictest mark of all tables, read at once.
     *
     * @throws StoreFailure also where a table is missing: its mark is unknown
     */
    MaintenanceMark read() {
        List<Callable<MaintenanceMark>> reads = tables.stream()
                .map(table -> (Callable<MaintenanceMark>) () -> MaintenanceRow.read(table))
                .toList();
        return strictest(parallelReads.all(reads, PATIENCE).stream());
    }

    /** A table that exists, with its row if there is one. */
    private record Place(Table table, Optional<StoredRow> row) {
        MaintenanceMark mark() {
            return MaintenanceRow.mark(row);
        }
    }

    /**
     * Changes the strictest mark, and writes the result to every table that exists and to the container of backups;
     * returns it.
     *
     * @throws StoreFailure some places may have it, and others not
     */
    public MaintenanceMark change(UnaryOperator<MaintenanceMark> change) {
        MaintenanceMark kept = kept();
        // A container that does not answer may have used up the time of the command, which the tables need.
        MaintenanceMark after = Deadline.in(TABLES_TIMEOUT, Clock.SYSTEM)
                .limit(() -> RetryPolicy.untilWon(
                        Clock.SYSTEM, "The mark of the service", MAX_TRIES, () -> changeTables(kept, change)));
        if (!after.equals(kept)) {
            keep(after, kept);
        }
        return after;
    }

    private Optional<MaintenanceMark> changeTables(MaintenanceMark kept, UnaryOperator<MaintenanceMark> change) {
        List<Place> places = places();
        MaintenanceMark after =
                change.apply(kept.strictest(strictest(places.stream().map(Place::mark))));
        boolean isWon = true;
        for (Place place : places) {
            isWon &= place.mark().equals(after)
                    || MaintenanceRow.write(place.table(), place.row(), after).isWon();
        }
        return isWon ? Optional.of(after) : Optional.empty();
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

    /** The tables have the mark as well, so a container that cannot be used ends no maintenance. */
    private MaintenanceMark kept() {
        try {
            return backups.get().last();
        } catch (ProblemException e) {
            LOG.log(
                    Level.WARNING,
                    "The mark of the service in the container {0} was not read; the tables alone decide: {1}",
                    new Object[] {BackupContainer.NAME, e.getMessage()});
            return MaintenanceMark.NONE;
        }
    }

    /**
     * Keeps the mark in the container, too. Where that fails the tables have it, unless the container has a stricter
     * one: that would count again as soon as the next command reads it.
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
                    "The mark of the service was not written to the container {0}; only the tables have it. It needs"
                            + " the role Storage Blob Data Contributor there: {1}",
                    new Object[] {BackupContainer.NAME, e.getMessage()});
        }
    }
}
