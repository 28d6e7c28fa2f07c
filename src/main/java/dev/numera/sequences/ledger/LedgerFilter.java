package dev.numera.sequences.ledger;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.KeyForms;
import dev.numera.core.model.Series;
import dev.numera.core.model.Status.Kind;
import java.time.LocalDate;
import java.util.Locale;
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
 * @param actor selects entries by a part of an actor's name, in any case: of the actor who requested, imported or
 *     skipped the numbers, or who reserved or voided them; null for all entries
 * @param reason selects entries by a part of their reason, in any case; only void and skipped numbers have one. Null
 *     for all entries
 */
public record LedgerFilter(
        long from,
        long to,
        @Nullable LocalDate dateFrom,
        @Nullable LocalDate dateTo,
        @Nullable String keyPrefix,
        @Nullable Kind status,
        @Nullable String actor,
        @Nullable String reason) {
    public LedgerFilter {
        keyPrefix = keyPrefix == null ? null : KeyForms.stored(keyPrefix);
        actor = actor == null ? null : inLowerCase(actor);
        reason = reason == null ? null : inLowerCase(reason);
    }

    /** Selects entries of any status. */
    public LedgerFilter(
            long from, long to, @Nullable LocalDate dateFrom, @Nullable LocalDate dateTo, @Nullable String keyPrefix) {
        this(from, to, dateFrom, dateTo, keyPrefix, null, null, null);
    }

    /** Selects all entries of these numbers. */
    public LedgerFilter(long from, long to) {
        this(from, to, null, null, null);
    }

    /** Whether the filter selects by date, key, actor or reason, which the order of numbers does not show. */
    public boolean isOfAllocations() {
        return isOfDates() || keyPrefix != null || isOfWords();
    }

    /** Whether the filter selects by actor or reason, which an entry has only together with its current status. */
    boolean isOfWords() {
        return actor != null || reason != null;
    }

    /** Returns this filter for entries with a part of an actor's name and of a reason; null for all entries. */
    public LedgerFilter by(@Nullable String partOfActor, @Nullable String partOfReason) {
        return new LedgerFilter(from, to, dateFrom, dateTo, keyPrefix, status, partOfActor, partOfReason);
    }

    static LedgerFilter only(long number) {
        return new LedgerFilter(number, number);
    }

    /** Returns this filter for entries that are now reserved, or void; for all entries if the status is null. */
    public LedgerFilter with(@Nullable Kind chosen) {
        return new LedgerFilter(from, to, dateFrom, dateTo, keyPrefix, chosen, actor, reason);
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
        return new LedgerFilter(least, greatest, dateFrom, dateTo, keyPrefix, status, actor, reason);
    }

    boolean holds(Allocation allocation) {
        return holds(allocation.first(), allocation.last(), allocation.key(), allocation.date());
    }

    /** Whether an entry, with its current status, has the requested actor and reason. */
    boolean hasWords(LedgerLine entry) {
        return has(actor, entry.actor(), entry.status().actor())
                && has(reason, entry.advanceReason(), entry.status().reason());
    }

    private static boolean has(@Nullable String part, @Nullable String text, @Nullable String ofStatus) {
        return part == null || contains(text, part) || contains(ofStatus, part);
    }

    private static boolean contains(@Nullable String text, String part) {
        return text != null && inLowerCase(text).contains(part);
    }

    private static String inLowerCase(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
