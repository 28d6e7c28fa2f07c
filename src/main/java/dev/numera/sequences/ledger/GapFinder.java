package dev.numera.sequences.ledger;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.FixedFields;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Series;
import dev.numera.core.model.Status;
import dev.numera.sequences.ledger.LedgerGap.Kind;
import dev.numera.sequences.ledger.LedgerGap.Neighbor;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds gaps and counts numbers in the rows of a ledger, from the least to the greatest number, whatever the direction
 * of the series. Not thread-safe.
 */
final class GapFinder {
    private static final int MAX_GAPS = 1_000;
    private static final Passed PASSED = new Passed(Kind.ADVANCED, null);

    /** The status and the reason of numbers that were passed over without a key. */
    private record Passed(Kind kind, @Nullable String reason) {}

    private final boolean isUpwards;
    private final long step;
    private final long least;
    private final Kind withoutRow;
    private final long start;
    private final long from;
    private final long to;
    private final LedgerFilter wanted;
    private final Predicate<LedgerRow> isLeftOut;
    /** The gaps found so far, in ascending order whatever the direction of the series. */
    private final List<LedgerGap> gaps = new ArrayList<>();

    private long next;
    private long allocated;
    private long ofOtherDates;
    private long voided;
    private long reserved;
    private @Nullable Neighbor below;

    /**
     * @param counter the counter; judges the numbers from the start, or from earlier imported numbers, up to the next
     *     number
     * @param wanted the requested range, whose ends need not belong to the series, and the dates whose numbers count
     * @param isLeftOut whether an import left out a range that was passed over
     */
    GapFinder(FixedFields fixed, CounterState counter, LedgerFilter wanted, Predicate<LedgerRow> isLeftOut) {
        this.wanted = wanted;
        this.isLeftOut = isLeftOut;
        long nextNumber = counter.next();
        long begin = Objects.requireNonNullElse(counter.importedFrom(), fixed.start());
        start = fixed.start();
        isUpwards = fixed.increment() > 0;
        step = Math.abs(fixed.increment());
        withoutRow = fixed.guarantee() == Guarantee.GAPLESS ? Kind.MISSING : Kind.UNRECORDED;
        least = isUpwards ? begin : nextNumber + step;
        this.from = atOrAbove(Math.max(wanted.from(), least));
        this.to = atOrBelow(Math.min(wanted.to(), isUpwards ? nextNumber - step : begin));
        next = this.from;
    }

    /**
     * Returns the number from which rows are needed: one number before the first, to show which entry precedes a gap.
     */
    long readsFrom() {
        return Math.max(least, from - step);
    }

    /** Adds a row, unless more rows change nothing. Callers add rows in the order of numbers. */
    void add(LedgerRow row) {
        if (row.isAdvance()) {
            add(null, row.first(), row.last(), null, row.allocatedAt(), passed(row));
        }
        for (Allocation entry : row.ascending()) {
            add(entry.key(), entry.first(), entry.last(), entry.date(), entry.allocatedAt(), PASSED);
        }
    }

    private Passed passed(LedgerRow row) {
        if (isOver()) {
            return PASSED;
        }
        return new Passed(
                isLeftOut.test(row) ? Kind.UNIMPORTED : Kind.ADVANCED,
                row.note().reason());
    }

    private void add(
            @Nullable String key, long first, long last, @Nullable LocalDate date, Instant allocatedAt, Passed passed) {
        if (isOver()) {
            return;
        }
        long lowest = atOrAbove(Math.min(first, last));
        long highest = atOrBelow(Math.max(first, last));
        if (below != null && lowest <= below.number() && key != null && below.key() != null) {
            gaps.add(new LedgerGap(
                    lowest,
                    Math.min(highest, below.number()),
                    Kind.TWICE,
                    null,
                    below,
                    new Neighbor(key, lowest, allocatedAt)));
        }
        leaveUnexplained(Math.min(lowest - step, to));
        int latest = gaps.size() - 1;
        if (latest >= 0 && gaps.get(latest).isOpen() && gaps.get(latest).last() == lowest - step) {
            gaps.set(latest, gaps.get(latest).upTo(new Neighbor(key, lowest, allocatedAt)));
        }
        if (key == null) {
            leaveGap(Math.min(highest, to), passed.kind(), passed.reason());
        } else if (wanted.hasDate(date)) {
            allocated += within(lowest, highest, to);
        } else {
            ofOtherDates += within(lowest, highest, to);
        }
        next = Math.max(next, highest + step);
        below = new Neighbor(key, highest, allocatedAt);
    }

    /**
     * Adds the gap of the numbers without a row. Before the start of the series, numbers without a row are not missing:
     * they were never allocated or imported.
     */
    private void leaveUnexplained(long greatest) {
        Kind lower = isUpwards ? Kind.UNRECORDED : withoutRow;
        Kind upper = isUpwards ? withoutRow : Kind.UNRECORDED;
        if (lower != upper) {
            leaveGap(Math.min(greatest, isUpwards ? start - step : start), lower, null);
        }
        leaveGap(greatest, upper, null);
    }

    private void leaveGap(long greatest, Kind kind, @Nullable String reason) {
        if (next <= greatest) {
            boolean adjoins = below != null && below.number() == next - step;
            gaps.add(new LedgerGap(next, greatest, kind, reason, adjoins ? below : null, null));
            next = greatest + step;
        }
    }

    /** Returns how many numbers of an entry are judged. */
    private long within(long lowest, long highest, long greatest) {
        return Math.max(0, (Math.min(highest, greatest) - Math.max(lowest, from)) / step + 1);
    }

    boolean hasAllocated() {
        return allocated > 0;
    }

    long from() {
        return from;
    }

    /** Returns the greatest number to judge; less than the least if there is none. */
    long to() {
        return to;
    }

    /** Returns the highest last number of any allocation that may contain a number to check. */
    long reach() {
        return Math.min(Series.LARGEST_VALUE, greatest() + (NumberRequest.MAX_COUNT - 1) * step);
    }

    /**
     * Counts the judged numbers that are void or reserved.
     *
     * @param reservedBefore counts only numbers that were reserved before this time; null for all
     */
    void count(List<Allocation> marked, @Nullable Instant reservedBefore) {
        for (Allocation allocation : marked) {
            Status status = allocation.status();
            boolean counts = wanted.hasDate(allocation.date());
            long numbers = counts
                    ? within(Math.min(allocation.first(), allocation.last()), allocation.highest(), greatest())
                    : 0;
            if (status.isVoid()) {
                voided += numbers;
            } else if (reservedBefore == null || reservedBefore.isAfter(status.at())) {
                reserved += numbers;
            }
        }
    }

    /** Returns the greatest number that is already judged. */
    private long greatest() {
        return Math.min(next - step, to);
    }

    /** Ends the check at the end of the ledger: the remaining numbers have no row. */
    void close() {
        if (!isOver()) {
            leaveUnexplained(to);
        }
    }

    /**
     * Whether more rows change nothing: there is no number to judge, the last entry lies beyond the range, or one more
     * entry, with up to three gaps, could exceed the limit.
     */
    boolean isOver() {
        return from > to || below != null && below.number() > to || gaps.size() > MAX_GAPS - 3;
    }

    /** Whether every requested number is judged. */
    boolean isClosed() {
        return next > to;
    }

    /** Returns the least number that is not judged yet. */
    long next() {
        return next;
    }

    CheckedPage<LedgerPosition> page(String period, Instant checkedAt, @Nullable LedgerPosition nextPage) {
        boolean isEmpty = from > to;
        return page(period, isEmpty ? null : from, isEmpty ? null : greatest(), null, checkedAt, nextPage);
    }

    /**
     * Returns the page of a check of dates.
     *
     * @param spanned the numbers that the dates span; {@code from} is greater than {@code to} if no number has a
     *     requested date
     */
    <N> CheckedPage<N> page(String period, LedgerFilter spanned, Instant checkedAt, @Nullable N nextPage) {
        boolean isEmpty = spanned.from() > spanned.to();
        return page(
                period,
                isEmpty ? null : spanned.from(),
                isEmpty ? null : spanned.to(),
                ofOtherDates,
                checkedAt,
                nextPage);
    }

    private <N> CheckedPage<N> page(
            String period,
            @Nullable Long first,
            @Nullable Long last,
            @Nullable Long otherDates,
            Instant checkedAt,
            @Nullable N nextPage) {
        return new CheckedPage<>(
                period,
                first,
                last,
                otherDates,
                checkedAt,
                allocated,
                voided,
                reserved,
                gaps.stream().map(gap -> isUpwards ? gap : gap.reversed()).toList(),
                nextPage);
    }

    private long atOrAbove(long number) {
        return least - Math.floorDiv(least - number, step) * step;
    }

    private long atOrBelow(long number) {
        return least + Math.floorDiv(number - least, step) * step;
    }
}
