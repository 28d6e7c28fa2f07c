package dev.numera.sequence;

import dev.numera.counter.SequenceName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a sequence is.
 *
 * @param period empty where the sequence is never reset
 * @param nextText its text; null where nothing is left, or numbers have no texts
 * @param allocated how many numbers were handed out, or reserved for an instance where they are cached
 * @param left how many can still be handed out, in this round of a cycle
 * @param changedAt null before the first number
 * @param retiredAt null unless retired
 */
public record SequenceState(
        SequenceName name,
        String period,
        long next,
        @Nullable String nextText,
        long allocated,
        long left,
        @Nullable Instant changedAt,
        @Nullable Instant retiredAt) {}
