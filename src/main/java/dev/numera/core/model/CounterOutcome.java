package dev.numera.core.model;

/** What a request got. */
public sealed interface CounterOutcome permits Allocation, CounterOutcome.Block, CounterOutcome.Accepted, Change.Move {
    /**
     * Numbers to allocate from memory: {@code first}, {@code first + increment} and so on.
     *
     * @param after what the counter was written as
     */
    record Block(long first, int count, long increment, CounterState after) implements CounterOutcome {}

    /**
     * Numbers that an import left out and an operator accepted.
     *
     * @param period empty where the sequence is never reset
     */
    record Accepted(String period, long first, long last) implements CounterOutcome {}
}
