package dev.numera.maintain.history;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The answer that a caller got. */
public sealed interface ObservedOutcome {
    /**
     * The numbers of an answer.
     *
     * @param status the key's status in this answer; null without a key, or when the status was not observed
     */
    record Allocated(long first, long last, int count, long increment, boolean replayed, @Nullable KeyStatus status)
            implements ObservedOutcome {
        /** Creates an answer whose status was not observed. */
        public Allocated(long first, long last, int count, long increment, boolean replayed) {
            this(first, last, count, increment, replayed, null);
        }

        boolean sameAs(Allocated other) {
            return first == other.first && last == other.last && count == other.count && increment == other.increment;
        }
    }

    /**
     * An answer without numbers.
     *
     * @param problem the problem type, as a URN or only its last part, or {@link #NO_ANSWER}
     * @param mayHaveCommitted whether the app may have consumed numbers nevertheless
     */
    record NoNumbers(String problem, boolean mayHaveCommitted) implements ObservedOutcome {
        /** The caller received no answer, or one that it could not read. */
        public static final String NO_ANSWER = "no-answer";

        private static final Set<String> MAY_HAVE_COMMITTED = Set.of("outcome-unknown", NO_ANSWER);

        /**
         * Decides from the problem type whether numbers may have been consumed. By the API's contract, only
         * {@code outcome-unknown} leaves that open; every other problem states that nothing was consumed.
         */
        public NoNumbers(String problem) {
            this(problem, MAY_HAVE_COMMITTED.contains(problem.substring(problem.lastIndexOf(':') + 1)));
        }
    }
}
