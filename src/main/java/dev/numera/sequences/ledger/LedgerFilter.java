package dev.numera.sequences.ledger;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.KeyForms;
import dev.numera.core.model.Series;
import dev.numera.core.model.Status.Kind;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * A selection of ledger entries.
 *
 * @param from selects entries that end at this number or beyond
 * @param to selects entries that start at this number or before
 * @param dateFrom selects allocations with this date or a later one; null for all entries
 * @param dateTo selects allocations with this date or an earlier one; null for all entries
 * @param keyPrefix selects allocations whose key has this prefix, in any Unicode form; null for all entries
 * @param status selects allocations that are now reserved, or void; null for all entries. The ledger has an index by
 *     status, so other entries are not read
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

    /** Selects entries of any status. */
    public LedgerFilter(
            long from, long to, @Nullable LocalDate dateFrom, @Nullable LocalDate dateTo, @Nullable String keyPrefix) {
        this(from, to, dateFrom, dateTo, keyPrefix, null);
    }

    /** Selects all entries of these numbers. */
    public LedgerFilter(long from, long to) {
        this(from, to, null, null, null);
    }

    /** Whether the filter selects allocations by date or key, which the order of numbers does not show. */
    public boolean isOfAllocations() {
        return isOfDates() || keyPrefix != null;
    }

    static LedgerFilter only(long number) {
        return new LedgerFilter(number, number);
    }

    /** Returns this filter for entries that are now reserved, or void; for all entries if the status is null. */
    public LedgerFilter with(@Nullable Kind chosen) {
        return new LedgerFilter(from, to, dateFrom, dateTo, keyPrefix, chosen);
    }

    /** Returns this filter without the numbers before this one. A row may also contain entries of the previous page. */
    LedgerFilter from(long number) {
        return numbers(Math.max(from, number), to);
    }

    /** Returns where the search continues after a reserved or void allocation: in its period, or after that period. */
    LedgerPosition behind(Allocation marked) {
        long next = marked.highest() + 1;
        return new LedgerPosition(marked.period(), next > to ? Series.LARGEST_VALUE + 1 : Math.max(next, from));
    }

    /** Returns where a page starts that has this allocation first: at one of the requested numbers. */
    LedgerPosition at(Allocation marked) {
        return new LedgerPosition(marked.period(), Math.max(from, Math.min(marked.highest(), to)));
    }

    boolean holds(long first, long last, @Nullable String key, @Nullable LocalDate date) {
        return Math.max(first, last) >= from
                && Math.min(first, last) <= to
                && (keyPrefix == null || key != null && KeyForms.stored(key).startsWith(keyPrefix))
                && hasDate(date);
    }

    /** Whether a date is requested. An absent date matches only a filter without dates. */
    public boolean hasDate(@Nullable LocalDate date) {
        return (dateFrom == null || date != null && !date.isBefore(dateFrom))
                && (dateTo == null || date != null && !date.isAfter(dateTo));
    }

    /** Whether the filter selects by document date. */
    public boolean isOfDates() {
        return dateFrom != null || dateTo != null;
    }

    /** Returns this filter with other numbers. */
    LedgerFilter numbers(long least, long greatest) {
        return new LedgerFilter(least, greatest, dateFrom, dateTo, keyPrefix, status);
    }

    boolean holds(Allocation allocation) {
        return holds(allocation.first(), allocation.last(), allocation.key(), allocation.date());
    }
}
