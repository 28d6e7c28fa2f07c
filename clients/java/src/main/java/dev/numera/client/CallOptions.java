package dev.numera.client;

import java.time.Duration;

/**
 * The options of {@code parse} and {@code closings}; null means the default. Start with {@link #NONE}.
 *
 * @param tryFor the total time for which each request is retried
 */
public record CallOptions(Duration tryFor) {
    /** The defaults. */
    public static final CallOptions NONE = new CallOptions(null);

    /** Returns these options with a total time. */
    public CallOptions withTryFor(Duration time) {
        return new CallOptions(time);
    }
}
