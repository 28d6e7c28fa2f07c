package dev.numera.storage;

import dev.numera.execution.Clock;
import dev.numera.execution.Deadline;
import dev.numera.execution.RetryPolicy;
import dev.numera.execution.StoreFailure;
import dev.numera.model.ServiceMark;
import dev.numera.problem.ProblemException;
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
final class ServiceMarks {
    private static final Logger LOG = Logger.getLogger(ServiceMarks.class.getName());
    private static final int MAX_TRIES = 20;
    private static final Duration TABLES_TIMEOUT = Duration.ofMinutes(1);
    /** Beyond the timeouts of the requests themselves. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final List<Table> tables;
    private final LookUps lookUps;
    private final Supplier<MarkBlobs> backups;

    /**
     * @param tables all that hold it
     * @param backups makes the container's client, when the mark is changed
     */
    ServiceMarks(List<Table> tables, LookUps lookUps, Supplier<MarkBlobs> backups) {
        this.tables = List.copyOf(tables);
        this.lookUps = lookUps;
        this.backups = backups;
    }

    /**
     * The strictest mark of all tables, read at once.
     *
     * @throws StoreFailure also where a table is missing: its mark is unknown
     */
    ServiceMark read() {
        List<Callable<ServiceMark>> reads = tables.stream()
                .map(table -> (Callable<ServiceMark>) () -> ServiceRow.read(table))
                .toList();
        return strictest(lookUps.all(reads, PATIENCE).stream());
    }

    /** A table that exists, with its row if there is one. */
    private record Place(Table table, Optional<StoredRow> row) {
        ServiceMark mark() {
            return ServiceRow.mark(row);
        }
    }

    /**
     * Changes the strictest mark, and writes the result to every table that exists and to the container of backups;
     * returns it.
     *
     * @throws StoreFailure some places may have it, and others not
     */
    ServiceMark change(UnaryOperator<ServiceMark> change) {
        ServiceMark kept = kept();
        // A container that does not answer may have used up the time of the command, which the tables need.
        ServiceMark after = Deadline.in(TABLES_TIMEOUT, Clock.SYSTEM)
                .limit(() -> RetryPolicy.untilWon(
                        Clock.SYSTEM, "The mark of the service", MAX_TRIES, () -> changeTables(kept, change)));
        if (!after.equals(kept)) {
            keep(after, kept);
        }
        return after;
    }

    private Optional<ServiceMark> changeTables(ServiceMark kept, UnaryOperator<ServiceMark> change) {
        List<Place> places = places();
        ServiceMark after =
                change.apply(kept.strictest(strictest(places.stream().map(Place::mark))));
        boolean isWon = true;
        for (Place place : places) {
            isWon &= place.mark().equals(after)
                    || ServiceRow.write(place.table(), place.row(), after).isWon();
        }
        return isWon ? Optional.of(after) : Optional.empty();
    }

    /** Returns the tables that exist. If none exists, reading the first table reports the failure. */
    private List<Place> places() {
        List<Table> there = tables.stream().filter(Table::isThere).toList();
        return (there.isEmpty() ? tables : there)
                .stream().map(table -> new Place(table, ServiceRow.find(table))).toList();
    }

    private static ServiceMark strictest(Stream<ServiceMark> marks) {
        return marks.reduce(ServiceMark.NONE, ServiceMark::strictest);
    }

    /** The tables have the mark as well, so a container that cannot be used ends no maintenance. */
    private ServiceMark kept() {
        try {
            return backups.get().last();
        } catch (ProblemException e) {
            LOG.log(
                    Level.WARNING,
                    "The mark of the service in the container {0} was not read; the tables alone decide: {1}",
                    new Object[] {BackupContainer.NAME, e.getMessage()});
            return ServiceMark.NONE;
        }
    }

    /**
     * Keeps the mark in the container, too. Where that fails the tables have it, unless the container has a stricter
     * one: that would count again as soon as the next command reads it.
     */
    private void keep(ServiceMark mark, ServiceMark kept) {
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
