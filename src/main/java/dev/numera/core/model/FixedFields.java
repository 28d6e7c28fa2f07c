package dev.numera.core.model;

import dev.numera.core.format.ResetEvery;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a definition that no longer change once its first counter exists: numbers under two readings of them
 * could be equal. Whatever makes a counter marks the definition as in use in the same transaction, which fixes them.
 *
 * @param timeZone null where the owner stated none: dates are UTC's, and a zone may be set once, later
 * @param fiscalYearStart month 1 to 12
 */
public record FixedFields(
        Guarantee guarantee,
        long start,
        long increment,
        boolean cycle,
        ResetEvery resetEvery,
        @Nullable ZoneId timeZone,
        int fiscalYearStart) {
    /** The date that it is for the sequence at a moment. */
    public LocalDate day(Instant moment) {
        return LocalDate.ofInstant(moment, timeZone == null ? ZoneOffset.UTC : timeZone);
    }

    /** The date that a request chose; null chooses the one that it is for the sequence now. */
    public LocalDate day(@Nullable LocalDate date, Instant now) {
        return date != null ? date : day(now);
    }

    /** Whether there is one counter for ever, not one for each period. */
    public boolean isNeverReset() {
        return resetEvery == ResetEvery.NEVER;
    }

    /** Whether keys are taken: there is a ledger, and no second round that would repeat its numbers. */
    public boolean takesKeys() {
        return isCounted() && guarantee != Guarantee.CACHED && !cycle;
    }

    /** Whether numbers come from a counter, with periods and a state. */
    public boolean isCounted() {
        return guarantee != Guarantee.SNOWFLAKE;
    }
}
