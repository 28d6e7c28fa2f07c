package dev.numera.core.format;

/**
 * The interval at which the numbers of a sequence restart. {@link #YEAR} is the fiscal year, by default the calendar
 * year, and {@link #QUARTER} a quarter of the fiscal year.
 */
public enum ResetEvery {
    NEVER,
    YEAR,
    QUARTER,
    MONTH,
    DAY
}
