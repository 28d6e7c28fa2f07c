package dev.numera.core.model;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The mark that a maintenance sets for the whole service. Instances read it before they create or revive a sequence,
 * and before they allocate its first number. Immutable.
 *
 * @param suspendedAt when all sequences were suspended; null if they are not suspended
 * @param creationClosedAt when the index of sequences was lost, or may have been lost. Since then, no request for
 *     numbers creates a sequence, because a sequence of that name may have existed before. Null if such requests may
 *     create sequences
 */
public record MaintenanceMark(@Nullable Instant suspendedAt, @Nullable Instant creationClosedAt) {
    public static final MaintenanceMark NONE = new MaintenanceMark(null, null);

    /** Returns this mark with all sequences suspended, since {@code now} unless they already are. */
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

    /**
     * Returns a mark that forbids everything that this or the other mark forbids, since the earlier of the two times.
     */
    public MaintenanceMark strictest(MaintenanceMark other) {
        return new MaintenanceMark(
                earliest(suspendedAt, other.suspendedAt), earliest(creationClosedAt, other.creationClosedAt));
    }

    private static @Nullable Instant earliest(@Nullable Instant one, @Nullable Instant other) {
        return one == null || other != null && other.isBefore(one) ? other : one;
    }

    /** Returns the refusal to create or revive a sequence for its owner; empty if that is allowed. */
    public Optional<ProblemException> refusal(SequenceName name) {
        return Optional.ofNullable(suspendedAt).map(since -> Suspension.refusalOfCreation(name, since));
    }

    /** Returns the refusal to create a sequence for a request for numbers; empty if that is allowed. */
    public Optional<ProblemException> refusalOfAutomaticCreation(SequenceName name) {
        return refusal(name).or(() -> Optional.ofNullable(creationClosedAt)
                .map(since -> new ProblemException(
                        ProblemType.UNKNOWN_SEQUENCE,
                        "There is no sequence " + name + ", and a request for numbers does not create it now: since the"
                                + " restore or failover of " + since + " it is unknown which sequences existed before."
                                + " Create it with PUT and a start beyond its last number, or let an operator allow"
                                + " creation again with numera-maintain allow-creation.")));
    }
}
