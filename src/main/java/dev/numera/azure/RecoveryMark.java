package dev.numera.azure;

import com.azure.data.tables.models.TableEntity;
import dev.numera.core.problem.EnumWord;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a recovery that fills the tables, stored as a row of the table of counters. The format is a public
 * contract, described in docs/tables.md. The row names the backup and the stage, so that an interrupted command can be
 * started again, and the process that runs it, so that two commands do not interfere. Immutable.
 *
 * @param source the backup that the recovery restores
 * @param suspendedAt when the service was suspended for the recovery; null before that
 * @param rowsWritten how many rows of the backup, from its start, are certainly in the tables
 * @param replaced the ids of the interrupted recoveries whose rows this recovery replaces, separated by commas; empty
 *     for none
 * @param holder the user, machine and process that run the recovery; empty when no command runs
 * @param heldAt when that process last wrote this row
 * @param version of the row as read, for the next write; null for a row that is not written yet
 */
public record RecoveryMark(
        Source source,
        Stage stage,
        @Nullable Instant suspendedAt,
        long rowsWritten,
        String replaced,
        String holder,
        Instant heldAt,
        @Nullable String version) {
    /** The column of restored rows that contains the id of their recovery. */
    public static final String COLUMN = "recoveryId";

    private static final String ROW = "recovery";
    private static final int MAX_BACKUP_UNITS = 1_000;
    private static final int MAX_HOLDER_UNITS = 1_000;

    /** The stages of a recovery, in order. Later stages assume that the earlier ones are complete. */
    public enum Stage {
        /** Rows of the backup are being written; all sequences are suspended. */
        RESTORING,
        /** All rows are written, and counters are being advanced; all sequences are suspended. */
        ADVANCING,
        /** Sequences were resumed, so numbers may have been allocated since. */
        RESUMING
    }

    /**
     * The backup and the settings of a recovery. They stay the same when the command is started again.
     *
     * @param id a random id, which each restored row has in the column {@link #COLUMN}
     * @param backup the place of the backup, as the operator named it
     * @param checksum the SHA-256 of the backup, from its last line
     * @param margin how many numbers each counter is advanced by
     * @param startedAt when the command was started for the first time
     */
    public record Source(String id, String backup, String checksum, long margin, Instant startedAt) {}

    /** Returns the ids in the restored rows of this recovery and of the interrupted ones that it replaces. */
    public Set<String> ids() {
        return replaced.isEmpty()
                ? Set.of(source.id())
                : Stream.concat(Stream.of(source.id()), Stream.of(replaced.split(",")))
                        .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns this recovery at another stage. */
    public RecoveryMark at(Stage next) {
        Copy copy = new Copy();
        copy.stage = next;
        return copy.mark();
    }

    /** Returns this recovery as run by a process at this time; by none if the process is empty. */
    public RecoveryMark heldBy(String process, Instant now) {
        Copy copy = new Copy();
        copy.holder = process;
        copy.heldAt = now;
        return copy.mark();
    }

    /** Returns this recovery with the service suspended since this time. */
    public RecoveryMark suspended(Instant since) {
        Copy copy = new Copy();
        copy.suspendedAt = since;
        return copy.mark();
    }

    /** Returns this recovery with this many rows of the backup written. */
    public RecoveryMark written(long rows) {
        Copy copy = new Copy();
        copy.rowsWritten = rows;
        return copy.mark();
    }

    /** Returns this recovery after the rows of the replaced recovery are deleted. */
    public RecoveryMark withoutReplaced() {
        Copy copy = new Copy();
        copy.replaced = "";
        return copy.mark();
    }

    /**
     * Reads the mark; empty if no recovery has written to this table.
     *
     * @throws StoreFailure the table cannot be read, or the row is not readable
     */
    public static Optional<RecoveryMark> find(Table counters) {
        return counters.find(MaintenanceRow.PARTITION, ROW).map(RecoveryMark::read);
    }

    private static RecoveryMark read(StoredRow row) {
        Source source = new Source(
                row.text(COLUMN, 1, StoredRow.MAX_ID_UNITS),
                row.text("backup", 1, MAX_BACKUP_UNITS),
                row.text("checksum", 1, StoredRow.MAX_ID_UNITS),
                row.int64("margin", 1, Long.MAX_VALUE),
                row.instant("startedAt"));
        return new RecoveryMark(
                source,
                row.choice("stage", Stage.class),
                row.instantOrNull("suspendedAt"),
                row.int64("rowsWritten", 0, Long.MAX_VALUE),
                row.text("replaced", 0, StoredRow.MAX_ID_UNITS),
                row.text("holder", 0, MAX_HOLDER_UNITS),
                row.instant("heldAt"),
                row.version());
    }

    /**
     * Writes the mark if the row is still as this mark was read; returns it with its new version.
     *
     * @return empty if another process wrote the row meanwhile
     * @throws StoreFailure the outcome is unknown
     */
    public Optional<RecoveryMark> write(Table counters) {
        TableEntity row = new TableEntity(MaintenanceRow.PARTITION, ROW)
                .addProperty(COLUMN, source.id())
                .addProperty("backup", source.backup())
                .addProperty("checksum", source.checksum())
                .addProperty("margin", source.margin())
                .addProperty("startedAt", source.startedAt().toString())
                .addProperty("stage", EnumWord.of(stage))
                .addProperty("suspendedAt", MaintenanceRow.text(suspendedAt))
                .addProperty("rowsWritten", rowsWritten)
                .addProperty("replaced", replaced)
                .addProperty("holder", holder)
                .addProperty("heldAt", heldAt.toString());
        WriteResult result = version == null ? counters.insert(row) : counters.change(row, version);
        result.requireKnown();
        return result instanceof WriteResult.Won won ? Optional.of(at(won.version())) : Optional.empty();
    }

    private RecoveryMark at(@Nullable String newVersion) {
        Copy copy = new Copy();
        copy.version = newVersion;
        return copy.mark();
    }

    /** A mutable copy of the mark, so that each change names only the fields that it changes. */
    private final class Copy {
        private Stage stage = RecoveryMark.this.stage;
        private @Nullable Instant suspendedAt = RecoveryMark.this.suspendedAt;
        private long rowsWritten = RecoveryMark.this.rowsWritten;
        private String replaced = RecoveryMark.this.replaced;
        private String holder = RecoveryMark.this.holder;
        private Instant heldAt = RecoveryMark.this.heldAt;
        private @Nullable String version = RecoveryMark.this.version;

        RecoveryMark mark() {
            return new RecoveryMark(source, stage, suspendedAt, rowsWritten, replaced, holder, heldAt, version);
        }
    }
}
