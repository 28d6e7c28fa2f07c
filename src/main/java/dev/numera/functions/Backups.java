package dev.numera.functions;

import dev.numera.problem.ProblemException;
import dev.numera.storage.BackupBlobs;
import dev.numera.storage.StorageConnection;
import dev.numera.storage.TableCopy;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Writes backups to blobs. A class of its own, so that none of what it takes is loaded before the first backup. */
record Backups(Settings settings) {
    /** The order of names is the order of time. */
    private static final DateTimeFormatter NAMED_AT = DateTimeFormatter.ofPattern(
                    "'numera-'uuuuMMdd'T'HHmmss'Z.jsonl.gz'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    /**
     * A backup that is there.
     *
     * @param name of the blob
     */
    record Written(String name, long rows) {}

    /**
     * Writes all tables to a blob that is named after the time, and is there only when it is whole.
     *
     * @throws ProblemException a request to storage failed for good
     */
    Written write(Instant now) throws IOException {
        StorageConnection connection = settings.storage();
        BackupBlobs backups = new BackupBlobs(connection);
        if (settings.createsTables()) {
            backups.create();
        }
        String name = NAMED_AT.format(now);
        return new Written(name, new TableCopy(connection).exportTo(backups, name, InstantSource.system()));
    }
}
