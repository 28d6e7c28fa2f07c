package dev.numera.core.retry;

import org.jspecify.annotations.Nullable;

/**
 * How a conditional write ended, as far as its answer shows.
 *
 * <p>Decision: {@code docs/decisions/a-write-without-an-answer-is-unknown.md}.
 */
public sealed interface WriteResult {
    /**
     * Committed.
     *
     * @param version the version of what was written, or null where the answer did not have it: then the next attempt
     *     must read
     */
    record Won(@Nullable String version) implements WriteResult {}

    /**
     * Refused as a whole. An intermediary that sends a request twice can make this the answer to a write that was
     * committed.
     */
    enum Lost implements WriteResult {
        /** The counter is not, or no longer, at the version that the write was computed from. */
        CHANGED,
        /**
         * A row that the write would insert is there: a key of the group is in the ledger, or else the group's last
         * number is, and the counter is behind its own ledger.
         */
        EXISTS
    }

    /** No trustworthy answer: it may have been committed, or be committed later. */
    record Unknown(StoreFailure cause) implements WriteResult {}

    /**
     * Whether it was committed, for those to whom not to know is a failure.
     *
     * @throws StoreFailure it is unknown
     */
    default boolean isWon() {
        requireKnown();
        return this instanceof Won;
    }

    /**
     * Takes a loss for what was wanted: another has written the same.
     *
     * @throws StoreFailure it is unknown
     */
    default void requireKnown() {
        if (this instanceof Unknown unknown) {
            throw unknown.cause();
        }
    }

    /** Whether a row that it would insert is there, so that it cannot be won before that row is dealt with. */
    default boolean hasClashed() {
        return this == Lost.EXISTS;
    }

    /** Whether others were faster. */
    default boolean isOvertaken() {
        return this == Lost.CHANGED;
    }
}
