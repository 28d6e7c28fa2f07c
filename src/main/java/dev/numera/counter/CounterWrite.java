package dev.numera.counter;

import dev.numera.model.CounterId;
import dev.numera.model.CounterState;
import dev.numera.model.ImportedRows;
import dev.numera.model.Outcome;
import dev.numera.model.Outcome.Advanced;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One conditional write: all of it happens, or nothing.
 *
 * @param version what the counter must be at; null where there must be none, and the write makes it
 * @param advanced how it moves the counter, which is kept among the sequence's changes; null where it allocates numbers
 * @param answered the peer requests that it answers, each at the version that its row must have
 * @param imported what an import adds; null where it is none
 * @param definitionVersion what the sequence's definition must be at, which the write marks as in use; null where it is
 *     known to be in use and the counter is there
 */
public record CounterWrite(
        CounterId id,
        @Nullable String version,
        CounterState state,
        Outcome.LedgerAddition ledger,
        @Nullable Advanced advanced,
        List<PeerRequest> answered,
        @Nullable ImportedRows imported,
        @Nullable String definitionVersion) {
    /** @throws IllegalArgumentException a write that inserts a counter marks the definition */
    public CounterWrite {
        answered = List.copyOf(answered);
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
