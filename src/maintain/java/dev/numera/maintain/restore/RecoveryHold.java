package dev.numera.maintain.restore;

import dev.numera.azure.RecoveryMark;
import dev.numera.azure.backup.BackupTables;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.StoreFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The hold of one process on the recovery, so that two processes do not run a recovery at the same time. The process
 * renews the hold every {@value #RENEWED_EVERY_SECONDS} s. If the process was killed, another process takes over after
 * it has watched the hold for {@link #WATCHED_FOR} without a renewal. Thread-safe.
 *
 * <p>The hold does not protect the restored rows: rows are only inserted, or deleted at the version that was listed,
 * and counters are only advanced. So a late request of a process that lost its hold changes no restored row.
 */
final class RecoveryHold implements AutoCloseable {
    /** Longer than two renewals of a running process. */
    static final Duration WATCHED_FOR = Duration.ofSeconds(20);

    private static final Logger LOG = Logger.getLogger(RecoveryHold.class.getName());
    private static final int RENEWED_EVERY_SECONDS = 5;
    private static final Duration VALID_FOR = Duration.ofSeconds(15);

    private final BackupTables tables;
    private final Clock time;
    private final String holder;
    private final ScheduledExecutorService renewals = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "recovery-hold");
        thread.setDaemon(true);
        return thread;
    });
    private RecoveryMark mark;

    private RecoveryHold(BackupTables tables, Clock time, RecoveryMark mark) {
        this.tables = tables;
        this.time = time;
        this.holder = mark.holder();
        this.mark = mark;
    }

    /**
     * Takes the hold for this process and stores the mark.
     *
     * @param mark the new mark, with the version of the stored one
     * @throws StoreFailure another process has taken the hold meanwhile
     */
    static RecoveryHold take(BackupTables tables, Clock time, RecoveryMark mark) {
        RecoveryMark held = mark.heldBy(thisProcess(), time.now());
        RecoveryMark written = tables.write(held).orElseThrow(() -> lost(tables.recovery()));
        RecoveryHold hold = new RecoveryHold(tables, time, written);
        Future<?> unused = hold.renewals.scheduleWithFixedDelay(
                hold::renew, RENEWED_EVERY_SECONDS, RENEWED_EVERY_SECONDS, TimeUnit.SECONDS);
        return hold;
    }

    /**
     * Returns the mark of the last recovery, after making sure that no process is running it; empty if there was no
     * recovery. Blocks for {@link #WATCHED_FOR} if the mark has a holder.
     *
     * @throws IllegalStateException another process is running the recovery
     */
    static Optional<RecoveryMark> unheld(BackupTables tables, Clock time, Consumer<String> progress) {
        Optional<RecoveryMark> found = tables.recovery();
        if (found.isEmpty() || found.get().holder().isEmpty()) {
            return found;
        }
        progress.accept(
                "A recovery was interrupted, or is running: watching it for " + WATCHED_FOR.toSeconds() + " s.");
        time.pause(WATCHED_FOR);
        Optional<RecoveryMark> later = tables.recovery();
        later.filter(mark -> !mark.holder().isEmpty()
                        && !mark.heldAt().equals(found.get().heldAt()))
                .ifPresent(mark -> {
                    throw new IllegalStateException("A recovery of "
                            + mark.source().backup() + " is running: "
                            + mark.holder() + " started it at " + mark.source().startedAt()
                            + ", and was last active at "
                            + mark.heldAt() + ". Wait for it, or stop it and run this command again.");
                });
        return later;
    }

    /** Returns the user, machine and process id, so that the operator can find this process. */
    private static String thisProcess() {
        return System.getProperty("user.name") + "@"
                + Optional.ofNullable(System.getenv("HOSTNAME"))
                        .or(() -> Optional.ofNullable(System.getenv("COMPUTERNAME")))
                        .orElse("localhost")
                + ", process " + ProcessHandle.current().pid();
    }

    synchronized RecoveryMark mark() {
        return mark;
    }

    /**
     * Changes the mark and renews the hold.
     *
     * @throws StoreFailure another process has taken the recovery over, or it is unknown
     */
    synchronized void change(UnaryOperator<RecoveryMark> change) {
        RecoveryMark next = change.apply(mark).heldBy(holder, time.now());
        // If storage receives the same write twice, it refuses the second one, although the first one has won.
        mark = tables.write(next)
                .or(() -> tables.recovery()
                        .filter(stored -> stored.holder().equals(holder)
                                && stored.heldAt().equals(next.heldAt())))
                .orElseThrow(() -> lost(tables.recovery()));
    }

    /** Sets the count of written rows, which the next renewal stores. */
    synchronized void written(long rows) {
        mark = mark.written(rows);
    }

    /**
     * Makes sure that this process still holds the recovery: renews the hold if it is older than {@link #VALID_FOR}.
     *
     * @throws StoreFailure another process has taken the recovery over, or it is unknown
     */
    synchronized void require() {
        if (Duration.between(mark.heldAt(), time.now()).compareTo(VALID_FOR) > 0) {
            change(UnaryOperator.identity());
        }
    }

    private synchronized void renew() {
        try {
            change(UnaryOperator.identity());
        } catch (ProblemException e) {
            LOG.log(Level.WARNING, "The hold on the recovery was not renewed: {0}", e.getMessage());
        }
    }

    /** @param stored the mark that the other process has written; empty if the table is gone */
    private static StoreFailure lost(Optional<RecoveryMark> stored) {
        String other = stored.map(mark -> ": "
                        + (mark.holder().isEmpty() ? "" : mark.holder() + ", with ") + "the backup "
                        + mark.source().backup())
                .orElse("");
        return new StoreFailure(
                "Another process has taken the recovery over" + other
                        + ". Wait for it, or stop it and run this command again.",
                false,
                null);
    }

    /** Releases the hold, so that another process can continue without watching it. */
    @Override
    public synchronized void close() {
        renewals.shutdownNow();
        try {
            tables.write(mark.heldBy("", time.now()));
        } catch (ProblemException e) {
            LOG.log(
                    Level.WARNING,
                    "The hold on the recovery was not ended, so the next command waits {0} s: {1}",
                    new Object[] {WATCHED_FOR.toSeconds(), e.getMessage()});
        }
    }
}
