package dev.numera.sequences.definition;

import dev.numera.core.model.Sequence;
import java.util.Set;

/**
 * A condition on the stored definition for a change: {@code If-Match} or {@code If-None-Match}. Immutable.
 *
 * @param isAbsence true if no definition may exist, except a retired one; false if one must exist
 * @param tags the tags that are accepted; empty for any tag
 */
public record Precondition(boolean isAbsence, Set<String> tags) {
    /** Requires that the sequence has no definition, or a retired one ({@code If-None-Match: *}). */
    public static final Precondition ABSENT = new Precondition(true, Set.of());

    /** Requires that the sequence has a definition ({@code If-Match: *}). */
    public static final Precondition PRESENT = new Precondition(false, Set.of());

    public Precondition {
        tags = Set.copyOf(tags);
    }

    /**
     * Requires that the definition has one of these tags ({@code If-Match}).
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
     * Whether a tag is weak. A weak tag never matches (RFC 9110, section 13.1.1); an intermediary that compresses
     * answers makes tags weak.
     */
    boolean hasWeakTag() {
        return tags.stream().anyMatch(tag -> tag.startsWith("W/"));
    }

    /**
     * Whether a call with these tags may have retired the definition. A caller that lost the answer sends the call
     * again, with the tag from before the retirement.
     */
    boolean allowedToRetire(Sequence existing) {
        return existing.isRetired() && tags.contains(existing.tagBeforeRetired());
    }
}
