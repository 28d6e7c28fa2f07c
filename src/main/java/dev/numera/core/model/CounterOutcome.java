package dev.numera.core.model;

/** The outcome of a {@link CounterRequest} that was not refused. */
public sealed interface CounterOutcome permits Allocation, CounterOutcome.Block, CounterOutcome.Accepted, Change.Move {
    /**
     * A block of numbers that an instance has reserved and allocates from memory: {@code first}, {@code first +
     * increment} and so on.
     *
     * @param after the state of the counter after the write that reserved the block
     */
    record Block(long first, int count, long increment, CounterState after) implements CounterOutcome {}

    /**
     * Numbers that an import left out and an operator accepted.
     *
     * @param period empty if the sequence is never reset
     * @param note the reason and the actor that the ledger states for all of the numbers; {@link ChangeNote#NONE} if it
     *     states several
     */
    record Accepted(String period, long first, long last, ChangeNote note) implements CounterOutcome {}
}
