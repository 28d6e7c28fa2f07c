package dev.numera.core.model;

import dev.numera.core.format.Format;
import dev.numera.core.format.FormatContext;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.problem.EnumWord;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the owner of a sequence declared, every field complete. Immutable.
 *
 * @param cacheSize how many numbers an instance reserves at once; matters where the guarantee is cached
 * @param format the template of the texts, or null
 * @param maxLength how many UTF-16 units a text has at most, or null
 * @param dateOrder may be switched off at any time, and on until the first number
 * @param description for people; no number depends on it, nor on the contact
 * @param contact who answers questions about the sequence
 * @param warnAtPercent the share of the range, or of the part that was added last, at which a warning is logged, from 1
 *     to 100
 */
public record Definition(
        FixedFields fixed,
        long minValue,
        long maxValue,
        int cacheSize,
        @Nullable String format,
        @Nullable Integer maxLength,
        DateOrder dateOrder,
        @Nullable String description,
        @Nullable String contact,
        int warnAtPercent) {
    /** The largest number that is exact in every client: 2^53 - 1. */
    public static final long LARGEST_EXACT = (1L << 53) - 1;

    public static final int DEFAULT_CACHE_SIZE = 100;
    public static final int DEFAULT_WARN_AT_PERCENT = 90;
    public static final int MAX_CACHE_SIZE = 1_000_000;

    /** The features of definitions that this program knows, as a level. */
    public static final int KNOWN_FEATURES = 5;

    private static final int PLAIN_FEATURES = 1;
    /** A program that does not know of it allocates numbers under past dates. */
    private static final int DATE_ORDER_FEATURES = 2;
    /** Who does not know of it counts, or cannot read the guarantee. */
    private static final int SNOWFLAKE_FEATURES = 3;
    /** Who does not know of it allocates while the sequence is suspended. */
    public static final int SUSPENSION_FEATURES = 4;
    /**
     * Instances that do not know this feature level would store a key in another Unicode form and allocate a second
     * number to it.
     */
    static final int KEY_FORM_FEATURES = 5;

    /** For numbers that are not exact in every client. */
    private static final String PLAIN = "{n}";

    /** What a sequence is where its owner declared nothing. */
    public static final Definition DEFAULT = new Definition(
            new FixedFields(Guarantee.STRICT, 1, 1, false, ResetEvery.NEVER, null, 1),
            1,
            LARGEST_EXACT,
            DEFAULT_CACHE_SIZE,
            null);

    /** One that says no more than that. */
    public Definition(FixedFields fixed, long minValue, long maxValue, int cacheSize, @Nullable String format) {
        this(fixed, minValue, maxValue, cacheSize, format, null, DateOrder.NONE, null, null, DEFAULT_WARN_AT_PERCENT);
    }

    public Series series() {
        return new Series(fixed.start(), fixed.increment(), minValue, maxValue, fixed.cycle());
    }

    /** What the owner may not have meant; null where there is nothing to say. */
    public @Nullable String note() {
        boolean isFirst = fixed.start() == series().roundStart();
        return fixed.isNeverReset() || isFirst
                ? null
                : "start " + fixed.start()
                        + " holds for every period. To go on after another system's last number in one period only,"
                        + " leave start out and advance with a date of that period.";
    }

    /** What a program must know to use this definition; a newer one may need more than {@value #KNOWN_FEATURES}. */
    public int needs() {
        if (!fixed.isCounted()) {
            return SNOWFLAKE_FEATURES;
        }
        return isDateOrdered() ? DATE_ORDER_FEATURES : PLAIN_FEATURES;
    }

    public boolean isDateOrdered() {
        return dateOrder == DateOrder.ASCENDING;
    }

    /** The template of the numbers' texts; null where the numbers alone will do. */
    @Nullable
    public String textTemplate() {
        return format == null && exceedsExactNumbers() ? PLAIN : format;
    }

    /** Whether each number has the same text by another definition, and its texts the same bounds. */
    boolean hasTextsOf(Definition other) {
        return fixed.equals(other.fixed)
                && hasRangeOf(other)
                && Objects.equals(format, other.format)
                && Objects.equals(maxLength, other.maxLength);
    }

    public boolean hasRangeOf(Definition other) {
        return minValue == other.minValue && maxValue == other.maxValue;
    }

    /**
     * Why its owner has to state a time zone; empty where the day that it is decides on no number and no text. A
     * default would number New Year's Eve wrongly for most owners.
     */
    Optional<String> needOfTimeZone() {
        if (!fixed.isNeverReset()) {
            return Optional.of("numbers restart every " + EnumWord.of(fixed.resetEvery()));
        }
        return format != null && Format.compile(format).showsDate()
                ? Optional.of("texts of the format " + format + " show a date")
                : Optional.empty();
    }

    /** What a format has to know of the sequence of that name. */
    public FormatContext formatContext(SequenceName name) {
        return new FormatContext(
                name.scope(), name.name(), minValue, maxValue, fixed.resetEvery(), fixed.fiscalYearStart());
    }

    /** Whether numbers can be too large for a client that reads JSON numbers as doubles. */
    public boolean exceedsExactNumbers() {
        return maxValue > LARGEST_EXACT || minValue < -LARGEST_EXACT;
    }
}
