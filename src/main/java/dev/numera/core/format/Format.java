package dev.numera.core.format;

import dev.numera.core.problem.ProblemException;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How the numbers of a sequence are written: a template such as {@code INV-{yyyy}-{n:6}}, compiled once. {@link #text}
 * and {@link #parse} are inverses. Immutable and thread-safe; nothing blocks.
 *
 * <h2>Tokens</h2>
 *
 * <ul>
 *   <li>{@code {n}}, {@code {n:W}}: the number, zero-padded to W digits and never cut; a minus sign comes before the
 *       digits and does not count. Text order is number order for numbers from 0 up with at most W digits.
 *   <li>{@code {r:W}}: maxValue minus the number, always W digits: text order is the reverse of number order.
 *   <li>{@code {scope}}, {@code {scope:W}} (a scope of at most W digits, zero-padded), {@code {name}}.
 *   <li>{@code {yyyy}}, {@code {yy}}, {@code {MM}}, {@code {dd}}, {@code {DDD}} (day of the year), {@code {ww}} (ISO
 *       8601 week) with {@code {gggg}} (the year that the week belongs to), {@code {fy}} and {@code {fy:2}} (the year
 *       in which the {@link FiscalYear} ends), {@code {fy:2-2}} (those in which it begins and ends).
 *   <li>{@code {check:luhn}}, {@code {check:damm}}, {@code {check:verhoeff}}, {@code {check:gs1}} (GTIN, SSCC) and
 *       {@code {check:mod11-10}} (ISO/IEC 7064) over all digits before it, {@code {check:mod97}} (two digits) and
 *       {@code {check:mod37-36}} (a digit or a capital letter, both ISO/IEC 7064) over all digits and letters before
 *       it. At most one, after the number.
 *   <li><code>{{</code> and <code>}}</code>: a brace of the text. A brace alone that opens or closes nothing is
 *       refused.
 * </ul>
 *
 * Exactly one of {@code {n}} and {@code {r}}. W is 1 to 19, all the digits that a 64-bit number can have. Everything
 * else is literal text.
 *
 * <h2>Why texts are distinct</h2>
 *
 * Within one sequence only the number's length differs from text to text: scope and name are fixed, and date tokens and
 * check digits have fixed widths. So the length of a text says where its number is, two equal texts hold the same
 * number, and check digits need no guess. What is left is the same number in two periods, which
 * {@link #requireDistinctTexts} refuses. Texts of two formats that one sequence has had are distinguished by a rule of
 * their own.
 */
public final class Format {
    /** In UTF-16 units. */
    public static final int MAX_TEMPLATE_LENGTH = 200;

    /** In UTF-16 units; no template that could write a longer text is accepted. */
    public static final int MAX_TEXT_LENGTH = 255;

    private final String template;
    private final List<FormatPart> parts;

    private Format(String template, List<FormatPart> parts) {
        this.template = template;
        this.parts = parts;
    }

    /**
     * @throws ProblemException {@code invalid-request} for field {@code format}: what is wrong, at which character, and
     *     what to do
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

    /** Whether texts hold maxValue minus the number: then their meaning changes with maxValue. */
    public boolean isReversed() {
        return parts.stream().anyMatch(FormatPart.ReversedNumber.class::isInstance);
    }

    /** Whether texts depend on the date. */
    public boolean showsDate() {
        return parts.stream().anyMatch(FormatPart.DateField.class::isInstance);
    }

    /**
     * Whether only dates of 100 years can be distinguished: {@code {yy}}, {@code {fy:2}} or {@code {fy:2-2}} shows the
     * year, and nothing shows all four digits of one.
     */
    public boolean tellsYearByTwoDigits() {
        return (shows(DateToken.YEAR_OF_CENTURY) || shows(DateToken.FISCAL_YEAR_OF_CENTURY))
                && !shows(DateToken.YEAR)
                && !shows(DateToken.WEEK_YEAR)
                && !shows(DateToken.FISCAL_YEAR);
    }

    /**
     * Refuses a sequence that this format cannot write: for field {@code scope}, a scope that {@code {scope:W}} does
     * not take; for field {@code format}, a {@code {r:W}} with fewer digits than maxValue or maxValue - minValue, and
     * {@code {fy:2-2}} where the fiscal year begins and ends in one year.
     *
     * @throws ProblemException {@code invalid-request} with the field
     */
    public void requireFits(FormatContext context) {
        parts.forEach(part -> part.requireFits(context));
    }

    /**
     * Refuses a format under which the same number could have the same text in two periods. With two digits of a year
     * texts repeat after 100 years: see {@link #tellsYearByTwoDigits}. Takes up to 10 ms: for definitions, not for
     * allocations.
     *
     * @param context for a definition of many scopes, with any scope that fits, such as {@code 1}: the scope shows in
     *     nothing but the examples
     * @param today the examples are dates from this year on
     * @throws ProblemException {@code texts-could-repeat} with the {@code examples} of two dates, the earlier one
     *     first, on which the same number has the same text in two periods; or as {@link #requireFits}
     */
    public void requireDistinctTexts(FormatContext context, LocalDate today) {
        requireFits(context);
        new RepetitionSearch(this, parts, context).requireNone(today);
    }

    /**
     * The text of a number.
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
        return text.toString();
    }

    /**
     * Reads a text back: accepts what {@link #text} returns for some date and some number of the sequence's range, and
     * nothing else. Whether the number is one that the increment leads to is not looked at.
     *
     * <p>{@code {yy}} is read as the year with these digits within the 100 calendar years that end with the last
     * date's, {@code {fy:2}} likewise within 100 fiscal years.
     *
     * @param context with the maxValue that was declared when the number was allocated, if the format
     *     {@link #isReversed}
     * @param lastDate the last date that a number may have
     * @throws ProblemException {@code text-unreadable} with what was expected and the {@code position}, counted in
     *     UTF-16 units from 1 and one past the end for a text that ends early; or as {@link #requireFits}
     */
    public ParsedText parse(String text, FormatContext context, LocalDate lastDate) {
        return parse(text, false, context, lastDate);
    }

    /** As {@link #parse}, of a text whose letters may be of the other case. */
    public ParsedText parseAnyCase(String text, FormatContext context, LocalDate lastDate) {
        return parse(text, true, context, lastDate);
    }

    private ParsedText parse(String text, boolean isAnyCase, FormatContext context, LocalDate lastDate) {
        if (text.length() > MAX_TEXT_LENGTH) {
            throw TextReader.unreadable(
                    "Expected a text of at most " + MAX_TEXT_LENGTH + " characters, not of " + text.length() + ".",
                    MAX_TEXT_LENGTH + 1);
        }
        requireFits(context);
        TextReader reader = new TextReader(text, isAnyCase, context, numberLength(text, context));
        for (FormatPart part : parts) {
            part.read(reader);
        }
        return reader.result(lastDate);
    }

    /** The shapes of the texts of all numbers from least to greatest; no two are the same. */
    List<Shape> shapes(FormatContext context, long least, long greatest) {
        int place = parts.indexOf(number());
        String before = units(parts.subList(0, place), context);
        String after = units(parts.subList(place + 1, parts.size()), context);
        return number().shapes(least, greatest).stream()
                .map(number -> new Shape(before + number + after))
                .toList();
    }

    /** Distinguishes formats by all that shows in the texts of a sequence but the width of the number. */
    String layout(FormatContext context) {
        StringBuilder layout = new StringBuilder();
        for (FormatPart part : parts) {
            if (part instanceof FormatPart.Fixed fixed) {
                layout.append(fixed.text(context));
            } else {
                // No literal has a control character, so none is taken for a token.
                layout.append('\0').append(part instanceof FormatPart.Numeric number ? number.withoutWidth() : part);
            }
        }
        return layout.toString();
    }

    /** Equal templates are equal formats. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Format format && format.template.equals(template);
    }

    @Override
    public int hashCode() {
        return template.hashCode();
    }

    /** The template as it was declared. */
    @Override
    public String toString() {
        return template;
    }

    private boolean shows(DateToken token) {
        return parts.contains(new FormatPart.DateField(token));
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

    /** What the other parts leave of the text: zero or less when it is too short. */
    private int numberLength(String text, FormatContext context) {
        int length = text.length();
        for (FormatPart part : parts) {
            length -= part.length(context);
        }
        return length;
    }
}
