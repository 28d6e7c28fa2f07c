package dev.numera.sequences.lists;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.Month;
import java.time.format.TextStyle;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Notations of dates that other programs write, with or without a time of day. */
public enum DateNotation {
    /** For example 2026-11-21. */
    YEAR_FIRST(Forms.YEAR_FIRST),
    /** For example 20261121. */
    DIGITS(Forms.DIGITS),
    DAY_FIRST_DOTS(Forms.DAY_FIRST_DOTS),
    DAY_FIRST_SLASHES(Forms.DAY_FIRST_SLASHES),
    DAY_FIRST_HYPHENS(Forms.DAY_FIRST_HYPHENS),
    MONTH_FIRST_DOTS(Forms.MONTH_FIRST_DOTS),
    MONTH_FIRST_SLASHES(Forms.MONTH_FIRST_SLASHES),
    MONTH_FIRST_HYPHENS(Forms.MONTH_FIRST_HYPHENS),
    /** For example 21 Nov 2026. */
    NAMED_MONTH(Forms.NAMED_MONTH),
    /** For example November 21, 2026. */
    NAMED_MONTH_FIRST(Forms.NAMED_MONTH_FIRST);

    /** The patterns. In a class of their own, because constants of an enum cannot use its static fields. */
    private static final class Forms {
        private static final String TIME_OF_DAY =
                "(?:(?:T|,? )\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?:[ \\u00A0\\u202F]?[AaPp][Mm])?"
                        + "(?: ?(?:Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?))?)?";
        private static final Pattern YEAR_FIRST = Pattern.compile(
                "(?<year>\\d{4})(?<mark>[-./])(?<month>\\d{1,2})\\k<mark>(?<day>\\d{1,2})" + TIME_OF_DAY);
        private static final Pattern DIGITS =
                Pattern.compile("(?<year>(?:19|20|21)\\d{2})(?<month>\\d{2})(?<day>\\d{2})" + TIME_OF_DAY);
        private static final Pattern DAY_FIRST_DOTS =
                Pattern.compile("(?<day>\\d{1,2})\\.(?<month>\\d{1,2})\\.(?<year>\\d{4}|\\d{2})" + TIME_OF_DAY);
        private static final Pattern DAY_FIRST_SLASHES =
                Pattern.compile("(?<day>\\d{1,2})/(?<month>\\d{1,2})/(?<year>\\d{4}|\\d{2})" + TIME_OF_DAY);
        private static final Pattern DAY_FIRST_HYPHENS =
                Pattern.compile("(?<day>\\d{1,2})-(?<month>\\d{1,2})-(?<year>\\d{4}|\\d{2})" + TIME_OF_DAY);
        private static final Pattern MONTH_FIRST_DOTS =
                Pattern.compile("(?<month>\\d{1,2})\\.(?<day>\\d{1,2})\\.(?<year>\\d{4}|\\d{2})" + TIME_OF_DAY);
        private static final Pattern MONTH_FIRST_SLASHES =
                Pattern.compile("(?<month>\\d{1,2})/(?<day>\\d{1,2})/(?<year>\\d{4}|\\d{2})" + TIME_OF_DAY);
        private static final Pattern MONTH_FIRST_HYPHENS =
                Pattern.compile("(?<month>\\d{1,2})-(?<day>\\d{1,2})-(?<year>\\d{4}|\\d{2})" + TIME_OF_DAY);
        private static final Pattern NAMED_MONTH = Pattern.compile(
                "(?<day>\\d{1,2})\\.?[ -](?<month>\\p{L}{3,10})\\.?,?[ -](?<year>\\d{4}|\\d{2})" + TIME_OF_DAY);
        private static final Pattern NAMED_MONTH_FIRST =
                Pattern.compile("(?<month>\\p{L}{3,10})\\.? (?<day>\\d{1,2}),? (?<year>\\d{4})" + TIME_OF_DAY);
    }

    private static final int DIGITS_OF_A_SHORT_YEAR = 2;
    private static final int CENTURY = 2000;
    /** Excel's German name of March, which the JDK does not know. */
    private static final String MARCH_OF_EXCEL = "Mrz";

    private static final Set<String> MONTHS = Stream.concat(
                    Stream.of(MARCH_OF_EXCEL),
                    Stream.of("en", "de", "fr", "es", "it", "nl", "pt")
                            .map(Locale::forLanguageTag)
                            .flatMap(DateNotation::months))
            .map(name -> CellText.folded(name.replace(".", "")))
            .collect(Collectors.toUnmodifiableSet());

    private final Pattern pattern;

    DateNotation(Pattern pattern) {
        this.pattern = pattern;
    }

    /** Returns the names of the months in a language, short and full, as part of a date and alone. */
    private static Stream<String> months(Locale locale) {
        return Stream.of(Month.values()).flatMap(month -> Stream.of(
                        TextStyle.SHORT, TextStyle.SHORT_STANDALONE, TextStyle.FULL, TextStyle.FULL_STANDALONE)
                .map(style -> month.getDisplayName(style, locale)));
    }

    /** Returns the first notation that reads every cell as a date; empty if none does, or if there are no cells. */
    public static Optional<DateNotation> ofAll(Supplier<Stream<String>> cells) {
        Collection<DateNotation> left = EnumSet.allOf(DateNotation.class);
        Iterator<String> each = cells.get().iterator();
        if (!each.hasNext()) {
            return Optional.empty();
        }
        while (each.hasNext() && !left.isEmpty()) {
            String cell = CellText.stripped(each.next());
            left.removeIf(notation -> !notation.reads(cell));
        }
        return left.stream().findFirst();
    }

    /** Returns the first notation that reads a cell as a date; empty if none does. */
    public static Optional<DateNotation> of(String cell) {
        return Stream.of(values())
                .filter(notation -> notation.reads(CellText.stripped(cell)))
                .findFirst();
    }

    private boolean reads(String cell) {
        Matcher found = pattern.matcher(cell);
        if (!found.matches()) {
            return false;
        }
        String month = found.group("month");
        if (Character.isLetter(month.codePointAt(0))) {
            return MONTHS.contains(CellText.folded(month));
        }
        try {
            LocalDate.of(year(found.group("year")), Integer.parseInt(month), Integer.parseInt(found.group("day")));
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static int year(String digits) {
        int year = Integer.parseInt(digits);
        return digits.length() == DIGITS_OF_A_SHORT_YEAR ? CENTURY + year : year;
    }
}
