package dev.numera.sequences.ledger;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Series;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.Clock;
import dev.numera.sequences.access.CounterReader;
import dev.numera.sequences.access.SequenceCalls;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks that every number of the documents of some dates is accounted for. Dates need not follow the order of numbers,
 * so the check first reads a period to its end to find the numbers with these dates. Then it judges every number
 * between the least and the greatest of them, and the adjacent numbers without a key on both sides. Thread-safe; calls
 * block for storage requests, and fail with a {@link ProblemException}.
 */
public final class DateCheck {
    private static final long MOST = Series.LARGEST_VALUE;

    /**
     * The start of a page, with the results of the earlier pages of its period.
     *
     * @param next the least number that the page reads
     * @param isSearched whether the period was read to its end
     * @param from the least number found with these dates; greater than {@code to} if there is none
     * @param to the greatest number found with these dates
     * @param least the least number to judge: no number from it up to {@code from} has a key
     * @param greatest the greatest number to judge
     */
    public record Position(
            String period, long next, boolean isSearched, long from, long to, long least, long greatest) {
        /** @throws IllegalArgumentException a number is further than 4·10^18 from 0 */
        public Position {
            if (!Stream.of(next, from, to, least, greatest).allMatch(Series::isBounded)) {
                throw new IllegalArgumentException("A position is among the numbers that there can be.");
            }
        }

        private static Position startOf(String period) {
            return new Position(period, -MOST, false, MOST, -MOST, -MOST, MOST);
        }

        private boolean isFound() {
            return from <= to;
        }

        private Position at(long number) {
            return new Position(period, number, isSearched, from, to, least, greatest);
        }

        private Position notBelow(long number) {
            return new Position(period, next, isSearched, from, to, Math.min(Math.max(least, number), MOST), greatest);
        }

        private Position with(long lowest, long highest, boolean isWanted) {
            if (isWanted) {
                return new Position(
                        period,
                        next,
                        false,
                        Math.min(from, lowest),
                        Math.max(to, highest),
                        Math.min(least, lowest),
                        MOST);
            }
            if (!isFound()) {
                return notBelow(Math.min(highest, MOST - 1) + 1);
            }
            long before = greatest < MOST ? greatest : Math.max(to, lowest - 1);
            return new Position(period, next, false, from, to, least, before);
        }

        /** Returns the position after the search, at the first number to judge. Later allocations are not judged. */
        private Position searched(long last) {
            return new Position(period, least, true, from, to, least, Math.max(Math.min(greatest, last), -MOST));
        }

        private Position withoutNumbers() {
            return new Position(period, MOST, true, from, to, MOST, -MOST);
        }
    }

    private final SequenceCalls calls;
    private final CounterReader reader;
    private final LedgerStore store;
    private final LedgerCheck check;
    private final Clock time;

    public DateCheck(SequenceCalls calls, CounterReader reader, LedgerStore store, LedgerCheck check, Clock time) {
        this.calls = calls;
        this.reader = reader;
        this.store = store;
        this.check = check;
        this.time = time;
    }

    /**
     * Judges a page of one period: at most 2,000 rows of the ledger. Counts nothing on the pages that still search for
     * the numbers of the period.
     *
     * @param wanted the dates; its numbers and its key are ignored
     * @param reservedBefore counts only numbers that were reserved before this time; null for all
     * @param position where the page starts; null for the first page
     * @throws ProblemException as in {@link LedgerCheck#check}
     */
    public CheckedPage<Position> check(
            SequenceName name, LedgerFilter wanted, @Nullable Instant reservedBefore, @Nullable Position position) {
        return calls.at(name, call -> {
            Instant checkedAt = time.now();
            Sequence known = call.recorded();
            String first = position == null
                    ? Objects.requireNonNullElse(period(known, "dateFrom", wanted.dateFrom()), "")
                    : position.period();
            LedgerPeriod period = LedgerPeriod.first(
                            reader.from(call, known, first, 2), period(known, "dateTo", wanted.dateTo()))
                    .orElse(null);
            if (period == null) {
                return CheckedPage.empty(first, 0L, checkedAt, null);
            }
            CounterId id = new CounterId(name, period.id());
            CounterState state = period.counter().orThrow();
            Position start = position != null && first.equals(id.period()) ? position : Position.startOf(id.period());
            Position reached = start.isSearched() ? start : search(call, known, id, state, wanted, start);
            if (!reached.isSearched()) {
                return CheckedPage.empty(id.period(), 0L, checkedAt, reached);
            }
            LedgerFilter spanned = wanted.numbers(reached.from(), reached.to());
            GapFinder gapFinder = check.account(call, known, state, wanted.numbers(reached.next(), reached.greatest()));
            check.judge(call, id, gapFinder, reservedBefore);
            return gapFinder.page(id.period(), spanned, checkedAt, next(gapFinder, reached, period.following()));
        });
    }

    private static @Nullable Position next(GapFinder gapFinder, Position reached, @Nullable String following) {
        if (!gapFinder.isClosed()) {
            return reached.at(gapFinder.next());
        }
        return following == null ? null : Position.startOf(following);
    }

    private static @Nullable String period(Sequence known, String field, @Nullable LocalDate date) {
        return date == null ? null : known.counter(field, date).period();
    }

    /** Reads rows of a period until it has found all numbers of the dates, or has read as many rows as one page may. */
    private Position search(
            SequenceCalls.SequenceCall call,
            Sequence known,
            CounterId id,
            CounterState counter,
            LedgerFilter wanted,
            Position start) {
        GapFinder whole = check.account(call, known, counter, new LedgerFilter(-MOST, MOST));
        Position reached = start.notBelow(whole.from());
        LedgerCursor<LedgerRow> rows = LedgerCursor.rows(call, store, id, new LedgerFilter(reached.next(), whole.to()));
        while (rows.hasNext()) {
            for (LedgerRow row : rows.next(LedgerCursor.ROWS_AT_ONCE)) {
                reached = with(reached, row, whole, wanted);
            }
        }
        LedgerPosition following = rows.position();
        if (following != null) {
            return reached.at(following.number());
        }
        return reached.isFound() || isWhole(known, id.period(), wanted)
                ? reached.searched(whole.to())
                : reached.withoutNumbers();
    }

    private static Position with(Position reached, LedgerRow row, GapFinder whole, LedgerFilter wanted) {
        Position position = reached;
        for (Allocation allocation : row.ascending()) {
            long lowest = Math.min(allocation.first(), allocation.last());
            if (lowest <= whole.to() && allocation.highest() >= whole.from()) {
                position = position.with(lowest, allocation.highest(), wanted.hasDate(allocation.date()));
            }
        }
        return position;
    }

    /** Whether all days of a period are requested. Then all its numbers are judged, even those without a key. */
    private boolean isWhole(Sequence known, String period, LedgerFilter wanted) {
        LocalDate from = wanted.dateFrom();
        LocalDate to = wanted.dateTo();
        return (from == null || !isIn(period, known, from.minusDays(1)))
                && (to == null || !isIn(period, known, to.plusDays(1)));
    }

    private boolean isIn(String period, Sequence known, LocalDate day) {
        try {
            return known.counter(day).period().equals(period);
        } catch (ProblemException beyondTheCalendar) {
            return known.fixed().isNeverReset();
        }
    }
}
