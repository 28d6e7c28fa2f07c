package dev.numera.localhost;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * An NCRONTAB schedule with six fields: second, minute, hour, day, month, day of the week. A moment must match all six,
 * including both the day and the day of the week. Immutable.
 */
record CronSchedule(List<BitSet> fields) {
    /**
     * The longest time to search for a match, because 29 February may take this long to fall on a given day of the
     * week.
     */
    private static final int MAX_YEARS = 40;

    private static final int SECONDS_PER_DAY = 86_400;
    private static final List<String> MONTHS =
            List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
    private static final List<String> DAYS = List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");

    /** @throws IllegalArgumentException the text is not such a schedule */
    static CronSchedule parse(String text) {
        String[] fields = text.strip().split("\\s+");
        if (fields.length != 6) {
            throw new IllegalArgumentException("it has " + fields.length + " fields, not six");
        }
        return new CronSchedule(List.of(
                field(fields[0], 0, 59, List.of()),
                field(fields[1], 0, 59, List.of()),
                field(fields[2], 0, 23, List.of()),
                field(fields[3], 1, 31, List.of()),
                field(fields[4], 1, 12, MONTHS),
                field(fields[5], 0, 6, DAYS)));
    }

    /** Returns the first matching moment after this one; empty if there is none, as for 31 February. */
    Optional<LocalDateTime> after(LocalDateTime moment) {
        LocalDateTime first = moment.withNano(0).plusSeconds(1);
        LocalDate end = first.toLocalDate().plusYears(MAX_YEARS);
        int from = first.toLocalTime().toSecondOfDay();
        for (LocalDate day = first.toLocalDate(); day.isBefore(end); day = day.plusDays(1)) {
            for (int second = from; isOn(day) && second < SECONDS_PER_DAY; second++) {
                LocalTime time = LocalTime.ofSecondOfDay(second);
                if (isAt(time)) {
                    return Optional.of(day.atTime(time));
                }
            }
            from = 0;
        }
        return Optional.empty();
    }

    private boolean isOn(LocalDate day) {
        return fields.get(3).get(day.getDayOfMonth())
                && fields.get(4).get(day.getMonthValue())
                && fields.get(5).get(day.getDayOfWeek().getValue() % 7);
    }

    private boolean isAt(LocalTime time) {
        return fields.get(0).get(time.getSecond())
                && fields.get(1).get(time.getMinute())
                && fields.get(2).get(time.getHour());
    }

    private static BitSet field(String text, int min, int max, List<String> names) {
        BitSet values = new BitSet();
        for (String part : text.split(",", -1)) {
            String[] range = part.split("/", 2);
            String[] ends = range[0].split("-", 2);
            boolean isAll = range[0].equals("*");
            int first = isAll ? min : value(ends[0], min, names);
            int last = isAll || ends.length == 1 && range.length == 2 ? max : value(ends[ends.length - 1], min, names);
            int step = range.length == 1 ? 1 : Integer.parseInt(range[1]);
            if (first < min || last > max || last < first || step < 1) {
                throw new IllegalArgumentException("a field is not within " + min + " to " + max);
            }
            for (int value = first; value <= last; value += step) {
                values.set(value);
            }
        }
        return values;
    }

    private static int value(String text, int min, List<String> names) {
        int named = names.indexOf(text.toLowerCase(Locale.ROOT));
        return named < 0 ? Integer.parseInt(text) : min + named;
    }
}
