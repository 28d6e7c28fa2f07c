package dev.numera.counter;

import org.jspecify.annotations.Nullable;

/**
 * One conditional write: all of it happens, or nothing.
 *
 * @param version what the counter must be at; null where there must be none, and the write makes it
 * @param definitionVersion what the sequence's definition must be at, which the write marks as in use; null where it is
 *     known to be in use and the counter is there
 */
public record CounterWrite(
        CounterId id,
        @Nullable String version,
        CounterState state,
        Outcome.LedgerAddition ledger,
        @Nullable String definitionVersion) {
    /** @throws IllegalArgumentException whoever makes a counter marks the definition */
    public CounterWrite {
        if (version == null && definitionVersion == null) {
            throw new IllegalArgumentException(
                    "The counter of " + id + " would be made without a look at its definition.");
        }
    }

    public boolean opens() {
        return version == null;
    }

    public boolean marksDefinition() {
        return definitionVersion != null;
    }
}
