package dev.numera.maintain.history;

import org.jspecify.annotations.Nullable;

/**
 * One call that confirms or voids the numbers of a key.
 *
 * @param wanted the requested status: issued, or void with the reason that the caller sent
 * @param answered the status in the answer; null if the call was refused or not answered
 * @param problem the last part of the problem type, or {@link ObservedOutcome.NoNumbers#NO_ANSWER}; null on success
 * @param mayHaveChanged whether the app may have changed the status although the caller received no confirmation
 */
public record ObservedStatusChange(
        String process,
        String caller,
        long startNanos,
        long answeredNanos,
        String key,
        KeyStatus wanted,
        @Nullable KeyStatus answered,
        @Nullable String problem,
        boolean mayHaveChanged)
        implements Observation {
    static final String UNKNOWN_KEY = "unknown-key";
    static final String STATUS_FINAL = "status-final";

    boolean canHaveCaused(KeyStatus status, long beforeNanos) {
        return (answered != null || mayHaveChanged) && startNanos <= beforeNanos && wanted.agreesWith(status);
    }
}
