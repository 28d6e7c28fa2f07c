package dev.numera.sequences.ledger;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of the series that are not under one key.
 *
 * @param first the first one in the direction of the series; the last one may be smaller
 * @param reason why an advance passed over them; null where the caller did not state it
 * @param before which key has the number before the first one; null where none has, or where the page cannot know
 * @param after as before, of the number after the last one
 */
public record LedgerGap(
        long first,
        long last,
        Kind kind,
        @Nullable String reason,
        @Nullable Neighbor before,
        @Nullable Neighbor after) {
    /** Why numbers have no key. */
    public enum Kind {
        /** An advance passed over them. */
        ADVANCED,
        /** An import left them out, and no operator has accepted that. */
        UNIMPORTED,
        /** Nothing says so, where everything is written down: rows were removed, or an old table was put back. */
        MISSING,
        /** Allocated without a key, skipped or passed over: what leaves no row. */
        UNRECORDED,
        /** They have two keys, before and after: another program wrote into the ledger. */
        TWICE
    }

    /**
     * Who has a number beside a gap.
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
