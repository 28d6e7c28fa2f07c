package dev.numera.core.counter;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Versioned;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One conditional write: either all its changes happen, or none.
 *
 * <p>Decision: {@code docs/decisions/the-first-write-fixes-the-definition.md}.
 *
 * @param version the version that the counter must have; null if the write creates the counter
 * @param rows the ledger rows to write, in number order. With each allocation under a key, the store also inserts a row
 *     that is found by the key and carries the operation id of the state, so a key that has numbers refuses the write.
 *     A row without a version is inserted. A row with a version replaces the stored row at that version: allocations
 *     replace it entirely, a passed-over range shortens it
 * @param removed the ledger rows to delete, each at its version, because none of their numbers remain
 * @param change the entry for the sequence's change log; null if the write allocates numbers. All writes of one import
 *     share one entry, which the first of them inserts
 * @param answered the peer requests that the write answers, each at the version that its row must have
 * @param definitionVersion the version that the sequence's definition must have; the write marks the definition as in
 *     use. Null if the counter exists and the definition is known to be in use
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
    /** @throws IllegalArgumentException the write inserts a counter without marking the definition */
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
     * Returns the write of a move. The passed-over range reaches from the previous next number to the last number
     * before the new one. Example: an advance from 5 to 10 passes over 5 to 9.
     */
    static Transaction moving(
            CounterId id,
            Versioned<CounterState> base,
            CounterState after,
            Sequence definition,
            Change.Move move,
            ChangeNote note) {
        boolean leavesRow = definition.fixed().guarantee() == Guarantee.GAPLESS && !move.isNone();
        long last = move.lastPassed(definition.series().increment());
        LedgerRow row = LedgerRow.passed(move.previousNext(), last, after.changedAt(), note, null);
        List<LedgerRow> rows = leavesRow ? List.of(row) : List.of();
        return on(id, base, definition, after, rows, List.of(), Change.advanced(move, note, after), List.of());
    }

    /**
     * Whether even a write that only allocates numbers has to mark the definition as in use. That is so if the write
     * creates the counter, or if the definition has never been marked. A write that moves the counter or imports
     * numbers marks it every time: the owner may be changing the format meanwhile, and does not know yet how far the
     * numbers have come.
     */
    static boolean mustMark(Versioned<CounterState> base, Sequence definition) {
        return base.isAbsent() || !definition.isInUse();
    }

    /** Returns the same write without the rows that the ledger contains already. */
    Transaction withoutRows() {
        return new Transaction(id, version, state, List.of(), removed, change, answered, definitionVersion);
    }

    /** Returns how many of the leading requests fit one write. */
    public static int countThatFits(List<NumberRequest> requests) {
        int units = 0;
        int reach = 0;
        while (reach < requests.size() && reach < WriteLimits.KEYS) {
            units += requests.get(reach).ledgerUnits();
            if (units > WriteLimits.LEDGER_UNITS) {
                break;
            }
            reach++;
        }
        return reach;
    }

    /** Returns the allocations that the ledger gains under keys. */
    public List<Allocation> allocations() {
        return rows.stream().flatMap(row -> row.allocations().stream()).toList();
    }

    public boolean createsCounter() {
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
