package dev.numera.client;

import java.time.Duration;

/**
 * The options of {@code find}; null means the default. Start with {@link #NONE}.
 *
 * @param scope the only scope to search; all by default
 * @param tryFor the total time for which each request is retried
 */
public record FindOptions(String scope, Duration tryFor) {
    /** The defaults. */
    public static final FindOptions NONE = new FindOptions(null, null);

    /** Returns these options with a scope. */
    public FindOptions withScope(String only) {
        return new FindOptions(only, tryFor);
    }

    /** Returns these options with a total time. */
    public FindOptions withTryFor(Duration time) {
        return new FindOptions(scope, time);
    }
}
