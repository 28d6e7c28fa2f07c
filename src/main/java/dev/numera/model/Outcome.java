package dev.numera.model;

import dev.numera.problem.Answer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a request got. */
public sealed interface Outcome
        permits Allocation, Outcome.Block, Outcome.Advanced, Outcome.Imported, Outcome.Outdated {
    /**
     * Numbers to allocate from memory: {@code first}, {@code first + increment} and so on.
     *
     * @param after what the counter was written as
     */
    record Block(long first, int count, long increment, CounterState after) implements Outcome {}

    /** The counter was moved. */
    record Advanced(long previousNext, long next, ChangeNote note) implements Outcome {
        /** The last number before the new next one, wherever it was passed over. */
        public long lastPassed() {
            return next - Long.signum(next - previousNext);
        }
    }

    /**
     * The result of the first numbers of an import: as many of them as were sent or fit one write.
     *
     * @param numbers each as the ledger has it now, replayed where it was there before; or why it may not
     */
    record Imported(List<Answer<Allocation>> numbers) implements Outcome {
        public Imported {
            numbers = List.copyOf(numbers);
        }
    }

    /**
     * Nothing: the definition's fixed fields are not, or no longer, those that the counter was made for, so that the
     * present ones decide; or the counter is missing and has to be opened first, by {@link Request.Skip#opening}.
     */
    record Outdated() implements Outcome {}

    /**
     * What a ledger gains with one write, in number order: either keyed allocations, or a range that was advanced over.
     *
     * @param advanced null for none
     */
    record LedgerAddition(List<Allocation> allocations, @Nullable Advanced advanced) {
        public static final LedgerAddition NONE = new LedgerAddition(List.of(), null);

        public LedgerAddition {
            allocations = List.copyOf(allocations);
        }

        /** The number by which the row in number order is named; only for one that is not empty. */
        public long highest() {
            return advanced == null
                    ? Math.max(
                            allocations.get(0).first(),
                            allocations.get(allocations.size() - 1).last())
                    : Math.max(advanced.previousNext(), advanced.lastPassed());
        }

        public boolean isEmpty() {
            return allocations.isEmpty() && advanced == null;
        }
    }
}
