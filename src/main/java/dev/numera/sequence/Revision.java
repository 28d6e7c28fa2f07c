package dev.numera.sequence;

import dev.numera.counter.Series;

/**
 * A format that a sequence has or had, with the numbers that may have been given under it. Immutable.
 *
 * @param format the template
 * @param least the least number that may have been given, at least -{@value FormatContext#LIMIT}
 * @param greatest the greatest one, from least to maxValue
 * @param maxValue that of the definition at the time, at most {@value FormatContext#LIMIT}: {@code {r}} counts from it
 */
public record Revision(String format, long least, long greatest, long maxValue) {
    /** How many numbers from the next one on count as given, because others may still give them under a format that was changed. */
    public static final long AHEAD = 10_000_000;

    /** @throws IllegalArgumentException if the range is empty or out of bounds */
    public Revision {
        if (least < -FormatContext.LIMIT || least > greatest || greatest > maxValue || maxValue > FormatContext.LIMIT) {
            throw new IllegalArgumentException("Format " + format + " cannot have been used for " + least + " to " + greatest
                    + " with maxValue " + maxValue + ".");
        }
    }

    /**
     * How far numbers may be given from {@code next} on: the number {@link #AHEAD} increments beyond it, or the end of the series where
     * that comes first. A cycle may go on at the other end: there every number of the series may be given.
     *
     * @param next the number that the next request gets first, at most one increment beyond the end
     */
    public static long reach(Series series, long next) {
        boolean up = series.increment() > 0;
        long distance = up ? series.maxValue() - next : next - series.minValue();
        if (distance / Math.abs(series.increment()) < AHEAD) {
            return up ? series.maxValue() : series.minValue();
        }
        return next + AHEAD * series.increment();
    }
}
