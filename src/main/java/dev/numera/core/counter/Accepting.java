package dev.numera.core.counter;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.PassingImport;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Series;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Computes the write that accepts numbers left out by an import, on request of an operator: the accepted numbers get
 * the operator's reason. If a ledger row also has numbers outside the accepted range, the row is split, and those
 * numbers remain left out.
 *
 * <p>The rows are read after the counter, and the write is conditioned on the counter's version. An import that
 * allocates one of the numbers in between changes the counter, so this write is lost. For one write; not thread-safe.
 */
final class Accepting {
    private final CounterId id;
    private final Versioned<CounterState> base;
    private final Sequence definition;
    private final long step;
    private final boolean isUpwards;
    private final CounterRequest.Accept request;
    private final Instant now;
    /** The lowest number of the series to accept. */
    private final long lowest;

    private final long highest;
    private final List<LedgerRow> written = new ArrayList<>();
    /** The reasons and actors that the ledger states for the numbers after this write. */
    private final Set<ChangeNote> notes = new HashSet<>();

    Accepting(
            CounterId id,
            Versioned<CounterState> base,
            Sequence definition,
            CounterRequest.Accept request,
            Instant now) {
        Series series = definition.series();
        this.id = id;
        this.base = base;
        this.definition = definition;
        this.step = Math.abs(series.increment());
        this.isUpwards = series.increment() > 0;
        this.request = request;
        this.now = now;
        this.lowest = request.lowest() + Math.floorMod(series.start() - request.lowest(), step);
        this.highest = request.highest() - Math.floorMod(request.highest() - series.start(), step);
    }

    /**
     * @param slot the slot with the request to accept
     * @param rows the ledger rows in number order, starting with the row that contains or follows the lowest number
     */
    Plan plan(String operationId, WaitingCall.Slot slot, List<LedgerRow> rows) {
        try {
            cut(rows);
        } catch (ProblemException e) {
            return Plan.refuseAll(base, List.of(slot), e, definition);
        }
        ChangeNote note = notes.size() == 1 ? notes.iterator().next() : ChangeNote.NONE;
        CounterOutcome.Accepted accepted = new CounterOutcome.Accepted(
                id.period(), isUpwards ? lowest : highest, isUpwards ? highest : lowest, note);
        CounterState state = base.value();
        if (written.isEmpty()) {
            return Plan.nothing(base, List.of(Plan.Settled.share(slot, accepted)), List.of(), List.of(), definition);
        }
        CounterState after = state.imported(state.next(), state.lastDate(), state.importedFrom(), operationId, now);
        Change change = Change.accepted(accepted, request.note(), after);
        Transaction write = Transaction.on(id, base, definition, after, written, List.of(), change, List.of());
        return new Plan(base, definition, write, slot, accepted);
    }

    /**
     * Splits the rows and accepts their numbers. Numbers that were accepted or advanced over earlier stay unchanged.
     */
    private void cut(List<LedgerRow> rows) {
        if (lowest > highest) {
            throw InvalidRequest.because("first", "must be a number of the sequence, as in a gap of the check");
        }
        long next = lowest;
        for (LedgerRow row : rows.subList(0, Math.min(rows.size(), WriteLimits.ACCEPTED))) {
            if (next > highest || row.lowest() > next) {
                break;
            }
            requirePassed(row);
            if (isLeftOut(row)) {
                accept(row);
                notes.add(request.note());
            } else {
                notes.add(row.note());
            }
            next = row.highest() + 1 + Math.floorMod(definition.series().start() - row.highest() - 1, step);
        }
        if (next <= highest) {
            throw InvalidRequest.because(
                    "last",
                    "must end a range of numbers that an import left out: no import has passed over " + next
                            + ", or these numbers are in too many rows. Send the gaps of the check one by one");
        }
    }

    private void requirePassed(LedgerRow row) {
        for (Allocation imported : row.ascending()) {
            boolean isWithin = imported.highest() >= lowest && Math.min(imported.first(), imported.last()) <= highest;
            if (isWithin) {
                throw new ProblemException(
                        ProblemType.NUMBER_TAKEN,
                        "The number " + Math.max(lowest, Math.min(imported.first(), imported.last()))
                                + " belongs to the key '" + imported.key()
                                + "' now. Check the sequence again, and accept the gaps that are left.",
                        Map.of("key", String.valueOf(imported.key())));
            }
        }
        if (!row.isAdvance()) {
            throw InvalidRequest.because(
                    "first",
                    "must start a range of numbers that an import left out: from " + Math.max(lowest, row.lowest())
                            + " on, numbers may have been allocated without a key");
        }
    }

    /**
     * Whether an import left out the numbers of the row. Rows of earlier releases name the import only in their reason.
     */
    private static boolean isLeftOut(LedgerRow row) {
        PassingImport passing = row.passing();
        return passing == null
                ? !PassingImport.idOf(Objects.requireNonNullElse(row.note().reason(), ""))
                        .isEmpty()
                : !passing.isBefore();
    }

    /**
     * Accepts the numbers of a row that are in the range, and splits off its other numbers. The ledger stores a row
     * under its highest number, so only the part with that number replaces the stored row; the others are inserted.
     */
    private void accept(LedgerRow row) {
        long from = lowest - step < row.lowest() ? row.lowest() : lowest;
        long to = highest + step > row.highest() ? row.highest() : highest;
        if (row.lowest() < from) {
            written.add(row.part(row.lowest(), from - step));
        }
        LedgerRow part = row.part(from, to);
        written.add(LedgerRow.passed(part.first(), part.last(), now, request.note(), part.version()));
        if (to < row.highest()) {
            written.add(row.part(to + step, row.highest()));
        }
    }
}
