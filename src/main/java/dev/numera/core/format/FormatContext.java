package dev.numera.core.format;

/**
 * The properties of a sequence that a {@link Format} needs to write and read its texts. Immutable.
 *
 * @param scope at most {@value #MAX_NAME_LENGTH} characters, like the name
 * @param minValue the least number, at least -{@value #LIMIT}
 * @param maxValue the greatest number, at most {@value #LIMIT}
 */
public record FormatContext(
        String scope, String name, long minValue, long maxValue, ResetEvery resetEvery, YearStart fiscalYearStart) {
    /** The longest scope or name, in characters. */
    public static final int MAX_NAME_LENGTH = 63;

    /** The bound of numbers in both directions. The difference of any two numbers within it fits 64 bits. */
    public static final long LIMIT = 4_000_000_000_000_000_000L;

    public FormatContext {
        if (minValue < -LIMIT || maxValue > LIMIT || minValue > maxValue) {
            throw new IllegalArgumentException("No numbers from " + minValue + " to " + maxValue + ".");
        }
    }

    /** Creates the context of a sequence whose fiscal years start on the first day of a month from 1 to 12. */
    public FormatContext(
            String scope, String name, long minValue, long maxValue, ResetEvery resetEvery, int fiscalYearStart) {
        this(scope, name, minValue, maxValue, resetEvery, YearStart.ofMonth(fiscalYearStart));
    }

    /** Returns this context with another range of numbers. */
    public FormatContext within(long least, long greatest) {
        return new FormatContext(scope, name, least, greatest, resetEvery, fiscalYearStart);
    }

    public boolean contains(long number) {
        return number >= minValue && number <= maxValue;
    }
}
