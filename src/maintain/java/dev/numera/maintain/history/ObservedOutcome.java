package dev.numera.maintain.history;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The answer that a caller got. */
public sealed interface ObservedOutcome {
    /**
     * The allocation as it was answered.
     *
     * @param status of its key at that time; null where it has none, or none was observed
     */
    record Allocated(long first, long last, int count, long increment, boolean replayed, @Nullable KeyStatus status)
            implements ObservedOutcome {
        /** One whose status was not observed. */
        public Allocated(long first, long last, int count, long increment, boolean replayed) {
            this(first, last, count, increment, replayed, null);
        }

        boolean sameAs(Allocated other) {
            return first == other.first && last == other.last && count == other.count && increment == other.increment;
        }
    }

    /**
     * No numbers.
     *
     * @param problem the problem type, as a URN or its last part alone, or {@link #NO_ANSWER}
     * @param mayHaveCommitted true when numbers may have been consumed all the same
     */
    record NoNumbers(String problem, boolean mayHaveCommitted) implements ObservedOutcome {
        /** The caller saw no answer at all, or none that it could read. */
        public static final String NO_ANSWER = "no-answer";

        private static final Set<String> MAY_HAVE_COMMITTED = Set.of("outcome-unknown", NO_ANSWER);

        /** As the contract has it: every other problem states that nothing was consumed. */
        public NoNumbers(String problem) {
            this(problem, MAY_HAVE_COMMITTED.contains(problem.substring(problem.lastIndexOf(':') + 1)));
        }
    }
}
