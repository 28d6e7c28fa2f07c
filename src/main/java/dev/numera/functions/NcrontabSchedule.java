package dev.numera.functions;

import java.util.List;
import java.util.Locale;
import java.util.StringTokenizer;

/**
 * Checks a schedule of six NCRONTAB fields, as timers of the Functions host take them. The host evaluates the schedule;
 * this check reports a wrong one at the start, before backups are missed.
 */
final class NcrontabSchedule {
    private static final List<String> MONTHS =
            List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
    private static final List<String> DAYS = List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");
    private static final List<Field> FIELDS = List.of(
            new Field("seconds", 0, 59, List.of()),
            new Field("minutes", 0, 59, List.of()),
            new Field("hours", 0, 23, List.of()),
            new Field("days", 1, 31, List.of()),
            new Field("months", 1, 12, MONTHS),
            new Field("days of the week", 0, 6, DAYS));

    /**
     * One of the six fields.
     *
     * @param names of its values, starting with the least; empty if the field only takes numbers
     */
    private record Field(String name, int min, int max, List<String> names) {
        void require(String text) {
            for (String part : text.split(",", -1)) {
                int slash = part.indexOf('/');
                requireRange(slash < 0 ? part : part.substring(0, slash));
                if (slash >= 0 && number(part.substring(slash + 1)) < 1) {
                    throw wrong();
                }
            }
        }

        private void requireRange(String range) {
            int dash = range.indexOf('-');
            if (!range.equals("*")) {
                int first = value(dash < 0 ? range : range.substring(0, dash));
                if (dash >= 0 && value(range.substring(dash + 1)) < first) {
                    throw wrong();
                }
            }
        }

        private int value(String text) {
            int named = names.indexOf(text.toLowerCase(Locale.ROOT));
            int value = named >= 0 ? min + named : number(text);
            if (value < min || value > max) {
                throw wrong();
            }
            return value;
        }

        private int number(String text) {
            try {
                return Integer.parseInt(text);
            } catch (NumberFormatException e) {
                throw wrong();
            }
        }

        private IllegalArgumentException wrong() {
            return new IllegalArgumentException("its " + name + " must be numbers from " + min + " to " + max
                    + ", ranges such as " + min + "-" + max + ", steps such as */2, or lists of these");
        }
    }

    private NcrontabSchedule() {}

    /**
     * Refuses a text that is not a schedule.
     *
     * @throws IllegalArgumentException names the wrong field
     */
    static void require(String text) {
        StringTokenizer fields = new StringTokenizer(text);
        if (fields.countTokens() != FIELDS.size()) {
            throw new IllegalArgumentException("it has " + fields.countTokens() + " fields, not six");
        }
        FIELDS.forEach(field -> field.require(fields.nextToken()));
    }
}
