package dev.numera.sequence;

import dev.numera.counter.FixedFields;
import dev.numera.counter.Guarantee;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Series;
import dev.numera.format.Format;
import dev.numera.format.InvalidFieldException;
import dev.numera.format.ResetEvery;
import dev.numera.format.TextsCouldRepeatException;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A definition as its owner sent it: a field that is null was left out. */
public record DefinitionDraft(
        @Nullable Guarantee guarantee,
        @Nullable Long start,
        @Nullable Long increment,
        @Nullable Long minValue,
        @Nullable Long maxValue,
        @Nullable Boolean cycle,
        @Nullable Integer cacheSize,
        @Nullable String format,
        @Nullable ResetEvery resetEvery,
        @Nullable String timeZone,
        @Nullable Integer fiscalYearStart) {
    /** Any scope that a template's {@code {scope:W}} accepts. */
    private static final String SAMPLE_SCOPE = "1";

    /** This draft, with what was left out of the fixed fields taken from a definition whose fields are fixed. */
    DefinitionDraft keeping(FixedFields fixed) {
        return new DefinitionDraft(
                or(guarantee, fixed.guarantee()),
                or(start, fixed.start()),
                or(increment, fixed.increment()),
                minValue,
                maxValue,
                or(cycle, fixed.cycle()),
                cacheSize,
                format,
                or(resetEvery, fixed.resetEvery()),
                or(timeZone, fixed.timeZone().getId()),
                or(fiscalYearStart, fixed.fiscalYearStart()));
    }

    /**
     * Adds what is wrong with the fields that were sent, whatever is stored: it comes before any precondition (RFC
     * 9110, 13.2.1).
     */
    public void check(InvalidRequest invalid) {
        if (increment != null && !Series.isIncrement(increment)) {
            invalid.add("increment", "must not be 0, and at most 10^12 either way");
        }
        checkBounded(invalid, "start", start);
        checkBounded(invalid, "minValue", minValue);
        checkBounded(invalid, "maxValue", maxValue);
        checkRange(invalid, start, minValue, maxValue);
        if (cacheSize != null && (cacheSize < 1 || cacheSize > Definition.MAX_CACHE_SIZE)) {
            invalid.add("cacheSize", "must be from 1 to 1,000,000");
        }
        checkCycle(invalid);
        if (fiscalYearStart != null && (fiscalYearStart < 1 || fiscalYearStart > 12)) {
            invalid.add("fiscalYearStart", "must be a month from 1 to 12");
        }
        checkTimeZone(invalid);
        checkFormat(invalid);
    }

    /**
     * The complete definition; the defaults of the range are those of PostgreSQL's {@code CREATE SEQUENCE}, but for the
     * largest number.
     *
     * @param today examples of repeating texts are dates from this year on
     * @throws ProblemException {@code invalid-request} with every field that is wrong, or {@code texts-could-repeat}
     */
    Definition complete(SequenceName name, LocalDate today) {
        InvalidRequest invalid = new InvalidRequest();
        check(invalid);
        invalid.throwIfAny();
        long by = or(increment, 1L);
        boolean up = by > 0;
        long first = start != null ? start : up ? or(minValue, 1L) : or(maxValue, -1L);
        long min = minValue != null ? minValue : up ? Math.min(1, first) : -Definition.LARGEST_EXACT;
        long max = maxValue != null ? maxValue : up ? Definition.LARGEST_EXACT : Math.max(-1, first);
        checkRange(invalid, first, min, max);
        invalid.throwIfAny();
        FixedFields fixed = new FixedFields(
                or(guarantee, Guarantee.STRICT),
                first,
                by,
                or(cycle, false),
                or(resetEvery, ResetEvery.NEVER),
                ZoneId.of(or(timeZone, "UTC")),
                or(fiscalYearStart, 1));
        Definition definition = new Definition(fixed, min, max, or(cacheSize, Definition.DEFAULT_CACHE_SIZE), format);
        requireFormat(name, definition, today);
        return definition;
    }

    private static void checkBounded(InvalidRequest invalid, String field, @Nullable Long value) {
        if (value != null && (value < -Series.LARGEST_VALUE || value > Series.LARGEST_VALUE)) {
            invalid.add(field, "must be within 4*10^18 either way, so that the next number always fits 64 bits");
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
        if (or(cycle, false) && guarantee == Guarantee.GAPLESS) {
            invalid.add(
                    "cycle",
                    "must be false where the guarantee is gapless: a second round would repeat the ledger's numbers");
        }
    }

    private void checkTimeZone(InvalidRequest invalid) {
        try {
            ZoneId.of(or(timeZone, "UTC"));
        } catch (DateTimeException e) {
            invalid.add(
                    "timeZone",
                    "must be a zone of the IANA database such as Europe/Berlin, or an offset such as +01:00");
        }
    }

    private void checkFormat(InvalidRequest invalid) {
        try {
            if (format != null) {
                Format.compile(format);
            }
        } catch (InvalidFieldException e) {
            invalid.add(e.field(), e.reason());
        }
    }

    private static void requireFormat(SequenceName name, Definition definition, LocalDate today) {
        if (definition.format() == null) {
            return;
        }
        SequenceName sample = name.isTemplate() ? new SequenceName(SAMPLE_SCOPE, name.name()) : name;
        try {
            Format.compile(definition.format()).requireDistinctTexts(definition.formatContext(sample), today);
        } catch (InvalidFieldException e) {
            throw InvalidRequest.because(e.field(), e.reason());
        } catch (TextsCouldRepeatException e) {
            throw new ProblemException(
                    ProblemType.TEXTS_COULD_REPEAT,
                    e.getMessage(),
                    Map.of("examples", List.of(example(e.first()), example(e.second()))));
        }
    }

    private static Map<String, Object> example(TextsCouldRepeatException.Example example) {
        return Map.of(
                "date", example.date().toString(), "period", example.period().id(), "text", example.text());
    }

    private static <T> T or(@Nullable T value, T byDefault) {
        return value == null ? byDefault : value;
    }
}
