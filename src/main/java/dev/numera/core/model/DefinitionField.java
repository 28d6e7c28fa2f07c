package dev.numera.core.model;

import dev.numera.core.format.Format;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.format.YearStart;
import dev.numera.core.problem.EnumWord;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A field of a definition, with the name that the API uses, its type and its bounds. Immutable; compared by identity.
 *
 * @param <T> the type of its values: Long, Integer, Boolean, String, YearStart or an enum
 */
public final class DefinitionField<T> {
    public static final DefinitionField<Guarantee> GUARANTEE =
            fixed("guarantee", Guarantee.class, FixedFields::guarantee);
    public static final DefinitionField<Long> START =
            fixed("start", Long.class, FixedFields::start).ofCounters();
    public static final DefinitionField<Long> INCREMENT =
            fixed("increment", Long.class, FixedFields::increment).ofCounters();
    public static final DefinitionField<Long> MIN_VALUE =
            changing("minValue", Long.class, Definition::minValue).ofCounters();
    public static final DefinitionField<Long> MAX_VALUE =
            changing("maxValue", Long.class, Definition::maxValue).ofCounters();
    public static final DefinitionField<Boolean> CYCLE =
            fixed("cycle", Boolean.class, FixedFields::cycle).ofCounters();
    public static final DefinitionField<Integer> CACHE_SIZE = changing(
                    "cacheSize", Integer.class, Definition::cacheSize)
            .upTo(Definition.MAX_CACHE_SIZE)
            .ofCounters();
    public static final DefinitionField<String> FORMAT = changing("format", String.class, Definition::format);
    public static final DefinitionField<Integer> MAX_LENGTH =
            changing("maxLength", Integer.class, Definition::maxLength).upTo(Format.MAX_TEXT_LENGTH);
    public static final DefinitionField<ResetEvery> RESET_EVERY =
            fixed("resetEvery", ResetEvery.class, FixedFields::resetEvery).ofCounters();
    public static final DefinitionField<String> TIME_ZONE = fixed(
            "timeZone",
            String.class,
            fixed -> fixed.timeZone() == null ? null : fixed.timeZone().getId());
    public static final DefinitionField<YearStart> FISCAL_YEAR_START =
            fixed("fiscalYearStart", YearStart.class, FixedFields::fiscalYearStart);

    public static final DefinitionField<DateOrder> DATE_ORDER =
            changing("dateOrder", DateOrder.class, Definition::dateOrder).ofCounters();

    public static final DefinitionField<KeyPolicy> KEYS =
            changing("keys", KeyPolicy.class, Definition::keys).ofCounters();

    public static final DefinitionField<String> DESCRIPTION =
            changing("description", String.class, Definition::description);
    public static final DefinitionField<String> CONTACT = changing("contact", String.class, Definition::contact);
    public static final DefinitionField<Integer> WARN_AT_PERCENT =
            changing("warnAtPercent", Integer.class, Definition::warnAtPercent).upTo(100);

    /** All fields, in the order in which answers show them. */
    public static final List<DefinitionField<?>> ALL = List.of(
            GUARANTEE,
            START,
            INCREMENT,
            MIN_VALUE,
            MAX_VALUE,
            CYCLE,
            CACHE_SIZE,
            FORMAT,
            MAX_LENGTH,
            RESET_EVERY,
            TIME_ZONE,
            FISCAL_YEAR_START,
            DATE_ORDER,
            KEYS,
            DESCRIPTION,
            CONTACT,
            WARN_AT_PERCENT);

    private final String name;
    private final Class<T> type;
    private final boolean isFixed;
    private final boolean isOfCounters;
    private final Function<Definition, @Nullable T> reader;
    /** The greatest value of a field of type Integer, whose least value is 1; unused for other types. */
    private final int greatest;

    private DefinitionField(
            String name,
            Class<T> type,
            boolean isFixed,
            boolean isOfCounters,
            Function<Definition, @Nullable T> reader,
            int greatest) {
        this.name = name;
        this.type = type;
        this.isFixed = isFixed;
        this.isOfCounters = isOfCounters;
        this.reader = reader;
        this.greatest = greatest;
    }

    private static <T> DefinitionField<T> fixed(String name, Class<T> type, Function<FixedFields, @Nullable T> reader) {
        return new DefinitionField<>(name, type, true, false, definition -> reader.apply(definition.fixed()), 0);
    }

    private static <T> DefinitionField<T> changing(
            String name, Class<T> type, Function<Definition, @Nullable T> reader) {
        return new DefinitionField<>(name, type, false, false, reader, 0);
    }

    private DefinitionField<T> upTo(int most) {
        return new DefinitionField<>(name, type, isFixed, isOfCounters, reader, most);
    }

    private DefinitionField<T> ofCounters() {
        return new DefinitionField<>(name, type, isFixed, true, reader, greatest);
    }

    public String name() {
        return name;
    }

    public Class<T> type() {
        return type;
    }

    /** Whether the field is one of {@link FixedFields}, which no longer change after the first number. */
    public boolean isFixed() {
        return isFixed;
    }

    /**
     * Whether a definition in use fixes the value of this field. A time zone that was never stated can still be set
     * once.
     */
    public boolean isFixedBy(Definition inUse) {
        return isFixed && isOf(inUse) && (this != TIME_ZONE || of(inUse) != null);
    }

    /** Returns the field's value; null if it is absent or does not apply to the definition. */
    public @Nullable T of(Definition definition) {
        return isOfCounters && !definition.fixed().isCounted() ? null : reader.apply(definition);
    }

    /**
     * Returns the field's value even if it does not apply to the definition, because rows in storage have every column.
     */
    public @Nullable T stored(Definition definition) {
        return reader.apply(definition);
    }

    /**
     * Returns the value of this field for a scalar of JSON or of a row in storage.
     *
     * @param scalar a Long, a Boolean, a String, or null
     * @return empty if the scalar has another type, or is not the name of a constant of the field's enum
     */
    public Optional<T> value(@Nullable Object scalar) {
        Object value = scalar;
        if (type == Integer.class && scalar instanceof Long number && number == number.intValue()) {
            value = number.intValue();
        } else if (type.isEnum() && scalar instanceof String word) {
            value = constants()
                    .filter(constant -> EnumWord.of(constant).equals(word))
                    .findFirst()
                    .orElse(null);
        }
        if (type == YearStart.class) {
            value = yearStart(scalar).orElse(null);
        }
        return type.isInstance(value) ? Optional.of(type.cast(value)) : Optional.empty();
    }

    private static Optional<YearStart> yearStart(@Nullable Object scalar) {
        if (scalar instanceof Long month) {
            return month >= 1 && month <= 12 ? Optional.of(YearStart.ofMonth(month.intValue())) : Optional.empty();
        }
        return scalar instanceof String text ? YearStart.of(text) : Optional.empty();
    }

    /** Returns a description of the field's values that completes a sentence after "must be". */
    public String kind() {
        if (this == INCREMENT) {
            return "a whole number within 10^12 either way, but not 0";
        } else if (type == Long.class) {
            return "a whole number within 4*10^18 either way";
        } else if (type == Integer.class) {
            return String.format(Locale.ROOT, "a whole number from 1 to %,d", greatest);
        } else if (type == Boolean.class) {
            return "true or false";
        } else if (type == YearStart.class) {
            return "a whole number from 1 to 12, or a month and a day from 01 to 28, such as 04-06";
        }
        return type == String.class
                ? "a string"
                : "one of " + constants().map(EnumWord::of).collect(Collectors.joining(", "));
    }

    private Stream<Enum<?>> constants() {
        return Arrays.stream(type.getEnumConstants()).map(constant -> (Enum<?>) constant);
    }

    /**
     * Returns the reason why a number is out of bounds, as a phrase that follows the field's name; empty if it is
     * within them.
     */
    public Optional<String> flaw(T value) {
        if (value instanceof Integer number && (number < 1 || number > greatest)) {
            return Optional.of(String.format(Locale.ROOT, "must be from 1 to %,d", greatest));
        }
        if (this == INCREMENT) {
            return Series.isIncrement((Long) value)
                    ? Optional.empty()
                    : Optional.of("must not be 0, and at most 10^12 either way");
        }
        return value instanceof Long number && !Series.isBounded(number)
                ? Optional.of("must be within 4*10^18 either way, so that the next number always fits 64 bits")
                : Optional.empty();
    }

    /**
     * Returns the field's value as JSON shows it: a fiscal year that starts on the first of a month has the number of
     * the month; null like {@link #of}.
     */
    public @Nullable Object shown(Definition definition) {
        T value = of(definition);
        if (value instanceof YearStart start) {
            return start.isFirstOfMonth() ? (Object) start.month() : start.toString();
        }
        return value;
    }

    /** Whether the field applies to a definition. A definition without counters has no series and no periods. */
    public boolean isOf(Definition definition) {
        return !isOfCounters || definition.fixed().isCounted();
    }

    /** Whether the field only affects sequences with counters. A snowflake sequence has no such field. */
    boolean isOfCounters() {
        return isOfCounters;
    }

    public boolean differs(Definition one, Definition other) {
        return !Objects.equals(of(one), of(other));
    }

    @Override
    public String toString() {
        return name;
    }
}
