package dev.numera.functions;

import com.microsoft.azure.functions.ExecutionContext;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.TimerTrigger;
import dev.numera.azure.StorageConnection;
import dev.numera.azure.backup.BackupBlobs;
import dev.numera.azure.backup.TableExport;
import dev.numera.core.problem.ProblemException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.logging.Level;

/**
 * Writes a backup of all tables to a blob, on the schedule of {@code Numera_BackupSchedule}. No other function uses the
 * backup classes, so they are not loaded before the first backup.
 *
 * <p>Decision: {@code docs/decisions/each-timer-is-a-function.md}.
 */
public final class BackupFunction {
    /** The start of the log line for a written backup. The alert on missing backups looks for it. */
    public static final String WRITTEN = "Backup written";
    /** The start of the log line for a failed backup. The alert on failed backups looks for it. */
    public static final String FAILED = "Backup failed";

    /** Formats the name of a backup, so that the order of names is the order of time. */
    private static final DateTimeFormatter NAMED_AT = DateTimeFormatter.ofPattern(
                    "'numera-'uuuuMMdd'T'HHmmss'Z.jsonl.gz'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final App app;

    public BackupFunction(App app) {
        this.app = app;
    }

    /**
     * Returns when the backup is complete.
     *
     * @throws IOException never, because nothing is written to a disk
     * @throws RuntimeException the backup failed; its partial content is invisible
     */
    @FunctionName("Backup")
    public void backUp(
            @TimerTrigger(name = "timer", schedule = "%" + Settings.BACKUP_SCHEDULE + "%") String timer,
            ExecutionContext context)
            throws IOException {
        Instant began = Instant.now();
        try {
            String backup = write(app.settings(), NAMED_AT.format(began));
            context.getLogger()
                    .info(WRITTEN + ": " + backup + " in "
                            + Duration.between(began, Instant.now()).toSeconds() + " s.");
        } catch (IOException | RuntimeException | LinkageError e) {
            context.getLogger()
                    .log(
                            Level.SEVERE,
                            FAILED + ": " + e.getMessage() + " The partial file is dropped; the next run"
                                    + " starts over. See docs/operations.md.");
            throw e;
        }
    }

    /**
     * Writes the backup; its blob exists only when it is complete. Returns the number of rows and the blob's name, for
     * the log.
     *
     * @throws ProblemException a request to storage failed, after retries
     */
    private static String write(Settings settings, String name) throws IOException {
        StorageConnection connection = settings.storage();
        BackupBlobs backups = new BackupBlobs(connection);
        if (settings.createsTables()) {
            backups.create();
        }
        long rows = new TableExport(connection).exportTo(backups, name, InstantSource.system());
        return rows + " rows to " + BackupBlobs.CONTAINER + "/" + name;
    }
}
