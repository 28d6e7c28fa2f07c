package dev.numera.core.model;

import dev.numera.core.format.FormatContext;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The arithmetic of a series of numbers: {@code start}, {@code start + increment} and so on within [{@code minValue},
 * {@code maxValue}]. The bounds keep every sum within 64 bits, so no result overflows.
 *
 * <p>{@code next} is the first number of the next request. When no numbers are left it lies beyond the end, by one
 * increment or, after a restore, by the margin.
 *
 * @param increment not 0, at most {@link #LARGEST_INCREMENT} either way; a negative one counts down
 * @param minValue at least -{@link #LARGEST_VALUE}
 * @param maxValue at most {@link #LARGEST_VALUE}
 * @param cycle whether a request that does not fit begins a new round at the other end
 */
public record Series(long start, long increment, long minValue, long maxValue, boolean cycle) {
    public static final long LARGEST_VALUE = FormatContext.LIMIT;
    public static final long LARGEST_INCREMENT = 1_000_000_000_000L;

    /**
     * Checks the bounds. Callers that receive definitions check them first, and report the field.
     *
     * @throws IllegalArgumentException a field is out of bounds
     */
    public Series {
        if (!isIncrement(increment)
                || minValue < -LARGEST_VALUE
                || maxValue > LARGEST_VALUE
                || start < minValue
                || start > maxValue) {
            throw new IllegalArgumentException("Not a series: start " + start + ", increment " + increment + ", from "
                    + minValue + " to " + maxValue);
        }
    }

    /** Whether a series may have this increment. (The smallest long has no absolute value.) */
    public static boolean isIncrement(long increment) {
        return increment != 0 && increment <= LARGEST_INCREMENT && increment >= -LARGEST_INCREMENT;
    }

    /** Whether a number is within {@link #LARGEST_VALUE} either way. */
    public static boolean isBounded(long number) {
        return number >= -LARGEST_VALUE && number <= LARGEST_VALUE;
    }

    /**
     * Returns the first of {@code count} successive numbers: {@code next}, or the start of the next round of a cycle.
     * Empty if not enough numbers are left.
     */
    public OptionalLong first(long next, int count) {
        if (count <= left(next)) {
            return OptionalLong.of(next);
        }
        return cycle && count <= left(roundStart()) ? OptionalLong.of(roundStart()) : OptionalLong.empty();
    }

    /** Returns the last of {@code count} numbers that start with {@code first}. */
    public long last(long first, int count) {
        return first + (count - 1) * increment;
    }

    /** Returns the count of numbers left in this round, including {@code next}. */
    public long left(long next) {
        long distance = increment > 0 ? maxValue - next : next - minValue;
        return distance < 0 ? 0 : distance / Math.abs(increment) + 1;
    }

    /** Returns the used share of the numbers from the start on, from 0 to 1; for a cycle, the share of this round. */
    public double used(long next) {
        long total = total();
        return Math.max(0, total - left(next)) / (double) total;
    }

    /**
     * Whether this percentage of the numbers from the start on is used. After a widening, the percentage applies to the
     * added part alone. Example: a range to 1,000 is widened to 1,100; 90 % is reached when the last 10 numbers are
     * left. Compares without rounding.
     *
     * @param widenedFrom the end of the range before it was last widened; null if it was not widened
     */
    public boolean isNearlyUsed(long next, int percent, @Nullable Long widenedFrom) {
        long part = widenedFrom == null || !isBefore(widenedFrom, end())
                ? total()
                : left(atOrBeyond(start, widenedFrom + Long.signum(increment)));
        return left(next) * 100.0 <= (100 - percent) * (double) part;
    }

    /** Returns the bound that numbers approach: {@code maxValue}, or {@code minValue} if the series counts down. */
    public long end() {
        return increment > 0 ? maxValue : minValue;
    }

    private long total() {
        return left(cycle ? roundStart() : start);
    }

    /**
     * Returns the first number of the series at or beyond {@code wanted} in the increment's direction, but never before
     * {@code next}.
     *
     * @param wanted within {@link #LARGEST_VALUE} either way
     */
    public long atOrBeyond(long next, long wanted) {
        if (isBefore(wanted, next)) {
            return next;
        }
        long size = Math.abs(increment);
        long steps = (Math.abs(wanted - next) + size - 1) / size;
        return next + steps * increment;
    }

    /**
     * Returns the number that lies {@code numbers} increments beyond {@code next}. In a cycle it goes at most to the
     * end of this round. Otherwise it may leave the range, which may be widened later, but not {@link #LARGEST_VALUE}.
     *
     * @param numbers at least 0
     */
    public long beyond(long next, long numbers) {
        long room = Math.max(0, (LARGEST_VALUE - Long.signum(increment) * next) / Math.abs(increment));
        return next + Math.min(numbers, cycle ? left(next) : room) * increment;
    }

    /** Returns the number of whole increments from one number to another; negative if the second number comes first. */
    public long distance(long from, long to) {
        return (to - from) / increment;
    }

    /** Whether {@code a} comes before {@code b} in the increment's direction. */
    public boolean isBefore(long a, long b) {
        return increment > 0 ? a < b : a > b;
    }

    /** Whether a number lies within the bounds. */
    public boolean contains(long number) {
        return number >= minValue && number <= maxValue;
    }

    /** Whether a number lies within the bounds, and a whole number of increments from the start. */
    public boolean isMember(long number) {
        return contains(number) && isWholeIncrementsAway(number);
    }

    /** Whether a number lies a whole number of increments from the start, before or after it. */
    public boolean isWholeIncrementsAway(long number) {
        return (number - start) % increment == 0;
    }

    /**
     * Returns the first number within the bounds that lies a whole number of increments before the start, or the start
     * itself.
     */
    long firstOfRange() {
        long before = increment > 0 ? start - minValue : maxValue - start;
        return start - before / Math.abs(increment) * increment;
    }

    /** Returns the bound at which every round of a cycle except the first one starts. */
    public long roundStart() {
        return increment > 0 ? minValue : maxValue;
    }
}
