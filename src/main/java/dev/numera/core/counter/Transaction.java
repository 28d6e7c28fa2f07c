package dev.numera.core.counter;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Versioned;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One conditional write: all of it happens, or nothing.
 *
 * <p>Decision: {@code docs/decisions/the-first-write-fixes-the-definition.md}.
 *
 * @param version what the counter must be at; null where there must be none, and the write makes it
 * @param rows what the ledger gains in number order. Each one is inserted where it has no version. Else it takes the
 *     place of a row at that version: allocations replace it, a range that was passed over cuts it
 * @param removed rows, each at its version, of which nothing is left
 * @param change what is kept among the sequence's changes; null where numbers are allocated. That of an import is one
 *     row for all of its writes, whichever comes first
 * @param answered the peer requests that it answers, each at the version that its row must have
 * @param definitionVersion what the sequence's definition must be at, which the write marks as in use; null where it is
 *     known to be in use and the counter is there
 */
public record Transaction(
        CounterId id,
        @Nullable String version,
        CounterState state,
        List<LedgerRow> rows,
        List<LedgerRow> removed,
        @Nullable Change change,
        List<PeerRequest> answered,
        @Nullable String definitionVersion) {
    /** How many keyed allocations one write holds at most. */
    public static final int MAX_KEYS = WriteGroup.MAX_ROWS;
    /** How many imported numbers one write holds at most, beside the definition's mark and the change of the import. */
    public static final int MAX_IMPORTED = MAX_KEYS - 2;

    /** @throws IllegalArgumentException a write that inserts a counter marks the definition */
    public Transaction {
        rows = List.copyOf(rows);
        removed = List.copyOf(removed);
        answered = List.copyOf(answered);
        if (version == null && definitionVersion == null) {
            throw new IllegalArgumentException(
                    "The counter of " + id + " would be made without a look at its definition.");
        }
    }

    /**
     * Returns the write that leaves this state, conditioned on the version of its base and, where it must mark the
     * definition, on the version of the definition.
     *
     * @param base the counter that the write was computed from
     * @param definition the definition that it was computed by
     */
    static Transaction on(
            CounterId id,
            Versioned<CounterState> base,
            Sequence definition,
            CounterState after,
            List<LedgerRow> rows,
            List<LedgerRow> removed,
            @Nullable Change change,
            List<PeerRequest> answered) {
        boolean isMarking = change != null || mustMark(base, definition);
        return new Transaction(
                id, base.version(), after, rows, removed, change, answered, isMarking ? definition.version() : null);
    }

    /**
     * Whether even a write that only allocates numbers has to mark the definition as in use: it opens the counter, or
     * the definition has never been marked. A write that moves the counter or imports numbers marks it every time,
     * because the numbers that follow may be further on than the owner knows who changes the format meanwhile.
     */
    static boolean mustMark(Versioned<CounterState> base, Sequence definition) {
        return base.isAbsent() || !definition.isInUse();
    }

    /** The same write without the rows that the ledger contains already. */
    Transaction withoutRows() {
        return new Transaction(id, version, state, List.of(), removed, change, answered, definitionVersion);
    }

    /** How many of these requests, from the first one on, fit one write. */
    public static int countThatFits(List<NumberRequest> requests) {
        int units = 0;
        int reach = 0;
        while (reach < requests.size() && reach < MAX_KEYS) {
            units += requests.get(reach).ledgerUnits();
            if (units > WriteGroup.MAX_LEDGER_UNITS) {
                break;
            }
            reach++;
        }
        return reach;
    }

    /** All that the ledger gains under keys. */
    public List<Allocation> allocations() {
        return rows.stream().flatMap(row -> row.allocations().stream()).toList();
    }

    public boolean opens() {
        return version == null;
    }

    /** Whether the write moves the counter, or settles its state after a restore, without allocating numbers. */
    public boolean isMove() {
        return change != null && change.kind() == Change.Kind.ADVANCED;
    }

    public boolean marksDefinition() {
        return definitionVersion != null;
    }
}
