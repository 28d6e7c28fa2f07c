package dev.numera.maintain.restore;

import dev.numera.azure.RecoveryMark;
import dev.numera.azure.RecoveryMark.Stage;
import dev.numera.azure.TableNames;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The start of a recovery: new, as the continuation of an interrupted one from the same backup, or as the replacement
 * of an interrupted one from another backup. Follows from the mark of the last recovery alone. Immutable.
 *
 * @param kind of the start
 * @param found the mark of the last recovery; null exactly for a new one
 */
record RecoveryStart(Kind kind, @Nullable RecoveryMark found) {
    enum Kind {
        NEW,
        CONTINUED,
        REPLACING
    }

    RecoveryStart {
        if ((kind == Kind.NEW) != (found == null)) {
            throw new IllegalArgumentException(kind + " with the mark " + found);
        }
    }

    /**
     * Decides how a recovery starts.
     *
     * @param checksum of the backup to restore
     * @param margin the margin of the command
     * @param suspendedAt when the service was suspended; null if it is not
     * @throws IllegalStateException the last recovery can be neither continued nor replaced
     */
    static RecoveryStart of(Optional<RecoveryMark> found, String checksum, long margin, @Nullable Instant suspendedAt) {
        if (found.isEmpty()) {
            return new RecoveryStart(Kind.NEW, null);
        }
        RecoveryMark last = found.get();
        if (last.source().checksum().equals(checksum)) {
            requireContinuable(last, margin, suspendedAt);
            return new RecoveryStart(Kind.CONTINUED, last);
        }
        requireReplaceable(last, suspendedAt);
        return new RecoveryStart(Kind.REPLACING, last);
    }

    private static void requireContinuable(RecoveryMark last, long margin, @Nullable Instant suspendedAt) {
        long before = last.source().margin();
        if (before != margin) {
            throw new IllegalStateException(
                    "This recovery advances counters by " + before + ": continue it with --margin " + before
                            + ". To advance them further, run afterwards: advance MARGIN.");
        }
        if (hasResumed(last) && suspendedAt != null && !suspendedAt.equals(last.suspendedAt())) {
            throw new IllegalStateException("This recovery had resumed sequences, and the service was suspended again"
                    + " at " + suspendedAt + ". Once that maintenance is over, run: resume --all");
        }
    }

    /**
     * Refuses to replace a recovery if its sequences may have allocated numbers. Until it resumes them, every row in
     * the tables comes from the recovery itself, unless the suspension was lifted in between.
     */
    private static void requireReplaceable(RecoveryMark last, @Nullable Instant suspendedAt) {
        boolean isSuspendedSince =
                last.suspendedAt() == null || last.suspendedAt().equals(suspendedAt);
        if (hasResumed(last) || !isSuspendedSince) {
            throw new IllegalStateException("The tables were recovered from "
                    + last.source().backup() + " at "
                    + last.source().startedAt() + ", and numbers may have been allocated since. To restore another"
                    + " backup all the same, delete the tables " + TableNames.COUNTERS + " and " + TableNames.BATCHES
                    + ", wait a minute, and take a margin that also covers those numbers and the margin of that recovery, "
                    + last.source().margin() + ".");
        }
    }

    private static boolean hasResumed(RecoveryMark last) {
        return last.stage().compareTo(Stage.RESUMING) >= 0;
    }

    /** Returns the ids of the recoveries whose rows the tables may have; empty if the rows were checked already. */
    Optional<Set<String>> allowedRows() {
        return switch (kind) {
            case NEW -> Optional.of(Set.of());
            case CONTINUED -> Optional.empty();
            case REPLACING -> Optional.of(required().ids());
        };
    }

    /** Returns the mark to store. A continued recovery keeps its own source instead of this one. */
    RecoveryMark mark(RecoveryMark.Source source) {
        return switch (kind) {
            case NEW -> new RecoveryMark(source, Stage.RESTORING, null, 0, "", "", source.startedAt(), null);
            case CONTINUED -> required();
            case REPLACING ->
                new RecoveryMark(
                        source,
                        Stage.RESTORING,
                        null,
                        0,
                        String.join(",", new TreeSet<>(required().ids())),
                        "",
                        source.startedAt(),
                        required().version());
        };
    }

    /** Returns a sentence for the operator of a recovery that starts now. */
    String description() {
        return sentence("Continuing", "Replacing");
    }

    /** Returns a sentence for the operator of a dry run. */
    String plan() {
        return sentence("Would continue", "Would replace");
    }

    private String sentence(String continuing, String replacing) {
        return switch (kind) {
            case NEW -> "A new recovery.";
            case CONTINUED ->
                continuing + " the recovery that was started at "
                        + required().source().startedAt() + ", with the margin "
                        + required().source().margin() + ".";
            case REPLACING ->
                replacing + " the rows of the recovery from "
                        + required().source().backup() + ".";
        };
    }

    private RecoveryMark required() {
        return Objects.requireNonNull(found, "Only a new recovery has no mark before it.");
    }
}
