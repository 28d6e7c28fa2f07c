package dev.numera.sequences.ledger;

import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.Clock;
import dev.numera.sequences.access.CounterReader;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.SequenceCalls;
import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * Checks that every number is accounted for. Reads the counter before the ledger and judges only the numbers before its
 * next one, so a number that is allocated meanwhile never looks like a gap. Thread-safe; calls block for storage
 * requests, and fail with a {@link ProblemException}.
 */
public final class LedgerCheck {
    private final SequenceCalls calls;
    private final CounterReader reader;
    private final LedgerStore store;
    private final DefinitionStore definitions;
    private final Clock time;

    public LedgerCheck(
            SequenceCalls calls, CounterReader reader, LedgerStore store, DefinitionStore definitions, Clock time) {
        this.definitions = definitions;
        this.calls = calls;
        this.reader = reader;
        this.store = store;
        this.time = time;
    }

    /**
     * Judges a page of one period: at most 1,000 rows of the ledger.
     *
     * @param from the least requested number, at least -4·10^18
     * @param to the greatest requested number, at most 4·10^18
     * @param date chooses the period; null for all periods, one after the other
     * @param reservedBefore counts only numbers that were reserved before this time; null for all
     * @param position where the page starts; null for the first page
     * @throws ProblemException {@code unknown-sequence}; {@code not-for-guarantee} if the sequence keeps no ledger;
     *     {@code rolled-back} if the counters were lost
     */
    public CheckedPage<LedgerPosition> check(
            SequenceName name,
            long from,
            long to,
            @Nullable LocalDate date,
            @Nullable Instant reservedBefore,
            @Nullable LedgerPosition position) {
        return calls.at(name, call -> {
            Instant checkedAt = time.now();
            Sequence known = call.recorded();
            String first = date != null ? known.counter(date).period() : position == null ? "" : position.period();
            LedgerPeriod period = LedgerPeriod.first(reader.from(call, known, first, 2), date == null ? null : first)
                    .orElse(null);
            if (period == null) {
                return CheckedPage.empty(first, null, checkedAt, null);
            }
            LedgerFilter wanted = new LedgerFilter(position == null ? from : position.number(), to);
            GapFinder gapFinder = account(call, known, period.counter().orThrow(), wanted);
            judge(call, new CounterId(name, period.id()), gapFinder, reservedBefore);
            LedgerPosition next = gapFinder.isClosed()
                    ? begin(period.following(), from)
                    : new LedgerPosition(period.id(), gapFinder.next());
            return gapFinder.page(period.id(), checkedAt, next);
        });
    }

    /** Returns a finder for the numbers of one counter. It recognizes the ranges that imports left out. */
    GapFinder account(SequenceCalls.SequenceCall call, Sequence known, CounterState counter, LedgerFilter wanted) {
        return new GapFinder(known.fixed(), counter, wanted, new LeftOut(call, definitions)::test);
    }

    private static @Nullable LedgerPosition begin(@Nullable String period, long from) {
        return period == null ? null : new LedgerPosition(period, from);
    }

    /** Reads at most 1,000 rows, and then the reserved and void numbers among them. */
    void judge(SequenceCalls.SequenceCall call, CounterId id, GapFinder gapFinder, @Nullable Instant reservedBefore) {
        read(call, id, gapFinder);
        if (gapFinder.hasAllocated()) {
            gapFinder.count(call.retry(() -> store.marked(id, gapFinder.from(), gapFinder.reach())), reservedBefore);
        }
    }

    private void read(SequenceCalls.SequenceCall call, CounterId id, GapFinder gapFinder) {
        LedgerCursor<LedgerRow> rows =
                LedgerCursor.rows(call, store, id, new LedgerFilter(gapFinder.readsFrom(), Long.MAX_VALUE));
        while (rows.hasNext() && !gapFinder.isOver()) {
            rows.next(LedgerCursor.ROWS_AT_ONCE).forEach(gapFinder::add);
        }
        if (rows.isAtEnd()) {
            gapFinder.close();
        }
    }
}
