package dev.numera.maintain.restore;

import dev.numera.azure.RecoveryMark;
import dev.numera.azure.RecoveryMark.Stage;
import dev.numera.azure.TableNames;
import dev.numera.azure.backup.BackupTables;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.snowflake.WorkerStore;
import dev.numera.sequences.catalog.Maintenance;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Recovers the service from a backup: suspends it, restores the rows, advances every counter by a margin, and resumes
 * the sequences that it advanced. The instances may keep running. Memory use does not depend on the number of rows.
 *
 * <p>A recovery that was killed at any point continues if it is started again with the same backup: the
 * {@link RecoveryMark} stores its progress. Each step may be repeated, because rows are only inserted, counters are
 * only advanced, and no sequence is resumed before its counters were advanced. A recovery never deletes a table.
 *
 * <p>Calls block until the whole backup is restored. Run one recovery at a time; not thread-safe.
 *
 * <p>Decision: {@code docs/decisions/a-recovery-only-inserts-and-advances.md}.
 */
public final class Recovery {
    private final BackupTables tables;
    private final TableRestore restore;
    private final RecoveredRows rows;
    private final Maintenance maintenance;
    private final WorkerStore workers;
    private final Clock time;
    private final Consumer<String> progress;

    /**
     * The operator's request for a recovery.
     *
     * @param place the file or address of the backup, for messages
     * @param margin how many numbers to advance each counter by, 1 to {@value Maintenance#MAX_MARGIN}
     * @param fromAccount the storage account that the backup must come from; null for the account that is recovered
     */
    public record Request(String place, BackupSource backup, long margin, @Nullable String fromAccount) {}

    /** @param progress receives lines for the operator, from several threads */
    public Recovery(
            BackupTables tables, Maintenance maintenance, WorkerStore workers, Clock time, Consumer<String> progress) {
        this.tables = tables;
        this.restore = new TableRestore(tables);
        this.rows = new RecoveredRows(tables);
        this.maintenance = maintenance;
        this.workers = workers;
        this.time = time;
        this.progress = progress;
    }

    /**
     * Recovers the service, or continues an interrupted recovery from the same backup.
     *
     * @throws IOException the backup is not complete, or comes from another account; nothing was changed
     * @throws IllegalStateException the tables have rows that no recovery wrote, numbers may have been allocated since
     *     an earlier recovery, or another process is running a recovery; nothing was changed
     * @throws StoreFailure storage failed; run the same command again
     */
    public RecoveryReport run(Request request) throws IOException {
        BackupSurvey survey = survey(request);
        tables.create(TableNames.COUNTERS);
        tables.create(TableNames.BATCHES);
        RecoveryMark mark = nextMark(request, survey.contents());
        try (RecoveryHold hold = RecoveryHold.take(tables, time, mark)) {
            if (hold.mark().stage() == Stage.RESTORING) {
                restore(request, survey, hold);
                hold.change(held -> held.at(Stage.ADVANCING));
            }
            return advanceAndResume(survey, hold);
        }
    }

    /**
     * Returns a description of the steps that {@link #run} would take, one line for each. Changes nothing.
     *
     * @throws IOException like {@link #run}
     * @throws IllegalStateException like {@link #run}
     */
    public List<String> preview(Request request) throws IOException {
        BackupSurvey survey = survey(request);
        BackupReader.Contents backup = survey.contents();
        List<String> lines = new ArrayList<>();
        lines.add(request.place() + " is complete: " + backup.rows() + " rows, " + survey.sequences() + " sequences, "
                + survey.counters() + " counters; started at " + backup.startedAt() + ".");
        Optional<RecoveryMark> found = tables.exists(TableNames.COUNTERS) ? tables.recovery() : Optional.empty();
        RecoveryStart start = start(found, request, backup);
        lines.add(start.plan());
        found.filter(mark -> !mark.holder().isEmpty())
                .ifPresent(mark -> lines.add("Would first wait " + RecoveryHold.WATCHED_FOR.toSeconds()
                        + " s, and refuse if " + mark.holder() + " is still running: it started the recovery at "
                        + mark.source().startedAt() + ", and was last active at " + mark.heldAt() + "."));
        if (start.kind() == RecoveryStart.Kind.CONTINUED) {
            return lines;
        }
        lines.add("Would suspend the service, restore the rows, advance each counter by " + request.margin()
                + ", and resume.");
        boolean isIndexed = tables.exists(TableNames.SEQUENCES)
                && tables.first(TableNames.SEQUENCES).isPresent();
        lines.add(
                isIndexed
                        ? "The index exists: sequences that were created since the backup will be listed as lost."
                        : "The index is lost: creation of sequences by calls for numbers would be closed.");
        return lines;
    }

    private BackupSurvey survey(Request request) throws IOException {
        BackupSurvey survey = BackupSurvey.of(request.place(), request.backup());
        String account = survey.contents().account();
        String expected = request.fromAccount() == null ? tables.account() : request.fromAccount();
        if (!account.isEmpty() && !account.equals(expected)) {
            throw new IOException(request.place() + " is a backup of the storage account " + account + ", not of "
                    + expected + ". To restore it here all the same, add: --from-account " + account);
        }
        return survey;
    }

    /** Decides how the recovery starts, and refuses tables with rows from elsewhere. */
    private RecoveryStart start(Optional<RecoveryMark> found, Request request, BackupReader.Contents backup) {
        Instant suspendedAt = found.isEmpty() ? null : tables.markOfCounters().suspendedAt();
        RecoveryStart start = RecoveryStart.of(found, backup.checksum(), request.margin(), suspendedAt);
        start.allowedRows().ifPresent(rows::requireOnlyFrom);
        return start;
    }

    private RecoveryMark nextMark(Request request, BackupReader.Contents backup) {
        RecoveryStart start = start(RecoveryHold.unheld(tables, time, progress), request, backup);
        progress.accept(start.description());
        return start.mark(new RecoveryMark.Source(
                UUID.randomUUID().toString(), request.place(), backup.checksum(), request.margin(), time.now()));
    }

    private void restore(Request request, BackupSurvey survey, RecoveryHold hold) throws IOException {
        progress.accept("Suspending the service, and waiting until every instance honors it.");
        Instant suspendedAt = restore.suspend(time);
        hold.change(held -> held.suspended(suspendedAt));
        TableNames.ALL.forEach(tables::create);
        restore.closeCreationUnlessIndexed(suspendedAt);
        RecoveryMark mark = hold.mark();
        if (!mark.replaced().isEmpty()) {
            progress.accept("Deleting the rows of the earlier recovery.");
            rows.deleteOthers(hold);
            hold.change(RecoveryMark::withoutReplaced);
        } else if (mark.rowsWritten() == 0) {
            // An instance may have written rows after the first check, until it honored the suspension.
            rows.requireOnlyFrom(Set.of(mark.source().id()));
        }
        Progress written = new Progress("rows", survey.contents().rows(), mark.rowsWritten(), time, progress);
        ImportsDuringBackup imports = new ImportsDuringBackup(survey.contents().startedAt());
        BackupReader.Contents contents =
                rows.insert(request.place(), request.backup(), suspendedAt, hold, imports, () -> written.add(1));
        if (!contents.checksum().equals(survey.contents().checksum())) {
            throw new IOException(request.place() + " was changed while it was read. Run the command again.");
        }
        // A continued recovery must not insert rows again that are divided now.
        hold.change(held -> held.written(contents.rows()));
        imports.complete(tables, hold::require);
    }

    private RecoveryReport advanceAndResume(BackupSurvey survey, RecoveryHold hold) {
        long margin = hold.mark().source().margin();
        ChangeNote note = new ChangeNote(null, "after a restore, by the margin " + margin);
        RecoveryTally tally = new RecoveryTally();
        Progress counters = new Progress("counters", survey.counters(), 0, time, progress);
        progress.accept("Advancing the counters.");
        IntConsumer beforeGroup = size -> {
            hold.require();
            counters.add(size);
        };
        maintenance.advanceRestored(margin, note, beforeGroup, tally::add);
        // A snowflake sequence must not allocate ids before the leases of worker numbers can be read.
        int leases = workers.all().size();
        progress.accept("Resuming the sequences; " + leases + " worker numbers are leased for snowflake ids.");
        hold.change(held -> held.at(Stage.RESUMING));
        resume(hold, tally);
        return tally.report(
                survey.contents(), maintenance.lost(), tables.markOfCounters().creationClosedAt() != null);
    }

    private void resume(RecoveryHold hold, RecoveryTally tally) {
        try {
            maintenance.resumeAll((name, periods) -> {
                hold.require();
                tally.addNotResumed(name, periods);
            });
        } catch (ProblemException e) {
            // The sequences that could not be advanced cannot be resumed, for the same reason.
            if (e.isTransient() || !tally.hasFailures()) {
                throw e;
            }
        }
    }
}
