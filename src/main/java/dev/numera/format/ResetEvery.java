package dev.numera.format;

/** How often a sequence begins anew at its start. {@link #YEAR} is the fiscal year, by default the calendar year. */
public enum ResetEvery {
    NEVER,
    YEAR,
    MONTH,
    DAY
}
