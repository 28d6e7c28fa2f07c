package dev.numera.sequences.ledger;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a check of the ledger.
 *
 * @param period empty where the sequence is never reset, or has no number yet
 * @param from the least number that was judged; null, as {@code to}, where there was none to judge. By dates the least
 *     one of the period that has one of them; null while it is not found, and where there is none
 * @param to the greatest number that was judged; by dates the greatest one that has one of them
 * @param otherDates how many of the numbers from {@code from} to {@code to} have other dates; null unless by dates
 * @param checkedAt what was allocated by then is judged
 * @param allocated how many of the numbers have a key; by dates those that have one of them, as the next two
 * @param voided how many of these are void
 * @param reserved how many are reserved
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
