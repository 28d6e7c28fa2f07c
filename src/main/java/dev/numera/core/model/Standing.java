package dev.numera.core.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether a sequence is in use, retired, suspended or restored: its stored state besides the definition. Immutable.
 *
 * @param isInUse whether a number may have been allocated
 * @param retiredAt null unless retired
 * @param widenedFrom the end of the range before it was last widened; null if it was not widened since the first number
 * @param suspension {@link Suspension#NONE} if the sequence is not suspended
 * @param restoreMargin how many numbers a missing counter passes over when it is opened, the margins of all restores
 *     together: a period may have opened beyond an earlier margin and been lost again; 0 for none
 * @param latestMargin how many numbers a restored counter must have been advanced by since the latest restore; 0 for
 *     none
 * @param keyForm the Unicode form that keys are stored in
 */
public record Standing(
        boolean isInUse,
        @Nullable Instant retiredAt,
        @Nullable Long widenedFrom,
        Suspension suspension,
        long restoreMargin,
        long latestMargin,
        KeyForm keyForm) {
    /** The standing of a sequence that was just created. */
    public static final Standing NEW = new Standing(false, null, null, Suspension.NONE, 0, 0, KeyForm.AS_SENT);

    boolean isRetired() {
        return retiredAt != null;
    }

    /** Whether the sequence allocates nothing new: it is retired or suspended. */
    boolean isStopped() {
        return retiredAt != null || !suspension.isNone();
    }

    Standing inUse() {
        return new Standing(true, retiredAt, widenedFrom, suspension, restoreMargin, latestMargin, keyForm);
    }

    Standing retired(@Nullable Instant at) {
        return new Standing(isInUse, at, widenedFrom, suspension, restoreMargin, latestMargin, keyForm);
    }

    Standing widenedFrom(@Nullable Long end) {
        return new Standing(isInUse, retiredAt, end, suspension, restoreMargin, latestMargin, keyForm);
    }

    Standing suspended(Suspension changed) {
        return new Standing(isInUse, retiredAt, widenedFrom, changed, restoreMargin, latestMargin, keyForm);
    }

    Standing withMargins(long all, long latest) {
        return new Standing(isInUse, retiredAt, widenedFrom, suspension, all, latest, keyForm);
    }

    Standing withKeyForm(KeyForm form) {
        return new Standing(isInUse, retiredAt, widenedFrom, suspension, restoreMargin, latestMargin, form);
    }
}
