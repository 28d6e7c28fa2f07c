package dev.numera.core.model;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether and why a sequence allocates nothing for now: by its owner, by a maintenance of the whole service, or by
 * both. Each is lifted by whom it was set. Immutable.
 *
 * <p>Decision: {@code docs/decisions/a-suspension-is-a-mark-and-an-epoch.md}.
 *
 * @param at when the owner suspended it; null unless the owner did
 * @param actor who suspended it, as the caller stated; null where the caller did not
 * @param reason why the owner suspended it; null where the owner did not say
 * @param maintenanceAt when all sequences were suspended, or this one was restored; null unless it was
 */
public record Suspension(
        @Nullable Instant at, @Nullable String actor, @Nullable String reason, @Nullable Instant maintenanceAt) {
    public static final Suspension NONE = new Suspension(null, null, null, null);

    /** The reason of callers and of the change log where the whole service is suspended. */
    public static final String MAINTENANCE = "maintenance of the service";

    /** The reason an owner cannot resume a sequence after a restore. */
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

    /** The time that answers show; null where there is no suspension. */
    public @Nullable Instant since() {
        return maintenanceAt == null ? at : maintenanceAt;
    }

    public Suspension byOwner(Instant now, ChangeNote note) {
        return new Suspension(now, note.actor(), note.reason(), maintenanceAt);
    }

    public Suspension liftedByOwner() {
        return new Suspension(null, null, null, maintenanceAt);
    }

    /** @param since null where the maintenance is over */
    public Suspension maintenance(@Nullable Instant since) {
        return new Suspension(at, actor, reason, since);
    }

    /** Why a sequence allocates nothing; only while it is suspended. */
    public ProblemException refusal(SequenceName name) {
        String why = isMaintenance() ? MAINTENANCE : reason;
        return refusal(
                "The sequence " + name + " is suspended" + (why == null ? "" : " (" + why + ")")
                        + ": it allocates nothing until it is resumed. Known keys keep their numbers.",
                Objects.requireNonNull(since(), "There is no suspension."),
                why);
    }

    /** Why no sequence is created or revived during a maintenance. */
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
