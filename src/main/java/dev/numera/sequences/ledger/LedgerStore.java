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
 * Storage for reading ledgers, and for reading and setting the status of numbers. Calls throw
 * {@link dev.numera.core.retry.StoreFailure}. Thread-safe.
 */
public interface LedgerStore {
    /** Returns the allocation of a key in exactly this form, with the version of its row. Sends one point read. */
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
     * Sets the status of the numbers of a key. Loses if their row has changed since it was read.
     *
     * @throws dev.numera.core.retry.StoreFailure if the write failed and certainly stored nothing
     */
    WriteResult setStatus(SequenceName name, Versioned<Allocation> present, Status status);

    /**
     * Returns the reserved and void allocations of a counter whose highest number is in this range, in the order of
     * numbers. Sends one query for each thousand allocations.
     */
    List<Allocation> marked(CounterId id, long from, long to);

    /**
     * Returns the reserved, or the void, allocations of a sequence in the order of periods and numbers.
     *
     * @param position starts with the first allocation that reaches this position; null for all
     * @param limit 1 to 1,000
     */
    List<Allocation> markedFrom(SequenceName name, @Nullable LedgerPosition position, Status.Kind status, int limit);

    /**
     * Returns the rows that reach {@code number} or beyond, in ascending order whatever the direction of the series.
     * Sends one range query that returns no other rows.
     *
     * @param limit 1 to 1,000 rows
     */
    List<LedgerRow> rowsFrom(CounterId id, long number, int limit);

    /**
     * Returns the first rows whose highest number is in this range, in ascending order. Sends one range query that
     * returns no other rows.
     *
     * @param limit 1 to 1,000 rows
     */
    List<LedgerRow> rows(CounterId id, long from, long to, int limit);

    /**
     * Returns the first reserved, or void, allocations of a counter whose highest number is in this range, in ascending
     * order.
     *
     * @param limit 1 to 1,000
     */
    List<Allocation> marked(CounterId id, long from, long to, Status.Kind status, int limit);

    /**
     * Returns the time of the storage service, from its answer to a new request. The time may be up to a second early.
     */
    Instant time(SequenceName name);

    /**
     * Returns a page of the allocations with these document dates whose row was written at or after a time, by the
     * clock of the storage service, in no order. A page may be empty although others follow. Sends one request.
     *
     * @param wanted the dates; its numbers and its key are ignored
     * @param continuation the continuation from the previous page; null for the first page
     */
    Page<Allocation, String> writtenSince(
            SequenceName name, Instant since, LedgerFilter wanted, @Nullable String continuation);
}
