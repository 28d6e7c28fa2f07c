package dev.numera.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one write of an import does to the ledger in number order. A row of numbers that were passed over is written
 * again where some of them come in. Immutable.
 *
 * @param note is kept with the sequence's changes
 * @param removed rows of numbers that were passed over, of which nothing is left
 */
public record ImportedRows(ImportNote note, List<Run> runs, List<Passed> passed, List<Removed> removed) {
    public ImportedRows {
        runs = List.copyOf(runs);
        passed = List.copyOf(passed);
        removed = List.copyOf(removed);
    }

    /**
     * A row of numbers that follow one another, of one revision of the format.
     *
     * @param numbers in the order of the series
     * @param version of the row of passed numbers in whose place it comes; null where there is none
     */
    public record Run(List<Allocation> numbers, @Nullable String version) {
        public Run {
            numbers = List.copyOf(numbers);
        }
    }

    /**
     * A row of numbers that were passed over.
     *
     * @param first in the direction of the series; the last one may be smaller
     * @param at when they were passed over
     * @param reason null where the caller did not state it
     * @param version of the row that is cut to this; null for a new one
     */
    public record Passed(long first, long last, Instant at, @Nullable String reason, @Nullable String version) {
        public long highest() {
            return Math.max(first, last);
        }
    }

    /** A row by its highest number. */
    public record Removed(long highest, String version) {}

    /** How many operations it takes, those of the change and of the rows by key included. */
    public int operations() {
        int keyed = runs.stream()
                .flatMap(run -> run.numbers().stream())
                .mapToInt(Allocation::rows)
                .sum();
        return 1 + keyed + runs.size() + passed.size() + removed.size();
    }
}
