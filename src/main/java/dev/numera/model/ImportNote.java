package dev.numera.model;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which import brings numbers. Immutable.
 *
 * @param id of its own
 * @param sentAt when it was sent, by the clock of the process that took it
 * @param actor who sent it, as the caller stated; null where the caller did not
 */
public record ImportNote(String id, Instant sentAt, @Nullable String actor) {
    /**
     * Between the clocks of two instances; an import is kept for a day at least, and its id is used again only then.
     */
    private static final Duration SKEW = Duration.ofHours(1);

    /** Whether this import wrote it, and none before it that was sent under the same key. */
    public boolean imported(Allocation allocation) {
        return id.equals(allocation.importId()) && allocation.allocatedAt().isAfter(sentAt.minus(SKEW));
    }
}
