package dev.numera.core.model;

import static dev.numera.core.model.DefinitionField.CACHE_SIZE;
import static dev.numera.core.model.DefinitionField.CONTACT;
import static dev.numera.core.model.DefinitionField.CYCLE;
import static dev.numera.core.model.DefinitionField.DATE_ORDER;
import static dev.numera.core.model.DefinitionField.DESCRIPTION;
import static dev.numera.core.model.DefinitionField.FISCAL_YEAR_START;
import static dev.numera.core.model.DefinitionField.FORMAT;
import static dev.numera.core.model.DefinitionField.GUARANTEE;
import static dev.numera.core.model.DefinitionField.INCREMENT;
import static dev.numera.core.model.DefinitionField.KEYS;
import static dev.numera.core.model.DefinitionField.MAX_LENGTH;
import static dev.numera.core.model.DefinitionField.MAX_VALUE;
import static dev.numera.core.model.DefinitionField.MIN_VALUE;
import static dev.numera.core.model.DefinitionField.RESET_EVERY;
import static dev.numera.core.model.DefinitionField.START;
import static dev.numera.core.model.DefinitionField.TIME_ZONE;
import static dev.numera.core.model.DefinitionField.WARN_AT_PERCENT;

import dev.numera.core.format.Format;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.format.YearStart;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.PrintableText;
import dev.numera.core.problem.ProblemException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A definition as its owner sent it. Each field has a value, or is null for its default, or was left out. Immutable.
 */
public final class DefinitionDraft {
    public static final DefinitionDraft EMPTY = new DefinitionDraft(Map.of());

    /** A scope that every {@code {scope:W}} accepts, for checking templates. */
    private static final String SAMPLE_SCOPE = "1";

    private final Map<DefinitionField<?>, Optional<?>> sent;

    private DefinitionDraft(Map<DefinitionField<?>, Optional<?>> sent) {
        this.sent = Map.copyOf(sent);
    }

    /** Returns a draft with every field of a definition. */
    public static DefinitionDraft of(Definition definition) {
        return EMPTY.over(definition);
    }

    /** Returns this draft with one more field; null means its default. */
    public <T> DefinitionDraft with(DefinitionField<T> field, @Nullable T value) {
        Map<DefinitionField<?>, Optional<?>> more = new HashMap<>(sent);
        more.put(field, Optional.ofNullable(value));
        return new DefinitionDraft(more);
    }

    /** Collects the fields of a draft one by one. Not thread-safe. */
    public static final class Builder {
        private final Map<DefinitionField<?>, Optional<?>> fields = new HashMap<>();

        /** Adds a field; null means its default. */
        public <T> void put(DefinitionField<T> field, @Nullable T value) {
            fields.put(field, Optional.ofNullable(value));
        }

        public DefinitionDraft build() {
            return new DefinitionDraft(fields);
        }
    }

    /** Returns the value of a field; null if it was left out, or if it was sent as null to reset it. */
    @SuppressWarnings("unchecked") // Each way to add a field takes its value with it.
    public <T> @Nullable T get(DefinitionField<T> field) {
        Optional<?> value = sent.get(field);
        return value == null ? null : (T) value.orElse(null);
    }

    /** Returns this draft with the fields that were left out taken from a definition. */
    public DefinitionDraft over(Definition present) {
        return over(present, field -> true);
    }

    /** Like {@link #over}, for the fixed fields only. */
    public DefinitionDraft keepingFixed(Definition present) {
        return over(present, DefinitionField::isFixed);
    }

    private DefinitionDraft over(Definition present, Predicate<DefinitionField<?>> isKept) {
        Map<DefinitionField<?>, Optional<?>> all = new HashMap<>(sent);
        Guarantee guarantee = get(GUARANTEE);
        boolean stopsCounting =
                guarantee == Guarantee.SNOWFLAKE && present.fixed().isCounted();
        for (DefinitionField<?> field : DefinitionField.ALL) {
            boolean isLost = stopsCounting && field.isOfCounters() && !isDeclared(present, field);
            if (!isLost && isKept.test(field) && !sent.containsKey(field)) {
                all.put(field, Optional.ofNullable(field.of(present)));
            }
        }
        return new DefinitionDraft(all);
    }

    /**
     * Refuses a complete replacement of a definition that would silently reset a declared field, because this draft
     * leaves it out.
     *
     * @param after the definition that this draft was completed to
     * @throws ProblemException {@code invalid-request} with each field that was left out and had another value than the
     *     default
     */
    public void requireNothingLost(Definition before, Definition after) {
        InvalidRequest invalid = new InvalidRequest();
        for (DefinitionField<?> field : DefinitionField.ALL) {
            if (!sent.containsKey(field) && field.differs(before, after) && isDeclared(before, field)) {
                invalid.add(
                        field.name(),
                        "was left out and would be lost: it is " + field.of(before) + ". Send it, or null to reset it");
            }
        }
        invalid.throwIfAny();
    }

    private static boolean isDeclared(Definition definition, DefinitionField<?> field) {
        return field.differs(definition, of(definition).with(field, null).filled());
    }

    /**
     * Adds the errors of the fields that were sent, without regard to the stored definition. Call it before evaluating
     * preconditions such as {@code If-Match} (RFC 9110, 13.2.1).
     */
    public void check(InvalidRequest invalid) {
        check(invalid, Format::compile);
    }

    /** Returns the compiled format; null without a format, or if it is wrong or the compiler skips it. */
    private @Nullable Format check(InvalidRequest invalid, Function<String, @Nullable Format> compiler) {
        checkBounds(invalid, INCREMENT);
        checkBounds(invalid, START);
        checkBounds(invalid, MIN_VALUE);
        checkBounds(invalid, MAX_VALUE);
        checkRange(invalid, get(START), get(MIN_VALUE), get(MAX_VALUE));
        checkBounds(invalid, CACHE_SIZE);
        checkCycle(invalid);
        checkTimeZone(invalid);
        checkDateOrder(invalid);
        checkKeys(invalid);
        checkSnowflake(invalid);
        Format format = checkFormat(invalid, compiler);
        checkBounds(invalid, MAX_LENGTH);
        checkText(invalid, DESCRIPTION, PrintableText.DESCRIPTION);
        checkText(invalid, CONTACT, PrintableText.CONTACT);
        checkBounds(invalid, WARN_AT_PERCENT);
        return format;
    }

    /** Completes the draft of a new sequence, like {@link #complete(SequenceName, Definition, Instant)}. */
    public Definition complete(SequenceName name, Instant now) {
        return complete(name, null, now);
    }

    /**
     * Returns the complete definition. The range defaults to that of PostgreSQL's {@code CREATE SEQUENCE}, except for
     * the largest number, which is 2^53 - 1.
     *
     * @param before the stored definition; null if there is none. The format is not checked again if nothing that
     *     affects the texts has changed
     * @param now the time from whose year on the check looks for repeating texts
     * @throws ProblemException {@code invalid-request} with every field that is wrong, {@code texts-could-repeat} or
     *     {@code texts-too-long}
     */
    public Definition complete(SequenceName name, @Nullable Definition before, Instant now) {
        InvalidRequest invalid = new InvalidRequest();
        Format declared = check(invalid, compiler(before));
        invalid.throwIfAny();
        Definition definition = filled();
        FixedFields fixed = definition.fixed();
        checkRange(invalid, fixed.start(), definition.minValue(), definition.maxValue());
        boolean keepsTexts = before != null && definition.hasTextsOf(before);
        boolean needsNoFormat = keepsTexts && fixed.timeZone() != null;
        Format format = declared != null || needsNoFormat ? declared : compiled(definition);
        if (fixed.timeZone() == null) {
            requireTimeZone(invalid, definition, format);
        }
        invalid.throwIfAny();
        if (!keepsTexts) {
            requireTexts(name, definition, format, fixed.day(now));
        }
        return definition;
    }

    private static @Nullable Format compiled(Definition definition) {
        return definition.format() == null ? null : Format.compile(definition.format());
    }

    /**
     * Returns the check for the template. A template that stays the same is not checked again, because it met the rules
     * at the time when it was stored.
     */
    private Function<String, @Nullable Format> compiler(@Nullable Definition before) {
        boolean isKept = before != null && Objects.equals(get(FORMAT), before.format());
        return isKept ? template -> null : Format::declare;
    }

    /** Returns the definition with these values and the defaults of all other fields, unchecked. */
    public Definition filled() {
        Guarantee guarantee = or(GUARANTEE, Guarantee.STRICT);
        // Snowflake ids are made of a clock and a worker number, and lie between 0 and 2^53.
        long least = guarantee == Guarantee.SNOWFLAKE ? 0 : 1;
        long by = or(INCREMENT, 1L);
        boolean up = by > 0;
        long first = or(START, up ? or(MIN_VALUE, least) : or(MAX_VALUE, -1L));
        return new Definition(
                new FixedFields(
                        guarantee,
                        first,
                        by,
                        or(CYCLE, false),
                        or(RESET_EVERY, ResetEvery.NEVER),
                        timeZone(),
                        or(FISCAL_YEAR_START, YearStart.NEW_YEAR)),
                or(MIN_VALUE, up ? Math.min(least, first) : -Definition.LARGEST_EXACT),
                or(MAX_VALUE, up ? Definition.LARGEST_EXACT : Math.max(-1, first)),
                or(CACHE_SIZE, Definition.DEFAULT_CACHE_SIZE),
                get(FORMAT),
                get(MAX_LENGTH),
                or(DATE_ORDER, DateOrder.NONE),
                or(KEYS, KeyPolicy.OPTIONAL),
                get(DESCRIPTION),
                get(CONTACT),
                or(WARN_AT_PERCENT, Definition.DEFAULT_WARN_AT_PERCENT));
    }

    private @Nullable ZoneId timeZone() {
        String zone = get(TIME_ZONE);
        return zone == null ? null : ZoneId.of(zone);
    }

    private <T> void checkBounds(InvalidRequest invalid, DefinitionField<T> field) {
        T value = get(field);
        if (value != null) {
            field.flaw(value).ifPresent(flaw -> invalid.add(field.name(), flaw));
        }
    }

    private void checkText(InvalidRequest invalid, DefinitionField<String> field, PrintableText kind) {
        String value = get(field);
        if (value != null) {
            kind.flaw(value).ifPresent(flaw -> invalid.add(field.name(), flaw));
        }
    }

    private static void checkRange(
            InvalidRequest invalid, @Nullable Long first, @Nullable Long min, @Nullable Long max) {
        if (min != null && max != null && min > max) {
            invalid.add("minValue", "must not be greater than maxValue: " + min + " is greater than " + max);
        } else if (first != null && (min != null && first < min || max != null && first > max)) {
            invalid.add(
                    "start",
                    "must lie within minValue and maxValue: " + first
                            + (min != null && first < min ? " is less than " + min : " is greater than " + max));
        }
    }

    private void checkCycle(InvalidRequest invalid) {
        if (get(GUARANTEE) == Guarantee.GAPLESS && or(CYCLE, false)) {
            invalid.add(
                    "cycle",
                    "must be false where the guarantee is gapless: a second round would repeat the ledger's numbers");
        }
    }

    private void checkDateOrder(InvalidRequest invalid) {
        if (get(DATE_ORDER) == DateOrder.ASCENDING && get(GUARANTEE) == Guarantee.CACHED) {
            invalid.add(
                    "dateOrder",
                    "must be none where the guarantee is cached: each instance allocates from its own block");
        }
    }

    private void checkKeys(InvalidRequest invalid) {
        if (get(KEYS) != KeyPolicy.REQUIRED) {
            return;
        }
        Guarantee guarantee = or(GUARANTEE, Guarantee.STRICT);
        boolean mayRequire = guarantee == Guarantee.STRICT && !or(CYCLE, false);
        if (!mayRequire && guarantee != Guarantee.SNOWFLAKE) {
            invalid.add(
                    KEYS.name(),
                    "must be optional unless the guarantee is strict without cycle: a gapless sequence requires keys"
                            + " anyway, and a cached one or a cycle takes none");
        }
    }

    private void checkSnowflake(InvalidRequest invalid) {
        if (get(GUARANTEE) == Guarantee.SNOWFLAKE) {
            DefinitionField.ALL.stream()
                    .filter(field -> field.isOfCounters() && get(field) != null)
                    .forEach(field -> invalid.add(
                            field.name(), "does not apply where the guarantee is snowflake: leave it out, or null"));
        }
    }

    private void checkTimeZone(InvalidRequest invalid) {
        try {
            timeZone();
        } catch (DateTimeException e) {
            invalid.add(
                    "timeZone",
                    "must be a zone of the IANA database such as Europe/Berlin, or an offset such as +01:00");
        }
    }

    private static void requireTimeZone(InvalidRequest invalid, Definition definition, @Nullable Format format) {
        definition
                .needOfTimeZone(format)
                .ifPresent(need -> invalid.add(
                        "timeZone",
                        "is required because " + need
                                + ", and is fixed from the first number on: name the zone in which days start, such"
                                + " as Europe/Berlin, or UTC"));
    }

    private @Nullable Format checkFormat(InvalidRequest invalid, Function<String, @Nullable Format> compiler) {
        String template = get(FORMAT);
        try {
            return template == null ? null : compiler.apply(template);
        } catch (ProblemException e) {
            invalid.addAll(e);
            return null;
        }
    }

    /** Returns the name of a sequence that a template could create; for any other sequence, its own name. */
    public static SequenceName sample(SequenceName name) {
        return name.isTemplate() ? new SequenceName(SAMPLE_SCOPE, name.name()) : name;
    }

    private static void requireTexts(
            SequenceName name, Definition definition, @Nullable Format format, LocalDate today) {
        SequenceName sample = sample(name);
        if (format != null) {
            format.requireDistinctTexts(definition.formatContext(sample), today);
        }
        Integer maxLength = definition.maxLength();
        if (maxLength != null) {
            Optional.ofNullable(format)
                    .map(declared -> LongestText.of(declared, sample, definition, today))
                    .or(() -> LongestText.of(sample, definition, today))
                    .ifPresent(length -> length.requireAtMost(maxLength));
        }
    }

    private <T> T or(DefinitionField<T> field, T byDefault) {
        T value = get(field);
        return value == null ? byDefault : value;
    }
}
