package dev.numera.model;

import dev.numera.problem.Answer;
import java.util.List;

/** What a request got. */
public sealed interface Outcome permits Allocation, Outcome.Block, Change.Move, Outcome.Imported {
    /**
     * Numbers to allocate from memory: {@code first}, {@code first + increment} and so on.
     *
     * @param after what the counter was written as
     */
    record Block(long first, int count, long increment, CounterState after) implements Outcome {}

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
}
