package dev.numera.core.format;

/** How often a sequence restarts. {@link #YEAR} is the fiscal year, by default the calendar year. */
public enum ResetEvery {
    NEVER,
    YEAR,
    MONTH,
    DAY
}
