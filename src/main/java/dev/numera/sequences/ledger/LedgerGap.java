package dev.numera.sequences.ledger;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A range of numbers that have no key, or two.
 *
 * @param first the first number in the direction of the series; the last one may be smaller
 * @param reason why an advance passed over the numbers; null if the caller did not state it
 * @param before the entry with the number before the first one; null if there is none, or if the page cannot know it
 * @param after the entry with the number after the last one; null as above
 */
public record LedgerGap(
        long first,
        long last,
        Kind kind,
        @Nullable String reason,
        @Nullable Neighbor before,
        @Nullable Neighbor after) {
    /** The reason why numbers have no single key. */
    public enum Kind {
        /** An advance passed over the numbers. */
        ADVANCED,
        /** An import left the numbers out, and no operator has accepted that. */
        UNIMPORTED,
        /**
         * The ledger has no row, although the sequence records every number: rows were removed, or an old table was
         * restored.
         */
        MISSING,
        /** The ledger has no row, because the numbers were allocated without a key or skipped. */
        UNRECORDED,
        /** The numbers have two keys, {@code before} and {@code after}: another program wrote into the ledger. */
        TWICE
    }

    /**
     * The entry with a number next to a gap.
     *
     * @param key null for a range that was advanced over
     */
    public record Neighbor(@Nullable String key, long number, Instant allocatedAt) {}

    boolean isOpen() {
        return after == null;
    }

    LedgerGap upTo(Neighbor neighbor) {
        return new LedgerGap(first, last, kind, reason, before, neighbor);
    }

    LedgerGap reversed() {
        return new LedgerGap(last, first, kind, reason, after, before);
    }
}
