package dev.numera.maintain.history;

import dev.numera.maintain.history.ObservedOutcome.Allocated;
import dev.numera.maintain.history.ObservedOutcome.NoNumbers;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One call that takes numbers.
 *
 * @param count how many numbers the caller requested; for an advance, the most it can skip
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
    /** The purpose for which a call takes numbers. */
    public enum Purpose {
        NUMBERS,
        /** The numbers stay reserved until the caller confirms or voids them. */
        RESERVATION,
        /** The number comes from another system: any number that the sequence did not allocate. */
        IMPORT,
        /** An advance skipped the numbers, so no caller may get them. */
        ADVANCE
    }

    /** Creates a request for new numbers. */
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

    /** The numbers of the answer; empty if the call got none. */
    public Optional<Allocated> numbers() {
        return outcome instanceof Allocated numbers ? Optional.of(numbers) : Optional.empty();
    }

    public boolean isImport() {
        return purpose == Purpose.IMPORT;
    }

    boolean isAdvance() {
        return purpose == Purpose.ADVANCE;
    }

    /** Whether the sequence may have consumed numbers although the caller received none. */
    public boolean mayHaveCommittedUntold() {
        return outcome instanceof NoNumbers failure && failure.mayHaveCommitted();
    }

    /** Whether this call can have taken the numbers of its key. A replay cannot. */
    boolean canHaveTaken() {
        return mayHaveCommittedUntold()
                || numbers().filter(numbers -> !numbers.replayed()).isPresent();
    }
}
