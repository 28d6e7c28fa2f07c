package dev.numera.definition;

import org.jspecify.annotations.Nullable;

/**
 * What a definition says to people, and no number depends on. Immutable.
 *
 * @param contact whom to ask about the sequence
 * @param warnAtPercent the share of the range at which a warning is logged, from 1 to 100
 */
public record Remarks(@Nullable String description, @Nullable String contact, int warnAtPercent) {
    public static final int WARN_AT_PERCENT = 90;
    public static final Remarks NONE = new Remarks(null, null, WARN_AT_PERCENT);
}
