package dev.numera.core.format;

import dev.numera.core.problem.ProblemException;
import java.time.LocalDate;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntBiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The compiled template of a sequence's texts, such as {@code INV-{yyyy}-{n:6}}. {@link #text} prints a number, and
 * {@link #parse} reads the text back. Immutable and thread-safe; no method blocks.
 *
 * <h2>Tokens</h2>
 *
 * <ul>
 *   <li>{@code {n}}, {@code {n:W}}: the number, zero-padded to W digits and never cut. A minus sign precedes the digits
 *       and does not count. Texts sort in number order for numbers from 0 up with at most W digits.
 *   <li>{@code {n:3/4/3}}: the number in groups of digits, with the separators between the widths: a blank, {@code .},
 *       {@code /} or {@code -}. The widths together are the least number of digits.
 *   <li>{@code {r:W}}: maxValue minus the number, always with W digits, so that texts sort in reverse number order.
 *   <li>{@code {scope}}, {@code {scope:W}} (a scope of at most W digits, zero-padded), {@code {name}}.
 *   <li>{@code {yyyy}}, {@code {yy}}, {@code {MM}}, {@code {dd}}, {@code {DDD}} (day of the year), {@code {q}} (quarter
 *       of the fiscal year), {@code {ww}} (ISO 8601 week) with {@code {gggg}} (the year that the week belongs to),
 *       {@code {fy}} and {@code {fy:2}} (the year when the {@link FiscalYear} ends), {@code {fy:2-2}} (the years when
 *       it begins and ends).
 *   <li>{@code {check:luhn}}, {@code {check:damm}}, {@code {check:verhoeff}}, {@code {check:gs1}} (GTIN, SSCC) and
 *       {@code {check:mod11-10}} (ISO/IEC 7064) over all digits before it, {@code {check:mod97}} (two digits) and
 *       {@code {check:mod37-36}} (a digit or a capital letter, both ISO/IEC 7064) over all digits and letters before
 *       it. At most one, after the number.
 *   <li>The checks of payment references: {@code {check:be-ogm}}, {@code {check:mod10-recursive}}, {@code {check:731}}
 *       and {@code {check:mod11:2-7:X}} after the number, {@code RF{check:iso11649}} at the start of the text.
 *   <li><code>{{</code> and <code>}}</code>: a brace in the text. A single brace that does not belong to a token is
 *       refused.
 * </ul>
 *
 * A template has exactly one of {@code {n}} and {@code {r}}. W is 1 to 19, the most digits of a 64-bit number.
 * Everything else is literal text.
 *
 * <h2>Why texts are distinct</h2>
 *
 * Within one sequence, only the number varies in length: scope and name are fixed, and date tokens and check digits
 * have fixed widths. So the length of a text determines where its number is, and equal texts contain the same number.
 * The same number could still have equal texts in two periods: {@link #requireDistinctTexts} refuses such formats. If a
 * sequence has had several formats, {@link Revision#shapeInCommon} keeps their texts apart.
 */
public final class Format {
    /** The greatest length of a template, in UTF-16 units. */
    public static final int MAX_TEMPLATE_LENGTH = 200;

    /** The greatest length of a text, in UTF-16 units. Templates that could write a longer text are refused. */
    public static final int MAX_TEXT_LENGTH = 255;

    private static final Set<DateToken> TWO_DIGIT_YEARS =
            EnumSet.of(DateToken.YEAR_OF_CENTURY, DateToken.FISCAL_YEAR_OF_CENTURY);
    private static final Set<DateToken> FOUR_DIGIT_YEARS =
            EnumSet.of(DateToken.YEAR, DateToken.WEEK_YEAR, DateToken.FISCAL_YEAR);

    private final String template;
    private final List<FormatPart> parts;
    private final boolean isReversed;
    private final boolean hasReferenceCheck;
    private final Set<DateToken> dateTokens = EnumSet.noneOf(DateToken.class);

    private Format(String template, List<FormatPart> parts) {
        this.template = template;
        this.parts = parts;
        this.isReversed = parts.stream().anyMatch(FormatPart.ReversedNumber.class::isInstance);
        this.hasReferenceCheck = parts.stream().anyMatch(FormatPart.ReferenceCheck.class::isInstance);
        for (FormatPart part : parts) {
            if (part instanceof FormatPart.DateField field) {
                dateTokens.add(field.token());
            }
        }
    }

    /**
     * Compiles a template.
     *
     * @throws ProblemException {@code invalid-request} for field {@code format}, with the fault, its position and the
     *     remedy
     */
    public static Format compile(String template) {
        return new Format(template, TemplateCompiler.compile(template));
    }

    /**
     * Compiles the template of a new format, by stricter rules than {@link #compile}. Formats that an earlier version
     * accepted are compiled without these rules, so their sequences keep them.
     *
     * @throws ProblemException as {@link #compile} does; also where a check covers no digit of the number
     */
    public static Format declare(String template) {
        return new Format(template, TemplateCompiler.declare(template));
    }

    /** Whether texts contain maxValue minus the number, so that their meaning changes with maxValue. */
    public boolean isReversed() {
        return isReversed;
    }

    /** Whether versions of the app before feature level 6 know every token of the template. */
    public boolean isOfFirstVersions() {
        return parts.stream().allMatch(FormatPart::isOfFirstVersions);
    }

    /** Whether texts depend on the date. */
    public boolean showsDate() {
        return !dateTokens.isEmpty();
    }

    /**
     * Whether texts show the year only by two digits, with {@code {yy}}, {@code {fy:2}} or {@code {fy:2-2}}. Such texts
     * distinguish only the dates of 100 years.
     */
    public boolean tellsYearByTwoDigits() {
        return !Collections.disjoint(dateTokens, TWO_DIGIT_YEARS) && Collections.disjoint(dateTokens, FOUR_DIGIT_YEARS);
    }

    /**
     * Refuses a sequence whose texts this format cannot write. For field {@code scope}, it refuses a scope that does
     * not fit {@code {scope:W}}. For field {@code format}, it refuses {@code {r:W}} with fewer digits than maxValue or
     * maxValue - minValue, and {@code {fy:2-2}} if the fiscal year begins and ends in the same year.
     *
     * @throws ProblemException {@code invalid-request} with the field
     */
    public void requireFits(FormatContext context) {
        parts.forEach(part -> part.requireFits(context));
        new CheckRules(parts, context).requireCoverage();
    }

    /**
     * Refuses a format if the same number could have the same text in two periods. Example: {@code INV-{n}} with a
     * yearly reset. Texts with two-digit years repeat only after 100 years and are accepted: see
     * {@link #tellsYearByTwoDigits}. Takes up to 10 ms, so call it for definitions, not for allocations.
     *
     * @param context the sequence; for a template sequence, with any scope that fits, such as {@code 1}. The scope
     *     appears only in the examples
     * @param today the present date; examples have dates from its year on
     * @throws ProblemException {@code texts-could-repeat} with two {@code examples}, the earlier date first: the same
     *     number has the same text on both dates, in two periods; or as {@link #requireFits}
     */
    public void requireDistinctTexts(FormatContext context, LocalDate today) {
        requireFits(context);
        new CheckRules(parts, context).requireCheckOfEveryNumber(today);
        new RepetitionSearch(this, parts, context).requireNone(today);
    }

    /**
     * Returns the text of a number.
     *
     * @param date in the sequence's time zone
     * @throws ProblemException as {@link #requireFits}, or {@code invalid-request} for field {@code date} when
     *     {@link FiscalYear} does not support it
     * @throws IllegalArgumentException if the number lies outside minValue to maxValue
     */
    public String text(FormatContext context, LocalDate date, long number) {
        if (!context.contains(number)) {
            throw new IllegalArgumentException(
                    "Number " + number + " lies outside " + context.minValue() + " to " + context.maxValue() + ".");
        }
        FiscalYear.requireSupported(date, context.fiscalYearStart());
        StringBuilder text = new StringBuilder(template.length() + ZeroPadded.MAX_DIGITS);
        for (FormatPart part : parts) {
            part.append(text, context, date, number);
        }
        if (hasReferenceCheck) {
            parts.forEach(part -> part.complete(text));
        }
        return text.toString();
    }

    /**
     * Reads a text back. Accepts only the texts that {@link #text} returns for some date and some number of the
     * sequence's range. Does not check whether the increment reaches the number.
     *
     * <p>{@code {yy}} means the year with these digits among the 100 calendar years up to the year of {@code lastDate},
     * and {@code {fy:2}} means the fiscal year among the 100 fiscal years up to it.
     *
     * @param context with the maxValue that was declared when the number was allocated, if the format
     *     {@link #isReversed}
     * @param lastDate the last date that a number may have
     * @throws ProblemException {@code text-unreadable} with the expectation and its {@code position} in UTF-16 units
     *     from 1, one past the end if the text ends early; or as {@link #requireFits}
     */
    public ParsedText parse(String text, FormatContext context, LocalDate lastDate) {
        requireParsable(text, context);
        return parse(text, TextReader.Accepting.EXACT, FormatPart::length, context, lastDate);
    }

    /**
     * Like {@link #parse}, but also accepts a text with other blanks, and without the separators of groups. Positions
     * count without blanks.
     */
    public ParsedText parseTyped(String text, FormatContext context, LocalDate lastDate) {
        return parseTyped(text, TextReader.Accepting.TYPED, context, lastDate);
    }

    /** Like {@link #parseTyped}, but also ignores the case of letters. */
    public ParsedText parseAnyCase(String text, FormatContext context, LocalDate lastDate) {
        return parseTyped(text, TextReader.Accepting.TYPED_IN_ANY_CASE, context, lastDate);
    }

    /**
     * Like {@link #parseAnyCase}, but also ignores hyphens, and zeros before the number: {@code inv 2026 123} is
     * {@code INV-2026-000123}.
     */
    public ParsedText parseRemembered(String text, FormatContext context, LocalDate lastDate) {
        List<FormatPart> solid = withoutHyphens(context);
        String padded = padded(text, solid, context)
                .orElseThrow(() -> TextReader.unreadable("Expected a longer text.", text.length() + 1));
        return new Format(template, solid).parseAnyCase(padded, context, lastDate);
    }

    /** Whether a typed text is a printed one, as {@link #parseRemembered} reads it. */
    public boolean isRemembered(String printed, String typed, FormatContext context) {
        return padded(typed, withoutHyphens(context), context)
                .filter(TypedText.withoutHyphens(printed)::equalsIgnoreCase)
                .isPresent();
    }

    private List<FormatPart> withoutHyphens(FormatContext context) {
        return parts.stream()
                .map(part -> part instanceof FormatPart.Fixed fixed
                        ? new FormatPart.Literal(TypedText.withoutHyphens(fixed.text(context)))
                        : part)
                .toList();
    }

    /** Returns a text without hyphens, its number padded; empty if it is too short. */
    private Optional<String> padded(String text, List<FormatPart> solid, FormatContext context) {
        String typed = TypedText.withoutHyphens(text);
        int place = parts.indexOf(number());
        int start = length(solid.subList(0, place), context);
        int end = typed.length() - length(solid.subList(place + 1, solid.size()), context);
        return end <= start
                ? Optional.empty()
                : Optional.of(typed.substring(0, start)
                        + ZeroPadded.padded(typed.substring(start, end), number().width())
                        + typed.substring(end));
    }

    private static int length(List<FormatPart> parts, FormatContext context) {
        return parts.stream()
                .mapToInt(part -> part.lengthWithoutBlanks(context))
                .sum();
    }

    private ParsedText parseTyped(
            String text, TextReader.Accepting accepting, FormatContext context, LocalDate lastDate) {
        String solid = TypedText.withoutBlanks(text);
        requireParsable(solid, context);
        return parse(solid, accepting, FormatPart::lengthWithoutBlanks, context, lastDate);
    }

    private void requireParsable(String text, FormatContext context) {
        if (text.length() > MAX_TEXT_LENGTH) {
            throw TextReader.unreadable(
                    "Expected a text of at most " + MAX_TEXT_LENGTH + " characters, not of " + text.length() + ".",
                    MAX_TEXT_LENGTH + 1);
        }
        requireFits(context);
    }

    /** Parses a text whose number has the length that the other parts leave: all of these have a fixed length. */
    private ParsedText parse(
            String text,
            TextReader.Accepting accepting,
            ToIntBiFunction<FormatPart, FormatContext> lengthOf,
            FormatContext context,
            LocalDate lastDate) {
        int others = parts.stream()
                .mapToInt(part -> lengthOf.applyAsInt(part, context))
                .sum();
        TextReader reader = new TextReader(text, accepting, context, text.length() - others);
        for (FormatPart part : parts) {
            part.read(reader);
        }
        return reader.result(lastDate);
    }

    /** Returns the distinct shapes of the texts of all numbers from least to greatest. */
    List<Shape> shapes(FormatContext context, long least, long greatest) {
        int place = parts.indexOf(number());
        String before = units(parts.subList(0, place), context);
        String after = units(parts.subList(place + 1, parts.size()), context);
        return number().shapes(least, greatest).stream()
                .map(number -> new Shape(before + number + after))
                .toList();
    }

    /**
     * Returns a key that is equal for two formats if their texts in a sequence differ at most in the width of the
     * number.
     */
    String layout(FormatContext context) {
        StringBuilder layout = new StringBuilder();
        for (FormatPart part : parts) {
            if (part instanceof FormatPart.Fixed fixed) {
                layout.append(fixed.text(context));
            } else {
                // Literals contain no control characters, so no literal equals this marker of a token.
                layout.append('\0').append(part instanceof FormatPart.Numeric number ? number.withoutWidth() : part);
            }
        }
        return layout.toString();
    }

    /** Formats are equal if their templates are equal. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Format format && format.template.equals(template);
    }

    @Override
    public int hashCode() {
        return template.hashCode();
    }

    /** Returns the template as the owner declared it. */
    @Override
    public String toString() {
        return template;
    }

    private static String units(List<FormatPart> parts, FormatContext context) {
        return parts.stream().map(part -> part.shape(context)).collect(Collectors.joining());
    }

    private FormatPart.Numeric number() {
        return parts.stream()
                .filter(FormatPart.Numeric.class::isInstance)
                .map(FormatPart.Numeric.class::cast)
                .findFirst()
                .orElseThrow();
    }
}
