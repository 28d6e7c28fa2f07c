package dev.numera.core.model;

import dev.numera.core.format.FormatContext;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The arithmetic of a series of numbers, {@code start}, {@code start + increment} and so on within [{@code minValue},
 * {@code maxValue}]. The bounds keep every sum within 64 bits: whatever is computed here is exact, never wrapped.
 *
 * <p>{@code next} is the number that the next request gets first. It may be beyond the end, by one increment or after a
 * restore by a margin: nothing is left then.
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
     * @throws IllegalArgumentException a field is out of bounds; who reads definitions checks first and says it better
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

    /** The first of {@code count} consecutive numbers from {@code next} on, or nothing if so many are not left. */
    public OptionalLong first(long next, int count) {
        if (count <= left(next)) {
            return OptionalLong.of(next);
        }
        return cycle && count <= left(roundStart()) ? OptionalLong.of(roundStart()) : OptionalLong.empty();
    }

    /** The last of {@code count} numbers that begin with {@code first}. */
    public long last(long first, int count) {
        return first + (count - 1) * increment;
    }

    /** How many numbers are left in this round, {@code next} included. */
    public long left(long next) {
        long distance = increment > 0 ? maxValue - next : next - minValue;
        return distance < 0 ? 0 : distance / Math.abs(increment) + 1;
    }

    /** The share of the numbers from the start on that are used, from 0 to 1; of a cycle in this round. */
    public double used(long next) {
        long total = total();
        return Math.max(0, total - left(next)) / (double) total;
    }

    /**
     * Whether the given percentage of the numbers from the start on is used. After a widening, the percentage applies
     * to the added part alone. Example: a range to 1,000 is widened to 1,100; 90 % is reached when the last 10 numbers
     * are left. Compares without rounding.
     *
     * @param widenedFrom the end of the range before it was widened last; null where it was not
     */
    public boolean isNearlyUsed(long next, int percent, @Nullable Long widenedFrom) {
        long part = widenedFrom == null || !isBefore(widenedFrom, end())
                ? total()
                : left(atOrBeyond(start, widenedFrom + Long.signum(increment)));
        return left(next) * 100.0 <= (100 - percent) * (double) part;
    }

    /** The bound that numbers approach. */
    public long end() {
        return increment > 0 ? maxValue : minValue;
    }

    private long total() {
        return left(cycle ? roundStart() : start);
    }

    /**
     * The first number of the series at or beyond {@code wanted} in the increment's direction, but never before
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
     * The number so many increments beyond {@code next}: of a cycle at most the end of this round; else on beyond the
     * range, which may be widened, but no further than numbers can be.
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

    /** Whether a number lies within the bounds, and whole increments before or after the start. */
    public boolean isMember(long number) {
        return contains(number) && isWholeIncrementsAway(number);
    }

    /** Whether a number lies whole increments before or after the start, or is it. */
    public boolean isWholeIncrementsAway(long number) {
        return (number - start) % increment == 0;
    }

    /** The first number within the bounds, at the start or whole increments before it. */
    long firstOfRange() {
        long before = increment > 0 ? start - minValue : maxValue - start;
        return start - before / Math.abs(increment) * increment;
    }

    /** The bound where each round but the first one begins, if there are rounds. */
    public long roundStart() {
        return increment > 0 ? minValue : maxValue;
    }
}
