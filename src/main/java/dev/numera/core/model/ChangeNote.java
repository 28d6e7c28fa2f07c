package dev.numera.core.model;

import dev.numera.core.problem.PrintableText;
import dev.numera.core.problem.ProblemException;
import org.jspecify.annotations.Nullable;

/**
 * The actor of a change and the reason, both as the caller stated and not verified. Immutable.
 *
 * @param actor null if the caller stated none
 * @param reason null if the caller stated none
 */
public record ChangeNote(@Nullable String actor, @Nullable String reason) {
    public static final ChangeNote NONE = new ChangeNote(null, null);

    public static ChangeNote by(@Nullable String actor) {
        return new ChangeNote(actor, null);
    }

    /**
     * @throws ProblemException {@code invalid-request} if the reason is too long or contains characters that are not
     *     printable
     */
    public void requireReason() {
        if (reason != null) {
            PrintableText.REASON.require("reason", reason);
        }
    }
}
