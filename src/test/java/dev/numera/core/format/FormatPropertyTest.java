package dev.numera.core.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/**
 * Properties of formats that hold for all numbers and dates, tried by jqwik with values of its own choice.
 *
 * <p>Decision: {@code docs/decisions/jqwik-stays-at-1-9-3.md}.
 */
class FormatPropertyTest {
    private static final List<String> PIECES = List.of(
            "{yyyy}",
            "{yy}",
            "{MM}",
            "{dd}",
            "{DDD}",
            "{gggg}{ww}",
            "{fy}",
            "{fy:2}",
            "{fy:2-2}",
            "{q}",
            "{scope}",
            "{scope:6}",
            "{name}",
            "-",
            "/",
            "0",
            "10",
            "99",
            "A",
            "é",
            "{{",
            "}}",
            "{{n}}",
            "😀");
    /** The checks without a bound for the number of covered digits. {@link MistypedTextTest} has the others. */
    private static final List<String> CHECKS = List.of(
            "luhn",
            "damm",
            "verhoeff",
            "mod97",
            "gs1",
            "mod11-10",
            "mod37-36",
            "mod10-recursive",
            "mod11:2-7:-",
            "mod11:2-7:1",
            "mod11:2-9:X",
            "mod11:2-9:0");

    private static final List<String> NAMES = List.of("{scope}", "{name}");
    private static final String EDITS = "0123456789-A é";

    @Property(tries = 300)
    void parseIsTheInverseOfText(
            @ForAll("templates") String template,
            @ForAll("context") FormatContext context,
            @ForAll("dates") LocalDate date,
            @ForAll long any,
            @ForAll @IntRange(max = 99) int yearsLater) {
        Format format = Format.compile(template);
        FormatContext fitted = describing(format, fitting(format, context));
        long number = within(fitted, any);
        String text = format.text(fitted, date, number);
        LocalDate lastDate = date.plusYears(yearsLater);
        ParsedText expected = new ParsedText(number, period(fitted, date));
        assertEquals(expected, format.parse(text, fitted, lastDate));
        assertEquals(expected, format.parseTyped(text, fitted, lastDate));
        assertEquals(expected, format.parseTyped(text.replace(" ", ""), fitted, lastDate));
        assertEquals(expected, format.parseAnyCase(" " + text.toUpperCase(Locale.ROOT), fitted, lastDate));
        assertTrue(text.length() <= Format.MAX_TEXT_LENGTH);
    }

    /**
     * The text contains the whole date, so parsing it must return exactly the number and the date that produce the text
     * again.
     */
    @Property(tries = 1000)
    void parseAcceptsOnlyTextsOfTheFormat(
            @ForAll("templates") String template,
            @ForAll("context") FormatContext context,
            @ForAll("dates") LocalDate date,
            @ForAll long any,
            @ForAll("edits") List<String> edits,
            @ForAll long seed) {
        Format format = Format.compile("{yyyy}{MM}{dd}" + template);
        FormatContext daily = resetting(fitting(format, context), ResetEvery.DAY);
        String text = edited(format.text(daily, date, within(daily, any)), edits, new Random(seed));
        ParsedText parsed;
        try {
            parsed = format.parse(text, daily, date);
        } catch (ProblemException refused) {
            assertEquals(ProblemType.TEXT_UNREADABLE, refused.type());
            int position = (int) refused.members().get("position");
            assertTrue(position >= 1 && position <= text.length() + 1);
            return;
        }
        LocalDate day = LocalDate.parse(parsed.period().id());
        assertEquals(format.text(daily, day, parsed.number()), text);
    }

    /**
     * Formats many numbers on many dates: one format has few enough texts that two of them would meet if they could.
     */
    @Property(tries = 100)
    void noTwoNumbersOrPeriodsShareAText(
            @ForAll("templates") String template,
            @ForAll("context") FormatContext context,
            @ForAll("dates") LocalDate around,
            @ForAll long seed) {
        Format format = Format.compile(template);
        FormatContext small = new FormatContext(
                context.scope(), context.name(), -1200, 1200, context.resetEvery(), startFor(format, context));
        FormatContext fitted = describing(format, small);
        Random random = new Random(seed);
        Map<String, ParsedText> owners = new HashMap<>();
        for (int i = 0; i < 1000; i++) {
            LocalDate date = around.plusDays(random.nextInt(800) - 400);
            long number = random.nextInt(2401) - 1200;
            ParsedText owner = new ParsedText(number, period(fitted, date));
            ParsedText before = owners.putIfAbsent(format.text(fitted, date, number), owner);
            assertTrue(before == null || before.equals(owner), () -> before + " and " + owner);
        }
    }

    @Property
    void paddedTextsSortAsNumbersDo(
            @ForAll @LongRange(min = 0, max = 999_999) long one,
            @ForAll @LongRange(min = 0, max = 999_999) long other,
            @ForAll("dates") LocalDate date) {
        FormatContext context = new FormatContext("7", "order", 0, 999_999, ResetEvery.NEVER, 1);
        Format format = Format.compile("INV-{yyyy}-{n:6}{check:luhn}");
        int order = format.text(context, date, one).compareTo(format.text(context, date, other));
        assertEquals(Long.signum(one - other), Integer.signum(order));
    }

    @Property
    void reversedTextsSortTheOtherWayOverTheWholeRange(
            @ForAll("context") FormatContext context, @ForAll long one, @ForAll long other) {
        Format format = Format.compile("{r:19}");
        LocalDate date = LocalDate.of(2026, 11, 21);
        long first = within(context, one);
        long second = within(context, other);
        int order = format.text(context, date, first).compareTo(format.text(context, date, second));
        assertEquals(Long.compare(second, first), Integer.signum(order));
    }

    @Provide
    Arbitrary<String> templates() {
        // At most three names, because a text with more could exceed the allowed length.
        Arbitrary<List<String>> pieces = Arbitraries.of(PIECES)
                .list()
                .ofMaxSize(5)
                .filter(list -> list.stream().filter(NAMES::contains).count() <= 3);
        Arbitrary<String> numbers = Arbitraries.frequencyOf(
                Tuple.of(1, Arbitraries.of("{n}")),
                Tuple.of(3, Arbitraries.integers().between(1, 19).map(width -> "{n:" + width + "}")),
                Tuple.of(2, Arbitraries.of("{n:3/4/3}", "{n:1 3 3 3}", "{n:2-2}", "{n:1.1 1/1-1}", "{n:4-15}")),
                Tuple.of(1, Arbitraries.of("{r:10}", "{r:19}")));
        Arbitrary<String> checks = Arbitraries.of(CHECKS)
                .map(name -> "{check:" + name + "}")
                .optional(0.7)
                .map(check -> check.orElse(""));
        return Combinators.combine(pieces, numbers, checks, Arbitraries.longs())
                .as(FormatPropertyTest::template)
                .withoutEdgeCases();
    }

    @Provide
    Arbitrary<FormatContext> context() {
        Arbitrary<String> scopes =
                Arbitraries.strings().numeric().ofMinLength(1).ofMaxLength(6);
        Arbitrary<String> names = Arbitraries.strings()
                .alpha()
                .numeric()
                .withChars("._~-")
                .ofMinLength(1)
                .ofMaxLength(8);
        Arbitrary<Long> ends = Arbitraries.oneOf(
                Arbitraries.longs().between(-1000, 1000),
                Arbitraries.longs().between(-FormatContext.LIMIT, FormatContext.LIMIT));
        return Combinators.combine(scopes, names, ends, ends, Arbitraries.of(ResetEvery.class), starts())
                .as((scope, name, one, other, resetEvery, start) ->
                        new FormatContext(scope, name, Math.min(one, other), Math.max(one, other), resetEvery, start))
                .withoutEdgeCases();
    }

    /** Half of the fiscal years start on the first day of a month. */
    private static Arbitrary<YearStart> starts() {
        Arbitrary<Integer> days =
                Arbitraries.oneOf(Arbitraries.just(1), Arbitraries.integers().between(2, YearStart.MAX_DAY));
        return Combinators.combine(Arbitraries.integers().between(1, 12), days).as(YearStart::new);
    }

    /** Any date with a four-digit year that leaves room for dates around it. Half of them are close to New Year. */
    @Provide
    Arbitrary<LocalDate> dates() {
        Arbitrary<LocalDate> newYears = Combinators.combine(
                        Arbitraries.integers().between(101, 9899),
                        Arbitraries.integers().between(-7, 7))
                .as((year, off) -> LocalDate.of(year, 1, 1).plusDays(off));
        Arbitrary<LocalDate> all = Arbitraries.longs()
                .between(
                        LocalDate.of(100, 1, 1).toEpochDay(),
                        LocalDate.of(9899, 12, 31).toEpochDay())
                .map(LocalDate::ofEpochDay);
        return Arbitraries.oneOf(newYears, all).withoutEdgeCases();
    }

    @Provide
    Arbitrary<List<String>> edits() {
        return Arbitraries.of("replace", "insert", "delete", "swap")
                .list()
                .ofMinSize(1)
                .ofMaxSize(2)
                .withoutEdgeCases();
    }

    private static String template(List<String> pieces, String number, String check, long seed) {
        Random random = new Random(seed);
        List<String> template = new ArrayList<>(pieces);
        int at = random.nextInt(template.size() + 1);
        template.add(at, number);
        template.add(at + 1 + random.nextInt(template.size() - at), check);
        return String.join("", template);
    }

    private static String edited(String text, List<String> edits, Random random) {
        StringBuilder result = new StringBuilder(text);
        for (String edit : edits) {
            int at = random.nextInt(result.length() - 1);
            String character = "" + EDITS.charAt(random.nextInt(EDITS.length()));
            switch (edit) {
                case "replace" -> result.replace(at, at + 1, character);
                case "insert" -> result.insert(at, character);
                case "delete" -> result.deleteCharAt(at);
                default -> result.append(result.charAt(at)).deleteCharAt(at);
            }
        }
        return result.toString();
    }

    /**
     * Returns the context with no more numbers than {r:10} has room for, and with fiscal years that span two calendar
     * years.
     */
    private static FormatContext fitting(Format format, FormatContext context) {
        boolean isNarrow = format.toString().contains("{r:10}");
        return new FormatContext(
                context.scope(),
                context.name(),
                isNarrow ? -999 : context.minValue(),
                isNarrow ? 9_999_999 : context.maxValue(),
                context.resetEvery(),
                startFor(format, context));
    }

    /** Returns the start of the context's fiscal years, moved to February where {fy:2-2} needs two calendar years. */
    private static YearStart startFor(Format format, FormatContext context) {
        boolean needsTwoYears = format.toString().contains("{fy:2-2}");
        return needsTwoYears && context.fiscalYearStart().isNewYear()
                ? YearStart.ofMonth(2)
                : context.fiscalYearStart();
    }

    /** Returns the context, changed to never reset if the format's texts would not distinguish its periods. */
    private static FormatContext describing(Format format, FormatContext context) {
        try {
            format.requireDistinctTexts(context, LocalDate.of(2026, 11, 21));
            return context;
        } catch (ProblemException refused) {
            assertEquals(ProblemType.TEXTS_COULD_REPEAT, refused.type());
            return resetting(context, ResetEvery.NEVER);
        }
    }

    private static FormatContext resetting(FormatContext context, ResetEvery resetEvery) {
        return new FormatContext(
                context.scope(),
                context.name(),
                context.minValue(),
                context.maxValue(),
                resetEvery,
                context.fiscalYearStart());
    }

    private static Period period(FormatContext context, LocalDate date) {
        return Period.of(date, context.resetEvery(), context.fiscalYearStart());
    }

    private static long within(FormatContext context, long any) {
        long count = context.maxValue() - context.minValue() + 1;
        return context.minValue() + Math.floorMod(any, count);
    }
}
