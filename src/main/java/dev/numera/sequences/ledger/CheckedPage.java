package dev.numera.sequences.ledger;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a check of the ledger.
 *
 * @param period empty if the sequence is never reset, or has no number yet
 * @param from the least number that was judged; null, like {@code to}, if there was none to judge. In a check of dates,
 *     the least number of the period with a requested date; null until it is found, or if there is none
 * @param to the greatest number that was judged; in a check of dates, the greatest number with a requested date
 * @param otherDates how many of the numbers from {@code from} to {@code to} have other dates; null unless dates are
 *     checked
 * @param checkedAt the time of the check; later allocations are not judged
 * @param allocated how many of the numbers have a key; in a check of dates, only numbers with a requested date count,
 *     here and in the next two
 * @param voided how many of these numbers are void
 * @param reserved how many of these numbers are reserved
 * @param gaps in the order of numbers, at most 1,000
 * @param next where the next page starts; null on the last page
 */
public record CheckedPage<N>(
        String period,
        @Nullable Long from,
        @Nullable Long to,
        @Nullable Long otherDates,
        Instant checkedAt,
        long allocated,
        long voided,
        long reserved,
        List<LedgerGap> gaps,
        @Nullable N next) {
    /** A page that judges nothing. */
    static <N> CheckedPage<N> empty(String period, @Nullable Long otherDates, Instant checkedAt, @Nullable N next) {
        return new CheckedPage<>(period, null, null, otherDates, checkedAt, 0, 0, 0, List.of(), next);
    }
}
