package dev.numera.sequences.ledger;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.Page;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Status;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Clock;
import dev.numera.sequences.access.CounterReader;
import dev.numera.sequences.access.SequenceCalls;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the ledger from its newest entry. The last period comes first. Each period starts with the number that is
 * farthest in the direction of the increment. Thread-safe; calls block for storage requests, and throw
 * {@link dev.numera.core.retry.StoreFailure}.
 */
final class DescendingPages {
    /** The most storage requests of a page. */
    static final int MAX_REQUESTS = 40;
    /** Requests that end a step that has begun: for the last row, for statuses, and for the definition. */
    private static final int OF_LAST_STEP = 6;

    private final LedgerStore store;
    private final LedgerLines lines;
    private final MarkedLines marked;
    private final PeriodLines ascending;
    private final CounterReader reader;
    private final Clock time;

    DescendingPages(
            LedgerStore store,
            LedgerLines lines,
            MarkedLines marked,
            PeriodLines ascending,
            CounterReader reader,
            Clock time) {
        this.store = store;
        this.lines = lines;
        this.marked = marked;
        this.ascending = ascending;
        this.reader = reader;
        this.time = time;
    }

    /** Returns a page; see {@link LedgerReader#readNewestFirst}. */
    Page<LedgerLine, LedgerPosition> read(
            SequenceCalls.SequenceCall call,
            LedgerFilter wanted,
            @Nullable LocalDate date,
            @Nullable LedgerPosition position,
            int limit) {
        Sequence known = call.recorded();
        RequestBudget requests = new RequestBudget(call, MAX_REQUESTS - OF_LAST_STEP);
        DescendingPeriods.Bounds bounds = bounds(known, wanted, date, position);
        LocalDate today = known.fixed().day(time.now());
        DescendingPeriods periods = new DescendingPeriods(reader, call, known, requests, bounds, today);
        List<LedgerLine> entries = new ArrayList<>();
        long first = start(known, wanted);
        boolean isFull = false;
        while (!isFull) {
            Map.Entry<String, Result<CounterState>> period = periods.next();
            if (period == null) {
                break;
            }
            long start = position != null && position.period().equals(period.getKey()) ? position.number() : first;
            Page<LedgerLine, LedgerPosition> page =
                    page(new OnePeriod(call, known, requests, period), wanted, start, limit - entries.size());
            entries.addAll(page.items());
            if (page.next() != null) {
                return new Page<>(entries, page.next());
            }
            isFull = entries.size() == limit || !requests.hasLeft();
        }
        String rest = periods.rest();
        return new Page<>(entries, rest == null ? null : new LedgerPosition(rest, first));
    }

    /** One period of a page, with its counter. */
    private record OnePeriod(
            SequenceCalls.SequenceCall call,
            Sequence known,
            RequestBudget requests,
            Map.Entry<String, Result<CounterState>> counter) {
        private CounterId id() {
            return new CounterId(known.name(), counter.getKey());
        }

        private long increment() {
            return known.fixed().increment();
        }

        private DescendingCursor.Numbers series() {
            CounterState state = counter.getValue().value();
            return new DescendingCursor.Numbers(
                    state == null ? null : (Long) state.next(),
                    increment(),
                    known.definition().minValue());
        }
    }

    private static long start(Sequence known, LedgerFilter wanted) {
        return known.fixed().increment() > 0 ? wanted.to() : wanted.from();
    }

    private static DescendingPeriods.Bounds bounds(
            Sequence known, LedgerFilter wanted, @Nullable LocalDate date, @Nullable LedgerPosition position) {
        if (date != null || known.fixed().isNeverReset()) {
            String only = date == null ? "" : known.counter("date", date).period();
            return new DescendingPeriods.Bounds(only, only);
        }
        String first = wanted.dateFrom() == null
                ? ""
                : known.counter("dateFrom", wanted.dateFrom()).period();
        String last = wanted.dateTo() == null
                ? null
                : known.counter("dateTo", wanted.dateTo()).period();
        return new DescendingPeriods.Bounds(first, position == null ? last : position.period());
    }

    /** Reads a page of one period. Numbers that count down are newest first in ascending order. */
    private Page<LedgerLine, LedgerPosition> page(OnePeriod period, LedgerFilter wanted, long start, int limit) {
        if (period.increment() > 0) {
            return wanted.status() == null
                    ? rows(period, wanted, start, limit)
                    : marks(period, wanted, wanted.status(), start, limit);
        }
        LedgerFilter rest = wanted.from(start);
        // A period sends at most as many requests as a page may, so the next period is left to the next page.
        period.requests().exhaust();
        CounterId id = period.id();
        return wanted.status() == null
                ? ascending.read(period.call(), period.known(), id, rest, limit)
                : marked.read(
                        period.call(),
                        period.known(),
                        rest,
                        id.period(),
                        new LedgerPosition(id.period(), rest.from()),
                        limit);
    }

    private Page<LedgerLine, LedgerPosition> rows(OnePeriod period, LedgerFilter wanted, long start, int limit) {
        CounterId id = period.id();
        LedgerFilter rest = wanted.numbers(wanted.from(), start);
        DescendingCursor<LedgerRow> rows = new DescendingCursor<>(
                (from, to, atMost) -> period.requests().send(() -> store.rows(id, from, to, atMost)),
                new DescendingCursor.Measures<>(LedgerRow::lowest, LedgerRow::highest, row -> row.allocations()
                        .size()),
                period.series(),
                wanted.from(),
                start);
        Page<LedgerLine, LedgerPosition> page =
                fill(period, rows, row -> reversed(lines.of(period.known(), id, row, rest)), start, limit);
        period.requests().count();
        return new Page<>(marked.withStatus(period.call(), period.known(), id, page.items()), page.next());
    }

    private Page<LedgerLine, LedgerPosition> marks(
            OnePeriod period, LedgerFilter wanted, Status.Kind status, long start, int limit) {
        CounterId id = period.id();
        LedgerFilter rest = wanted.numbers(wanted.from(), start);
        DescendingCursor<Allocation> marks = new DescendingCursor<>(
                (from, to, atMost) -> period.requests().send(() -> store.marked(id, from, to, status, atMost)),
                new DescendingCursor.Measures<>(
                        mark -> Math.min(mark.first(), mark.last()), Allocation::highest, mark -> 1),
                period.series(),
                wanted.from(),
                start);
        return fill(
                period,
                marks,
                mark -> rest.holds(mark) ? List.of(lines.of(period.known(), mark)) : List.of(),
                start,
                limit);
    }

    private static <R> Page<LedgerLine, LedgerPosition> fill(
            OnePeriod period, DescendingCursor<R> cursor, Function<R, List<LedgerLine>> read, long start, int limit) {
        String id = period.counter().getKey();
        List<LedgerLine> entries = new ArrayList<>();
        while (cursor.hasNext() && entries.size() < limit && period.requests().hasLeft()) {
            for (R row : cursor.next(limit - entries.size())) {
                for (LedgerLine entry : read.apply(row)) {
                    if (entries.size() == limit) {
                        return new Page<>(entries, new LedgerPosition(id, Math.min(entry.highest(), start)));
                    }
                    entries.add(entry);
                }
            }
        }
        Long next = cursor.position();
        return new Page<>(entries, next == null ? null : new LedgerPosition(id, next));
    }

    private static List<LedgerLine> reversed(List<LedgerLine> ascending) {
        List<LedgerLine> descending = new ArrayList<>(ascending);
        Collections.reverse(descending);
        return descending;
    }
}
