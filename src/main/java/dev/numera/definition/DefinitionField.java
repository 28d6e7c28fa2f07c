package dev.numera.definition;

import dev.numera.counter.FixedFields;
import dev.numera.counter.Guarantee;
import dev.numera.format.ResetEvery;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A field of a definition, by the name that its owner knows. Immutable; compared by identity.
 *
 * @param <T> what its values are: Long, Integer, Boolean, String or an enum
 */
public final class DefinitionField<T> {
    public static final DefinitionField<Guarantee> GUARANTEE =
            fixed("guarantee", Guarantee.class, FixedFields::guarantee);
    public static final DefinitionField<Long> START = fixed("start", Long.class, FixedFields::start);
    public static final DefinitionField<Long> INCREMENT = fixed("increment", Long.class, FixedFields::increment);
    public static final DefinitionField<Long> MIN_VALUE =
            new DefinitionField<>("minValue", Long.class, false, Definition::minValue);
    public static final DefinitionField<Long> MAX_VALUE =
            new DefinitionField<>("maxValue", Long.class, false, Definition::maxValue);
    public static final DefinitionField<Boolean> CYCLE = fixed("cycle", Boolean.class, FixedFields::cycle);
    public static final DefinitionField<Integer> CACHE_SIZE =
            new DefinitionField<>("cacheSize", Integer.class, false, Definition::cacheSize);
    public static final DefinitionField<String> FORMAT =
            new DefinitionField<>("format", String.class, false, Definition::format);
    public static final DefinitionField<Integer> MAX_LENGTH =
            new DefinitionField<>("maxLength", Integer.class, false, Definition::maxLength);
    public static final DefinitionField<ResetEvery> RESET_EVERY =
            fixed("resetEvery", ResetEvery.class, FixedFields::resetEvery);
    public static final DefinitionField<String> TIME_ZONE = fixed(
            "timeZone",
            String.class,
            fixed -> fixed.timeZone() == null ? null : fixed.timeZone().getId());
    public static final DefinitionField<Integer> FISCAL_YEAR_START =
            fixed("fiscalYearStart", Integer.class, FixedFields::fiscalYearStart);

    public static final DefinitionField<DateOrder> DATE_ORDER =
            new DefinitionField<>("dateOrder", DateOrder.class, false, Definition::dateOrder);

    public static final DefinitionField<String> DESCRIPTION = remark("description", String.class, Remarks::description);
    public static final DefinitionField<String> CONTACT = remark("contact", String.class, Remarks::contact);
    public static final DefinitionField<Integer> WARN_AT_PERCENT =
            remark("warnAtPercent", Integer.class, Remarks::warnAtPercent);

    /** In the order in which they are shown. */
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
            DESCRIPTION,
            CONTACT,
            WARN_AT_PERCENT);

    /** What says how to count. */
    static final List<DefinitionField<?>> OF_COUNTERS =
            List.of(START, INCREMENT, MIN_VALUE, MAX_VALUE, CYCLE, CACHE_SIZE, RESET_EVERY, DATE_ORDER);

    private final String name;
    private final Class<T> type;
    private final boolean isFixed;
    private final Function<Definition, @Nullable T> reader;

    private DefinitionField(String name, Class<T> type, boolean isFixed, Function<Definition, @Nullable T> reader) {
        this.name = name;
        this.type = type;
        this.isFixed = isFixed;
        this.reader = reader;
    }

    private static <T> DefinitionField<T> fixed(String name, Class<T> type, Function<FixedFields, @Nullable T> reader) {
        return new DefinitionField<>(name, type, true, definition -> reader.apply(definition.fixed()));
    }

    private static <T> DefinitionField<T> remark(String name, Class<T> type, Function<Remarks, @Nullable T> reader) {
        return new DefinitionField<>(name, type, false, definition -> reader.apply(definition.remarks()));
    }

    public String name() {
        return name;
    }

    public Class<T> type() {
        return type;
    }

    /** Whether it is fixed from the first number on, as one of {@link FixedFields}. */
    public boolean isFixed() {
        return isFixed;
    }

    /** Whether a definition in use fixes its value: a time zone that was never stated may be set once, later. */
    public boolean isFixedBy(Definition inUse) {
        return isFixed && isOf(inUse) && (this != TIME_ZONE || of(inUse) != null);
    }

    /** Its value; null where the definition has none. */
    public @Nullable T of(Definition definition) {
        return isOf(definition) ? reader.apply(definition) : null;
    }

    /** Whether it means anything for such a definition: one without counters has no series and no periods. */
    public boolean isOf(Definition definition) {
        return definition.fixed().isCounted() || !OF_COUNTERS.contains(this);
    }

    public boolean differs(Definition one, Definition other) {
        return !Objects.equals(of(one), of(other));
    }

    @Override
    public String toString() {
        return name;
    }
}
