package dev.numera.core.format;

/**
 * The interval at which the numbers of a sequence restart. {@link #YEAR} is the fiscal year, by default the calendar
 * year.
 */
public enum ResetEvery {
    NEVER,
    YEAR,
    MONTH,
    DAY
}
