package dev.numera.core.model;

import dev.numera.core.format.Format;
import dev.numera.core.format.FormatContext;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.problem.EnumWord;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a sequence, with the value of every field: as declared by the owner, or the default. Immutable.
 *
 * @param cacheSize how many numbers an instance reserves at once; only used if the guarantee is cached
 * @param format the template of the texts, or null
 * @param maxLength the greatest length of a text in UTF-16 units, or null
 * @param dateOrder may be switched on until the first number, and off at any time
 * @param keys required only of a strict sequence without cycle; may change at any time
 * @param description for people; does not affect numbers
 * @param contact the person or team to ask about the sequence; does not affect numbers
 * @param warnAtPercent the used share, from 1 to 100, at which a warning is logged: of the range, or of the part that
 *     the last widening added
 */
public record Definition(
        FixedFields fixed,
        long minValue,
        long maxValue,
        int cacheSize,
        @Nullable String format,
        @Nullable Integer maxLength,
        DateOrder dateOrder,
        KeyPolicy keys,
        @Nullable String description,
        @Nullable String contact,
        int warnAtPercent) {
    /** The largest number that is exact in every client: 2^53 - 1. */
    public static final long LARGEST_EXACT = (1L << 53) - 1;

    public static final int DEFAULT_CACHE_SIZE = 100;
    public static final int DEFAULT_WARN_AT_PERCENT = 90;
    public static final int MAX_CACHE_SIZE = 1_000_000;

    /**
     * The highest feature level of definitions that this program supports. Instances refuse definitions of a higher
     * level.
     */
    public static final int KNOWN_FEATURES = 7;

    static final int PLAIN_FEATURES = 1;
    /** Instances that do not know this feature level would allocate numbers under dates before the last one. */
    private static final int DATE_ORDER_FEATURES = 2;
    /** Instances that do not know this feature level would count, or could not read the guarantee. */
    private static final int SNOWFLAKE_FEATURES = 3;
    /** Instances that do not know this feature level would keep allocating while the sequence is suspended. */
    public static final int SUSPENSION_FEATURES = 4;
    /**
     * Instances that do not know this feature level would store the same key in another Unicode form, and allocate a
     * second number for that key.
     */
    static final int KEY_FORM_FEATURES = 5;
    /**
     * Instances that do not know this feature level could not read formats with checks of payment references, groups or
     * quarters, and would start fiscal years on the first day of a month.
     */
    static final int REFERENCE_AND_QUARTER_FEATURES = 6;
    /** Instances that do not know this feature level would allocate without a key. */
    private static final int REQUIRED_KEY_FEATURES = 7;

    /** The template of a sequence without a format whose numbers are too large to be exact in every client. */
    private static final String PLAIN = "{n}";

    /** The definition of a sequence whose owner declared nothing. */
    public static final Definition DEFAULT = new Definition(
            new FixedFields(Guarantee.STRICT, 1, 1, false, ResetEvery.NEVER, null, 1),
            1,
            LARGEST_EXACT,
            DEFAULT_CACHE_SIZE,
            null);

    /** Creates a definition with the defaults for all other fields. */
    public Definition(FixedFields fixed, long minValue, long maxValue, int cacheSize, @Nullable String format) {
        this(
                fixed,
                minValue,
                maxValue,
                cacheSize,
                format,
                null,
                DateOrder.NONE,
                KeyPolicy.OPTIONAL,
                null,
                null,
                DEFAULT_WARN_AT_PERCENT);
    }

    public Series series() {
        return new Series(fixed.start(), fixed.increment(), minValue, maxValue, fixed.cycle());
    }

    /** Returns a hint about a start that the owner may not have intended for every period; null if there is no hint. */
    public @Nullable String note() {
        boolean isFirst = fixed.start() == series().roundStart();
        return fixed.isNeverReset() || isFirst
                ? null
                : "start " + fixed.start()
                        + " holds for every period. To go on after another system's last number in one period only,"
                        + " leave start out and advance with a date of that period.";
    }

    /**
     * Returns the least feature level, a number that grows with new kinds of definitions, of an app version that can
     * use this definition. A definition that a newer version stored may need a higher level than
     * {@value #KNOWN_FEATURES}.
     */
    public int needs() {
        if (keys == KeyPolicy.REQUIRED) {
            return REQUIRED_KEY_FEATURES;
        }
        if (fixed.resetEvery() == ResetEvery.QUARTER || !fixed.fiscalYearStart().isFirstOfMonth()) {
            return REFERENCE_AND_QUARTER_FEATURES;
        }
        if (!fixed.isCounted()) {
            return SNOWFLAKE_FEATURES;
        }
        return isDateOrdered() ? DATE_ORDER_FEATURES : PLAIN_FEATURES;
    }

    /** Whether each allocation needs a key. */
    public boolean requiresKeys() {
        return fixed.guarantee() == Guarantee.GAPLESS || keys == KeyPolicy.REQUIRED;
    }

    public boolean isDateOrdered() {
        return dateOrder == DateOrder.ASCENDING;
    }

    /** Returns the template of the texts; null if answers contain numbers only. */
    @Nullable
    public String textTemplate() {
        return format == null && exceedsExactNumbers() ? PLAIN : format;
    }

    /** Whether another definition writes each number as the same text, and has the same range and maximum length. */
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
     * Returns the reason why the owner has to state a time zone; empty if the date affects no number and no text. There
     * is no default, because it would assign New Year's Eve to the wrong year for most owners.
     *
     * @param compiled the format of this definition; null without a format
     */
    Optional<String> needOfTimeZone(@Nullable Format compiled) {
        if (!fixed.isNeverReset()) {
            return Optional.of("numbers restart every " + EnumWord.of(fixed.resetEvery()));
        }
        return compiled != null && compiled.showsDate()
                ? Optional.of("texts of the format " + format + " show a date")
                : Optional.empty();
    }

    /** Returns the context that a format needs to write and read texts of the sequence with this name. */
    public FormatContext formatContext(SequenceName name) {
        return new FormatContext(
                name.scope(), name.name(), minValue, maxValue, fixed.resetEvery(), fixed.fiscalYearStart());
    }

    /** Whether the range contains numbers that a client cannot read exactly as doubles from JSON. */
    public boolean exceedsExactNumbers() {
        return maxValue > LARGEST_EXACT || minValue < -LARGEST_EXACT;
    }
}
