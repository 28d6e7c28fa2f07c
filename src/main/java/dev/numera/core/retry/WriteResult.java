package dev.numera.core.retry;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of a conditional write, as far as the answer of storage shows it: won, refused or unknown.
 *
 * <p>Decision: {@code docs/decisions/a-write-without-an-answer-is-unknown.md}.
 */
public sealed interface WriteResult {
    /**
     * The write was committed.
     *
     * @param version the new version of the written row; null if the answer did not contain it, so that the next
     *     attempt must read
     */
    record Won(@Nullable String version) implements WriteResult {}

    /**
     * The write was refused as a whole, which does not prove it lost. If an intermediary sends the request twice, the
     * second copy can be refused although the first one was committed.
     */
    enum Refused implements WriteResult {
        /** The counter or another row was not at the version that the write was conditioned on. */
        CHANGED,
        /**
         * A row that the write would insert exists: the counter, which another instance created; a row of the ledger,
         * because a key has numbers or the counter is behind its own ledger; or another row of the write.
         */
        EXISTS
    }

    /** No trustworthy answer arrived: the write may have been committed, or may be committed later. */
    record Unknown(StoreFailure cause) implements WriteResult {}

    /**
     * Whether the write was committed.
     *
     * @throws StoreFailure it is unknown
     */
    default boolean isWon() {
        requireKnown();
        return this instanceof Won;
    }

    /**
     * Throws if the outcome is unknown. A refused write passes like a won one, because another writer has written the
     * same content.
     *
     * @throws StoreFailure it is unknown whether the write was committed
     */
    default void requireKnown() {
        if (this instanceof Unknown unknown) {
            throw unknown.cause();
        }
    }

    /** Whether a row that the write would insert exists. The write cannot win before that row is dealt with. */
    default boolean hasClashed() {
        return this == Refused.EXISTS;
    }

    /** Whether another writer was faster. */
    default boolean isOvertaken() {
        return this == Refused.CHANGED;
    }
}
