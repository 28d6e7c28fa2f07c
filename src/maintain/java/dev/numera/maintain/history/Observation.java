package dev.numera.maintain.history;

import org.jspecify.annotations.Nullable;

/** One call as its caller observed it. All times of a history come from the same clock. Immutable. */
public sealed interface Observation permits ObservedCall, ObservedStatusChange {
    /** The process that received the call. */
    String process();

    /** The name of the caller. A caller makes one call at a time. */
    String caller();

    /** The time just before the call was sent. */
    long startNanos();

    /** The time when the caller knew the outcome. */
    long answeredNanos();

    /** The idempotency key; null if the call had none. */
    @Nullable
    String key();
}
