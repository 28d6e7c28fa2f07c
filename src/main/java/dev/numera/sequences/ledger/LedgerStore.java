package dev.numera.sequences.ledger;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.KeyForms;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.Page;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.model.Versioned;
import dev.numera.core.retry.WriteResult;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where ledgers are read, and where the status of a key's numbers is kept. Calls throw
 * {@link dev.numera.core.retry.StoreFailure}. Thread-safe.
 */
public interface LedgerStore {
    /** The allocation of a key in exactly this form, with the version of its row by key: one point read. */
    Optional<Versioned<Allocation>> findKey(SequenceName name, String key);

    /**
     * Returns the allocation under the first form of the key that the ledger contains. Needs one read if the ledger
     * contains the key as sent.
     */
    static Optional<Versioned<Allocation>> findSent(LedgerStore store, SequenceName name, String key) {
        return KeyForms.of(key).stream()
                .flatMap(form -> store.findKey(name, form).stream())
                .findFirst();
    }

    /**
     * Sets the status of the numbers of a key, on condition that their row is still at the version that was read.
     *
     * @throws dev.numera.core.retry.StoreFailure surely nothing was written
     */
    WriteResult setStatus(SequenceName name, Versioned<Allocation> present, Status status);

    /**
     * The reserved and void allocations of a counter whose highest number is one of these, in the order of numbers. One
     * query for each thousand of them.
     */
    List<Allocation> marked(CounterId id, long from, long to);

    /**
     * What is reserved, or void, of a sequence in the order of periods and numbers.
     *
     * @param position from the allocation on that reaches it; null for all of them
     * @param limit 1 to 1,000
     */
    List<Allocation> markedFrom(SequenceName name, @Nullable LedgerPosition position, Status.Kind status, int limit);

    /**
     * The rows that reach {@code number} or beyond, in the order of numbers, whatever the direction of the series: one
     * range query that returns no other rows.
     *
     * @param limit 1 to 1,000 rows
     */
    List<LedgerRow> rowsFrom(CounterId id, long number, int limit);

    /** The store's own time, from an answer to a request of now; it may be a second early. */
    Instant time(SequenceName name);

    /**
     * The allocations with these documents' dates whose row by key was written at a time or later, by the store's own
     * times, in no order. A page may be empty and yet not the last; one request.
     *
     * @param wanted the dates; the numbers and the key in it do not matter
     * @param continuation of the page before; null on the first one
     */
    Page<Allocation, String> writtenSince(
            SequenceName name, Instant since, LedgerFilter wanted, @Nullable String continuation);
}
