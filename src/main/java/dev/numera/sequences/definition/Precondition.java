package dev.numera.sequences.definition;

import dev.numera.core.model.Sequence;
import java.util.Set;

/**
 * What must be true of a stored definition for a change to go ahead. Immutable.
 *
 * @param isAbsence whether there must be none, or a retired one; otherwise there must be one
 * @param tags one of which the definition must have; empty for any
 */
public record Precondition(boolean isAbsence, Set<String> tags) {
    /** There is none, or it is retired ({@code If-None-Match: *}). */
    public static final Precondition ABSENT = new Precondition(true, Set.of());

    /** There is one ({@code If-Match: *}). */
    public static final Precondition PRESENT = new Precondition(false, Set.of());

    public Precondition {
        tags = Set.copyOf(tags);
    }

    /**
     * It has one of these tags ({@code If-Match}).
     *
     * @param tags at least one
     */
    public static Precondition tagged(Set<String> tags) {
        if (tags.isEmpty()) {
            throw new IllegalArgumentException("Without a tag every definition would do.");
        }
        return new Precondition(false, tags);
    }

    boolean allows(Sequence existing) {
        return tags.isEmpty() || tags.contains(existing.tag());
    }

    /**
     * Whether a weak tag is among them, which never matches (RFC 9110, section 13.1.1): an intermediary that compresses
     * answers makes tags weak.
     */
    boolean hasWeakTag() {
        return tags.stream().anyMatch(tag -> tag.startsWith("W/"));
    }

    /** Whether it may be what retired it: a call whose answer was lost is sent again with the tag of before. */
    boolean allowedToRetire(Sequence existing) {
        return existing.isRetired() && tags.contains(existing.tagBeforeRetired());
    }
}
