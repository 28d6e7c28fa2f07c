package dev.numera.core.model;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a maintenance has marked for the whole service. It is read before a sequence is created or revived, and before
 * its first number is allocated. Immutable.
 *
 * @param suspendedAt when all sequences were suspended; null unless they are
 * @param creationClosedAt when the index was lost, or may have been: from then on no call for a number creates a
 *     sequence, since it may have been there before; null where calls may
 */
public record MaintenanceMark(@Nullable Instant suspendedAt, @Nullable Instant creationClosedAt) {
    public static final MaintenanceMark NONE = new MaintenanceMark(null, null);

    /** Suspended from now on, unless it is already. */
    public MaintenanceMark suspended(Instant now) {
        return suspendedAt == null ? new MaintenanceMark(now, creationClosedAt) : this;
    }

    public MaintenanceMark resumed() {
        return new MaintenanceMark(null, creationClosedAt);
    }

    public MaintenanceMark creationClosed(Instant now) {
        return creationClosedAt == null ? new MaintenanceMark(suspendedAt, now) : this;
    }

    public MaintenanceMark creationOpened() {
        return new MaintenanceMark(suspendedAt, null);
    }

    /** Combines two marks: forbids everything that either mark forbids, since the earlier of the two times. */
    public MaintenanceMark strictest(MaintenanceMark other) {
        return new MaintenanceMark(
                earliest(suspendedAt, other.suspendedAt), earliest(creationClosedAt, other.creationClosedAt));
    }

    private static @Nullable Instant earliest(@Nullable Instant one, @Nullable Instant other) {
        return one == null || other != null && other.isBefore(one) ? other : one;
    }

    /** Why a sequence may not be created or revived by its owner; empty where it may. */
    public Optional<ProblemException> refusal(SequenceName name) {
        return Optional.ofNullable(suspendedAt).map(since -> Suspension.refusalOfCreation(name, since));
    }

    /** Why a call for a number may not create a sequence; empty where it may. */
    public Optional<ProblemException> refusalOfAutomaticCreation(SequenceName name) {
        return refusal(name).or(() -> Optional.ofNullable(creationClosedAt)
                .map(since -> new ProblemException(
                        ProblemType.UNKNOWN_SEQUENCE,
                        "There is no sequence " + name + ", and calls for numbers create none: since the restore"
                                + " or failover of " + since + " it is not known which existed before. Create it with"
                                + " PUT and a start beyond its last number, or allow creation with"
                                + " numera-maintain allow-creation.")));
    }
}
