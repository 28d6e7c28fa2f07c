package dev.numera.core.model;

import dev.numera.core.format.ResetEvery;
import dev.numera.core.format.YearStart;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a definition that no longer change once its first counter exists, because a sequence could otherwise
 * allocate the same number twice. Each write that creates a counter also marks the definition as in use, in the same
 * transaction; the mark fixes these fields.
 *
 * @param timeZone null if the owner stated none; dates are then in UTC, and a zone can still be set once
 * @param fiscalYearStart the start of fiscal years and of their quarters
 */
public record FixedFields(
        Guarantee guarantee,
        long start,
        long increment,
        boolean cycle,
        ResetEvery resetEvery,
        @Nullable ZoneId timeZone,
        YearStart fiscalYearStart) {
    /** Creates the fields of a sequence whose fiscal years start on the first day of a month from 1 to 12. */
    public FixedFields(
            Guarantee guarantee,
            long start,
            long increment,
            boolean cycle,
            ResetEvery resetEvery,
            @Nullable ZoneId timeZone,
            int fiscalYearStart) {
        this(guarantee, start, increment, cycle, resetEvery, timeZone, YearStart.ofMonth(fiscalYearStart));
    }

    /** Returns the time zone of the sequence's dates: UTC if the owner stated none. */
    public ZoneId zone() {
        return timeZone == null ? ZoneOffset.UTC : timeZone;
    }

    /** Returns the date in the sequence's time zone at a moment. */
    public LocalDate day(Instant moment) {
        return LocalDate.ofInstant(moment, zone());
    }

    /** Returns the date of a request: the date that it states, or today in the sequence's time zone if that is null. */
    public LocalDate day(@Nullable LocalDate date, Instant now) {
        return date != null ? date : day(now);
    }

    /**
     * Returns the last date that a sequence with ordered dates accepts: tomorrow. A number with a later date would
     * block all days before it.
     */
    public LocalDate lastDateInOrder(Instant now) {
        return day(now).plusDays(1);
    }

    /** Whether the sequence has a single counter, not one for each period. */
    public boolean isNeverReset() {
        return resetEvery == ResetEvery.NEVER;
    }

    /**
     * Whether requests may have keys. The sequence needs a ledger, and no second round that would repeat the ledger's
     * numbers.
     */
    public boolean takesKeys() {
        return isCounted() && guarantee != Guarantee.CACHED && !cycle;
    }

    /** Whether numbers come from counters, and not from a clock. */
    public boolean isCounted() {
        return guarantee != Guarantee.SNOWFLAKE;
    }
}
