package dev.numera.core.model;

import dev.numera.core.problem.PrintableText;
import dev.numera.core.problem.ProblemException;
import org.jspecify.annotations.Nullable;

/**
 * Who changed something and why, by the caller's word: it proves nothing. Immutable.
 *
 * @param actor null where the caller did not state it
 * @param reason null where the caller did not state it
 */
public record ChangeNote(@Nullable String actor, @Nullable String reason) {
    public static final ChangeNote NONE = new ChangeNote(null, null);

    public static ChangeNote by(@Nullable String actor) {
        return new ChangeNote(actor, null);
    }

    /** @throws ProblemException {@code invalid-request} for a reason that cannot be kept */
    public void requireReason() {
        if (reason != null) {
            PrintableText.REASON.require("reason", reason);
        }
    }
}
