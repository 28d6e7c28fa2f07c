package dev.numera.sequences.ledger;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.KeyForms;
import dev.numera.core.model.Series;
import dev.numera.core.model.Status.Kind;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * Which entries are wanted.
 *
 * @param from entries that reach this number or beyond
 * @param to entries that begin at this number or before
 * @param dateFrom allocations whose date is this one or later; null for all entries
 * @param dateTo allocations whose date is this one or earlier; null for all entries
 * @param keyPrefix allocations whose key starts so, in whatever Unicode form; null for all entries
 * @param status allocations that are reserved now, or void; null for all entries. The ledger has an index of these, so
 *     other entries are not read
 */
public record LedgerFilter(
        long from,
        long to,
        @Nullable LocalDate dateFrom,
        @Nullable LocalDate dateTo,
        @Nullable String keyPrefix,
        @Nullable Kind status) {
    public LedgerFilter {
        keyPrefix = keyPrefix == null ? null : KeyForms.stored(keyPrefix);
    }

    /** Entries of whatever status. */
    public LedgerFilter(
            long from, long to, @Nullable LocalDate dateFrom, @Nullable LocalDate dateTo, @Nullable String keyPrefix) {
        this(from, to, dateFrom, dateTo, keyPrefix, null);
    }

    /** All entries of these numbers. */
    public LedgerFilter(long from, long to) {
        this(from, to, null, null, null);
    }

    /** Whether entries are chosen by what the order of numbers does not show. */
    public boolean isOfAllocations() {
        return isOfDates() || keyPrefix != null;
    }

    static LedgerFilter only(long number) {
        return new LedgerFilter(number, number);
    }

    /** The entries of it that are reserved now, or void; all of them where the status is null. */
    public LedgerFilter with(@Nullable Kind chosen) {
        return new LedgerFilter(from, to, dateFrom, dateTo, keyPrefix, chosen);
    }

    /** What is left of it from a number on: a row may hold entries of the page before, too. */
    LedgerFilter from(long number) {
        return numbers(Math.max(from, number), to);
    }

    /** Where to look for more behind a mark: in its period, or behind all numbers of that. */
    LedgerPosition behind(Allocation marked) {
        long next = marked.highest() + 1;
        return new LedgerPosition(marked.period(), next > to ? Series.LARGEST_VALUE + 1 : Math.max(next, from));
    }

    /** Where a page begins whose first mark this is: one of the numbers that are wanted. */
    LedgerPosition at(Allocation marked) {
        return new LedgerPosition(marked.period(), Math.max(from, Math.min(marked.highest(), to)));
    }

    boolean holds(long first, long last, @Nullable String key, @Nullable LocalDate date) {
        return Math.max(first, last) >= from
                && Math.min(first, last) <= to
                && (keyPrefix == null || key != null && KeyForms.stored(key).startsWith(keyPrefix))
                && hasDate(date);
    }

    /** Whether a date is one of those that are wanted; null is none. */
    public boolean hasDate(@Nullable LocalDate date) {
        return (dateFrom == null || date != null && !date.isBefore(dateFrom))
                && (dateTo == null || date != null && !date.isAfter(dateTo));
    }

    /** Whether it chooses by the documents' dates. */
    public boolean isOfDates() {
        return dateFrom != null || dateTo != null;
    }

    /** Other numbers of the same dates. */
    LedgerFilter numbers(long least, long greatest) {
        return new LedgerFilter(least, greatest, dateFrom, dateTo, keyPrefix, status);
    }

    boolean holds(Allocation allocation) {
        return holds(allocation.first(), allocation.last(), allocation.key(), allocation.date());
    }
}
