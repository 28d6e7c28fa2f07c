package dev.numera.core.format;

/**
 * What a {@link Format} needs to know of the sequence that it writes numbers of.
 *
 * @param scope at most {@value #MAX_NAME_LENGTH} characters, as is the name
 * @param minValue least number, at least -{@value #LIMIT}
 * @param maxValue greatest number, at most {@value #LIMIT}
 * @param fiscalYearStart month 1 to 12
 */
public record FormatContext(
        String scope, String name, long minValue, long maxValue, ResetEvery resetEvery, int fiscalYearStart) {
    /** The longest scope or name, in characters. */
    public static final int MAX_NAME_LENGTH = 63;

    /** The bound of numbers either way: the difference of any two still fits 64 bits. */
    public static final long LIMIT = 4_000_000_000_000_000_000L;

    public FormatContext {
        if (minValue < -LIMIT || maxValue > LIMIT || minValue > maxValue) {
            throw new IllegalArgumentException("No numbers from " + minValue + " to " + maxValue + ".");
        }
        FiscalYear.requireStartMonth(fiscalYearStart);
    }

    /** The same sequence, with numbers between these two. */
    public FormatContext within(long least, long greatest) {
        return new FormatContext(scope, name, least, greatest, resetEvery, fiscalYearStart);
    }

    public boolean contains(long number) {
        return number >= minValue && number <= maxValue;
    }
}
