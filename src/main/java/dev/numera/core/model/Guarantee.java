package dev.numera.core.model;

/** The guarantee of a sequence, in addition to never allocating a number twice. */
public enum Guarantee {
    /** Ordered in real time across all instances; a number is skipped only when a process or a reply is lost. */
    STRICT,
    /** Like {@link #STRICT}, and every number is in the ledger under its key. */
    GAPLESS,
    /** Numbers from blocks that each instance reserves for itself. */
    CACHED,
    /** Ids from a clock and a leased worker number, without a counter. */
    SNOWFLAKE
}
