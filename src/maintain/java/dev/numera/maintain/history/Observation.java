package dev.numera.maintain.history;

import org.jspecify.annotations.Nullable;

/** One call as its caller observed it. The times are of one clock for all calls of a history. Immutable. */
public sealed interface Observation permits ObservedCall, ObservedStatusChange {
    /** The process that was called. */
    String process();

    /** The one who called; a caller has one call at a time. */
    String caller();

    /** When the call was about to be sent. */
    long startNanos();

    /** When its outcome was known. */
    long answeredNanos();

    /** Null when none was sent. */
    @Nullable
    String key();
}
