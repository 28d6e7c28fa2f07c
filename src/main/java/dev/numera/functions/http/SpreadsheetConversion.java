package dev.numera.functions.http;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Predicts whether a spreadsheet converts a cell of a CSV file into a value of its own, such as a number, a date or a
 * time, which it would write back in another notation. Knows the words of German and English spreadsheets, and the
 * months of five other languages. Examples: {@code 0047} becomes 47, and {@code 1-2} a date.
 *
 * <p>In doubt the answer is yes: an unnecessary apostrophe is removed when the file is read again. Stateless and
 * thread-safe. The console has the same rules in csv.ts.
 */
final class SpreadsheetConversion {
    /** A whole number of at most eleven digits. Excel saves a longer one in scientific notation. */
    private static final Pattern STABLE = Pattern.compile("-?[1-9][0-9]{0,10}+|0");

    private static final Pattern WORD = Pattern.compile("\\p{L}++");
    private static final Pattern DIGITS = Pattern.compile("\\p{Nd}++");
    /** The start of an error value, such as #N/A. */
    private static final char ERROR = '#';

    private static final Set<String> LOGICAL = words("true false wahr falsch");
    /** Marks after digits: of exponents, times of day and time zones. */
    private static final Set<String> MARKS = words("e t z a p am pm");

    private static final Set<String> CURRENCIES = words("eur usd gbp chf");

    private static final Set<String> WEEKDAYS = words("mon tue wed thu fri sat sun"
            + " monday tuesday wednesday thursday friday saturday sunday mo di mi do fr sa so"
            + " montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag");
    private static final Set<String> MONTHS =
            words("january february march april may june july august september october"
                    + " november december januar jänner februar feber märz mrz mai juni juli oktober dezember"
                    + " janvier février mars avril juin juillet août septembre octobre novembre décembre"
                    + " enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
                    + " gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre"
                    + " januari februari maart mei augustus"
                    + " janeiro fevereiro março maio junho julho setembro outubro novembro dezembro");
    private static final int SHORTEST_MONTH = 3;

    private SpreadsheetConversion() {}

    private static Set<String> words(String list) {
        return Set.copyOf(Stream.of(list.split(" ")).distinct().toList());
    }

    /** Whether a text is a whole number that a spreadsheet writes as it reads it. */
    static boolean isStable(String text) {
        return STABLE.matcher(text).matches();
    }

    /**
     * Whether a spreadsheet changes a cell with this text when it opens and saves the file. Formulas are the concern of
     * {@link CsvCell}.
     */
    static boolean changes(String text) {
        if (text.isEmpty() || isStable(text)) {
            return false;
        }
        Matcher digits = DIGITS.matcher(text);
        boolean hasValue = digits.find();
        int firstDigit = hasValue ? digits.start() : text.length();
        boolean hasDate = hasValue && digits.find();
        boolean hasWeekday = false;
        for (Matcher words = WORD.matcher(text); words.find(); ) {
            String word = words.group().toLowerCase(Locale.ROOT);
            boolean isMonth = isMonth(word);
            boolean isWeekday = WEEKDAYS.contains(word);
            boolean isLogical = LOGICAL.contains(word);
            boolean isMark = CURRENCIES.contains(word) || words.start() > firstDigit && MARKS.contains(word);
            if (!isMonth && !isWeekday && !isLogical && !isMark) {
                return text.charAt(0) == ERROR;
            }
            hasValue |= isLogical;
            hasDate |= isMonth;
            hasWeekday |= isWeekday;
        }
        return text.charAt(0) == ERROR || hasValue && (hasDate || !hasWeekday);
    }

    /** Whether a word is the name of a month, or its beginning: spreadsheets know it in several lengths. */
    private static boolean isMonth(String word) {
        return word.length() >= SHORTEST_MONTH && MONTHS.stream().anyMatch(month -> month.startsWith(word));
    }
}
