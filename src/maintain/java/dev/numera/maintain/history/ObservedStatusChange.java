package dev.numera.maintain.history;

import org.jspecify.annotations.Nullable;

/**
 * One call that confirms or voids the numbers of a key.
 *
 * @param wanted issued, or voided with the reason that was sent
 * @param answered the status that the answer contains; null where it was refused, or not answered
 * @param problem the last part of the problem type, or {@link ObservedOutcome.NoNumbers#NO_ANSWER}; null where it was
 *     done
 * @param mayHaveChanged whether the status may be changed although the caller was not answered so
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
