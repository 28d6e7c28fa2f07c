package dev.numera.core.model;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The suspension of a sequence, during which it allocates no numbers. The owner and a maintenance of the whole service
 * can suspend a sequence independently; each lifts only its own suspension. Immutable.
 *
 * <p>Decision: {@code docs/decisions/a-suspension-is-a-mark-and-an-epoch.md}.
 *
 * @param at when the owner suspended the sequence; null if the owner did not
 * @param actor the person or system that suspended the sequence, as the caller stated; null if not stated
 * @param reason the owner's reason; null if not stated
 * @param maintenanceAt when a maintenance suspended all sequences, or this sequence was restored; null if neither
 *     happened
 */
public record Suspension(
        @Nullable Instant at, @Nullable String actor, @Nullable String reason, @Nullable Instant maintenanceAt) {
    public static final Suspension NONE = new Suspension(null, null, null, null);

    /** The reason that answers and the change log show while the whole service is suspended. */
    public static final String MAINTENANCE = "maintenance of the service";

    /** The reason why an owner cannot resume a sequence after a restore. */
    public static final String RESTORED =
            "restored from a backup and not advanced by a margin since: its operator advances and resumes it";

    public boolean isNone() {
        return at == null && maintenanceAt == null;
    }

    public boolean isByOwner() {
        return at != null;
    }

    public boolean isMaintenance() {
        return maintenanceAt != null;
    }

    /** Returns the time that answers show; null if there is no suspension. */
    public @Nullable Instant since() {
        return maintenanceAt == null ? at : maintenanceAt;
    }

    public Suspension byOwner(Instant now, ChangeNote note) {
        return new Suspension(now, note.actor(), note.reason(), maintenanceAt);
    }

    public Suspension liftedByOwner() {
        return new Suspension(null, null, null, maintenanceAt);
    }

    /**
     * Returns this suspension with the maintenance's suspension set or lifted.
     *
     * @param since null if the maintenance is over
     */
    public Suspension maintenance(@Nullable Instant since) {
        return new Suspension(at, actor, reason, since);
    }

    /** Returns the refusal of a suspended sequence. Call only if it is suspended. */
    public ProblemException refusal(SequenceName name) {
        String why = isMaintenance() ? MAINTENANCE : reason;
        return refusal(
                "The sequence " + name + " is suspended" + (why == null ? "" : " (" + why + ")")
                        + ": it allocates nothing until it is resumed. Known keys keep their numbers.",
                Objects.requireNonNull(since(), "There is no suspension."),
                why);
    }

    /** Returns the refusal to create or revive a sequence during a maintenance. */
    public static ProblemException refusalOfCreation(SequenceName name, Instant since) {
        return refusal(
                "The service is suspended for maintenance: " + name + " is not created or revived until it is resumed.",
                since,
                MAINTENANCE);
    }

    private static ProblemException refusal(String detail, Instant since, @Nullable String why) {
        Map<String, Object> members = new HashMap<>();
        members.put("suspendedAt", since.toString());
        if (why != null) {
            members.put("reason", why);
        }
        return new ProblemException(ProblemType.SUSPENDED, detail, members);
    }
}
