package dev.numera.batch;

import dev.numera.model.SequenceName;
import dev.numera.model.Take;
import dev.numera.problem.ProblemException;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Requests to one sequence that belong together and get their numbers in the order listed. Each has a key, which makes
 * it safe to send the batch again.
 */
public record Batch(SequenceName sequence, List<Take> takes) {
    public Batch {
        takes = List.copyOf(takes);
    }

    /**
     * So many numbers for each key.
     *
     * @param date null for the day on which the batch was sent
     * @throws ProblemException {@code invalid-request} for a key or the count
     */
    public static Batch of(
            SequenceName sequence, List<String> keys, int count, @Nullable LocalDate date, boolean isReserved) {
        return new Batch(
                sequence,
                keys.stream().map(key -> new Take(key, count, date, isReserved)).toList());
    }
}
