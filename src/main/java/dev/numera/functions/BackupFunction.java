package dev.numera.functions;

import com.microsoft.azure.functions.ExecutionContext;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.TimerTrigger;
import dev.numera.storage.BackupBlobs;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.logging.Level;

/** Writes a backup of all tables, on the schedule of {@code Numera_BackupSchedule}. */
public final class BackupFunction {
    /** The alert on missing backups looks for lines that begin so. */
    public static final String WRITTEN = "Backup written";
    /** The alert on failed backups looks for lines that begin so. */
    public static final String FAILED = "Backup failed";

    private final App app;

    public BackupFunction(App app) {
        this.app = app;
    }

    /**
     * Returns when the backup is there.
     *
     * @throws IOException never: nothing is written to a disk
     * @throws RuntimeException there is no backup of this time; what was written of it is invisible
     */
    @FunctionName("Backup")
    public void backUp(
            @TimerTrigger(name = "timer", schedule = "%" + Settings.BACKUP_SCHEDULE + "%") String timer,
            ExecutionContext context)
            throws IOException {
        Instant began = Instant.now();
        try {
            Backups.Written backup = app.backUp(began);
            context.getLogger()
                    .info(WRITTEN + ": " + backup.rows() + " rows to " + BackupBlobs.CONTAINER + "/" + backup.name()
                            + " in " + Duration.between(began, Instant.now()).toSeconds() + " s.");
        } catch (IOException | RuntimeException | LinkageError e) {
            context.getLogger()
                    .log(
                            Level.SEVERE,
                            FAILED + ": " + e.getMessage() + " The partial file is dropped; the next run"
                                    + " starts over. See docs/operations.md.");
            throw e;
        }
    }
}
