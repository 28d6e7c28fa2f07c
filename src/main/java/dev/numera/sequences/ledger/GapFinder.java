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
 * What the rows of a ledger say of the numbers of a series, from the least to the greatest, whatever its direction. Not
 * thread-safe.
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
    /** From least to greatest, whatever the direction of the series. */
    private final List<LedgerGap> gaps = new ArrayList<>();

    private long next;
    private long allocated;
    private long ofOtherDates;
    private long voided;
    private long reserved;
    private @Nullable Neighbor below;

    /**
     * @param counter numbers from its start, or from those that were imported before it, up to its next one are judged
     * @param wanted the numbers that are requested, which need not be of the series, and the dates whose numbers count
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

    /** From here on rows are needed: the number before the first one shows which entry precedes a gap. */
    long readsFrom() {
        return Math.max(least, from - step);
    }

    /** Takes a row unless it is over; rows come in the order of numbers. */
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

    /** Before the start nothing was ever promised: what was not imported there leaves no row, and lacks none. */
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

    /** How many numbers of an entry are judged. */
    private long within(long lowest, long highest, long greatest) {
        return Math.max(0, (Math.min(highest, greatest) - Math.max(lowest, from)) / step + 1);
    }

    boolean hasAllocated() {
        return allocated > 0;
    }

    long from() {
        return from;
    }

    /** The greatest number that is to be judged; less than the least where there is none. */
    long to() {
        return to;
    }

    /** The highest number of an allocation that has a number that is judged. */
    long reach() {
        return Math.min(Series.LARGEST_VALUE, greatest() + (NumberRequest.MAX_COUNT - 1) * step);
    }

    /**
     * Counts what is not simply issued of the numbers that are judged.
     *
     * @param reservedBefore of what is reserved only what is so since before this; null for all
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

    /** The greatest number that is judged. */
    private long greatest() {
        return Math.min(next - step, to);
    }

    /** There are no more rows. */
    void close() {
        if (!isOver()) {
            leaveUnexplained(to);
        }
    }

    /**
     * Whether more rows change nothing: there is nothing to judge, the last entry lies beyond it, or the gaps of one
     * more entry, up to three, could be too many.
     */
    boolean isOver() {
        return from > to || below != null && below.number() > to || gaps.size() > MAX_GAPS - 3;
    }

    /** Whether every number that is requested is judged. */
    boolean isClosed() {
        return next > to;
    }

    /** The least number that is not judged yet. */
    long next() {
        return next;
    }

    CheckedPage<LedgerPosition> page(String period, Instant checkedAt, @Nullable LedgerPosition nextPage) {
        boolean isEmpty = from > to;
        return page(period, isEmpty ? null : from, isEmpty ? null : greatest(), null, checkedAt, nextPage);
    }

    /**
     * A page of dates.
     *
     * @param spanned which numbers the dates span; from more than to where none has one of them
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
