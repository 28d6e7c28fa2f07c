package dev.numera.maintain.history;

import dev.numera.maintain.history.ObservedOutcome.Allocated;
import dev.numera.maintain.history.ObservedOutcome.NoNumbers;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One call that takes numbers.
 *
 * @param count how many numbers were requested; of an advance, how many it can skip at most
 */
public record ObservedCall(
        String process,
        String caller,
        long startNanos,
        long answeredNanos,
        @Nullable String key,
        int count,
        ObservedOutcome outcome,
        Purpose purpose)
        implements Observation {
    /** What the call takes numbers for. */
    public enum Purpose {
        NUMBERS,
        /** As numbers, which are reserved until they are confirmed or voided. */
        RESERVATION,
        /** A number of another system: any that the sequence did not allocate. */
        IMPORT,
        /** An advance: its numbers are those that it skipped, so that no caller may get them. */
        ADVANCE
    }

    /** A request for numbers. */
    public ObservedCall(
            String process,
            String caller,
            long startNanos,
            long answeredNanos,
            @Nullable String key,
            int count,
            ObservedOutcome outcome) {
        this(process, caller, startNanos, answeredNanos, key, count, outcome, Purpose.NUMBERS);
    }

    public ObservedCall {
        if (answeredNanos < startNanos) {
            throw new IllegalArgumentException(
                    "A call was answered before it started: take both times from one clock.");
        }
    }

    /** The numbers that it was answered with. */
    public Optional<Allocated> numbers() {
        return outcome instanceof Allocated numbers ? Optional.of(numbers) : Optional.empty();
    }

    public boolean isImport() {
        return purpose == Purpose.IMPORT;
    }

    boolean isAdvance() {
        return purpose == Purpose.ADVANCE;
    }

    /** Whether numbers may have been consumed although the caller was not answered with any. */
    public boolean mayHaveCommittedUntold() {
        return outcome instanceof NoNumbers failure && failure.mayHaveCommitted();
    }

    /** Whether it can be the call that took the numbers of its key: a replay cannot. */
    boolean canHaveTaken() {
        return mayHaveCommittedUntold()
                || numbers().filter(numbers -> !numbers.replayed()).isPresent();
    }
}
