package dev.numera.core.format;

import dev.numera.core.problem.Excerpt;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.chrono.IsoChronology;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The notation of dates in a file of another program, such as {@code dd.MM.yyyy}. Reads exactly this notation and never
 * guesses. Immutable and thread-safe; no call blocks.
 */
public final class DatePattern {
    /**
     * The dates of ISO 8601: a day, or a time of a day with or without an offset, such as {@code 2026-11-21} and
     * {@code 2026-11-21T23:30:00Z}.
     */
    public static final DatePattern ISO = new DatePattern(
            "yyyy-MM-dd",
            null,
            List.of(
                    DateTimeFormatter.ISO_LOCAL_DATE.withResolverStyle(ResolverStyle.STRICT),
                    DateTimeFormatter.ISO_LOCAL_DATE_TIME.withResolverStyle(ResolverStyle.STRICT),
                    DateTimeFormatter.ISO_OFFSET_DATE_TIME.withResolverStyle(ResolverStyle.STRICT)),
            DateTimeFormatter.ISO_LOCAL_DATE);

    /** The forms of an offset that X reads, such as +01:00, +0100 and +01. Each also reads Z. */
    private static final List<String> OFFSETS = List.of("XXX", "XX", "X");

    private static final String PARAMETER = "dateFormat";
    private static final String CENTURY = "century";
    private static final int MAX_UNITS = 40;
    private static final int MIN_CENTURY = 1800;
    private static final int MAX_CENTURY = 2100;
    private static final int MAX_YEAR = 9999;

    private enum Token {
        YEAR("yyyy"),
        YEAR_OF_CENTURY("yy"),
        PADDED_MONTH("MM"),
        MONTH("M"),
        PADDED_DAY("dd"),
        DAY("d"),
        PADDED_HOUR("HH"),
        HOUR("H"),
        HOUR_OF_HALF_DAY("h"),
        HALF_DAY("a"),
        MINUTE("mm"),
        SECOND("ss"),
        MILLISECOND("SSS"),
        OFFSET("X");

        private final String text;

        Token(String text) {
            this.text = text;
        }

        static String all() {
            return Stream.of(values()).map(token -> token.text).collect(Collectors.joining(", "));
        }
    }

    private final String pattern;
    private final @Nullable Integer century;
    private final List<DateTimeFormatter> readers;
    private final DateTimeFormatter writer;

    private DatePattern(
            String pattern, @Nullable Integer century, List<DateTimeFormatter> readers, DateTimeFormatter writer) {
        this.pattern = pattern;
        this.century = century;
        this.readers = List.copyOf(readers);
        this.writer = writer;
    }

    /**
     * Compiles a pattern of at most 40 characters. Its tokens are yyyy, yy, MM, M, dd, d, HH, H, h with a (AM or PM),
     * mm, ss, SSS and X (an offset, or Z). Other letters are in single quotes; two single quotes are one. The pattern
     * has one year, one month and one day.
     *
     * @param century the first year of the hundred years of yy; null if the pattern has no yy
     * @throws ProblemException {@code invalid-request} that names {@code dateFormat} or {@code century}
     */
    public static DatePattern of(String pattern, @Nullable Integer century) {
        if (pattern.length() > MAX_UNITS) {
            throw refused("must have at most " + MAX_UNITS + " characters");
        }
        List<DateTimeFormatter> readers = OFFSETS.stream()
                .limit(pattern.contains(Token.OFFSET.text) ? OFFSETS.size() : 1)
                .map(offset -> new Compiler(pattern, century, offset).compiled())
                .toList();
        return new DatePattern(pattern, century, readers, readers.get(0));
    }

    /** Returns the pattern as the caller wrote it. */
    public String pattern() {
        return pattern;
    }

    /** Returns the first of the hundred years of yy; null if the pattern has no yy. */
    public @Nullable Integer century() {
        return century;
    }

    /**
     * Reads the date of a cell. Converts an instant to the time zone; drops a time of day that has no offset.
     *
     * @param zone the time zone of the sequence
     * @return a date of the years 1 to 9999; empty if the cell is in another notation or no date
     */
    public Optional<LocalDate> read(String cell, ZoneId zone) {
        return readers.stream()
                .map(reader -> parsed(reader, cell))
                .flatMap(Optional::stream)
                .map(parsed -> date(parsed, zone))
                .filter(date -> date.getYear() >= 1 && date.getYear() <= MAX_YEAR)
                .findFirst();
    }

    private static Optional<TemporalAccessor> parsed(DateTimeFormatter reader, String cell) {
        try {
            return Optional.of(reader.parse(cell));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private static LocalDate date(TemporalAccessor parsed, ZoneId zone) {
        ZoneOffset offset = parsed.query(TemporalQueries.offset());
        LocalDate date = LocalDate.from(parsed);
        return offset == null
                ? date
                : OffsetDateTime.of(date, time(parsed), offset)
                        .atZoneSameInstant(zone)
                        .toLocalDate();
    }

    private static LocalTime time(TemporalAccessor parsed) {
        return Optional.ofNullable(parsed.query(TemporalQueries.localTime())).orElse(LocalTime.MIDNIGHT);
    }

    /** Writes a date. Writes midnight in UTC for tokens of a time. */
    public String write(LocalDate date) {
        return equals(ISO) ? date.toString() : writer.format(date.atStartOfDay().atOffset(ZoneOffset.UTC));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DatePattern that
                && pattern.equals(that.pattern)
                && Objects.equals(century, that.century)
                && (this == ISO) == (that == ISO);
    }

    @Override
    public int hashCode() {
        return pattern.hashCode();
    }

    private static ProblemException refused(String reason) {
        return InvalidRequest.because(PARAMETER, reason);
    }

    /** The compilation of one pattern. Not thread-safe. */
    private static final class Compiler {
        private static final char QUOTE = '\'';

        private final String pattern;
        private final @Nullable Integer century;
        private final String offset;
        private final DateTimeFormatterBuilder builder = new DateTimeFormatterBuilder();
        private final List<Token> tokens = new ArrayList<>();
        /** Whether the last token has one or two digits, so its end would be unclear if a token followed directly. */
        private boolean isAfterVariable;

        Compiler(String pattern, @Nullable Integer century, String offset) {
            this.pattern = pattern;
            this.century = century;
            this.offset = offset;
        }

        DateTimeFormatter compiled() {
            for (int at = 0; at < pattern.length(); ) {
                char unit = pattern.charAt(at);
                if (unit == QUOTE) {
                    at = quoted(at);
                } else if (Character.isLetter(unit)) {
                    at = token(at);
                } else if (Character.isDigit(unit)) {
                    throw refused("must have digits in single quotes");
                } else {
                    literal(String.valueOf(unit));
                    at++;
                }
            }
            requireOneDate();
            return builder.toFormatter(Locale.ROOT)
                    .withChronology(IsoChronology.INSTANCE)
                    .withResolverStyle(ResolverStyle.STRICT);
        }

        private void literal(String text) {
            builder.appendLiteral(text);
            isAfterVariable = false;
        }

        private int quoted(int start) {
            int end = pattern.indexOf(QUOTE, start + 1);
            if (end < 0) {
                throw refused("must end each quoted text with a single quote");
            }
            literal(end == start + 1 ? String.valueOf(QUOTE) : pattern.substring(start + 1, end));
            return end + 1;
        }

        private int token(int start) {
            int end = start;
            while (end < pattern.length() && pattern.charAt(end) == pattern.charAt(start)) {
                end++;
            }
            String text = pattern.substring(start, end);
            Token token = Stream.of(Token.values())
                    .filter(known -> known.text.equals(text))
                    .findFirst()
                    .orElseThrow(() -> refused("knows " + Token.all() + ", and not " + Excerpt.of(text)
                            + ": put letters of the notation into single quotes"));
            if (tokens.contains(token)) {
                throw refused("must have " + token.text + " only once");
            }
            if (isAfterVariable) {
                throw refused("must have a character between a number without leading zeros and the next one");
            }
            tokens.add(token);
            append(token);
            return end;
        }

        private void append(Token token) {
            switch (token) {
                case YEAR -> builder.appendValue(ChronoField.YEAR, 4, 4, SignStyle.NOT_NEGATIVE);
                case YEAR_OF_CENTURY -> builder.appendValueReduced(ChronoField.YEAR, 2, 2, requiredCentury());
                case PADDED_MONTH -> builder.appendValue(ChronoField.MONTH_OF_YEAR, 2);
                case MONTH -> variable(ChronoField.MONTH_OF_YEAR);
                case PADDED_DAY -> builder.appendValue(ChronoField.DAY_OF_MONTH, 2);
                case DAY -> variable(ChronoField.DAY_OF_MONTH);
                case PADDED_HOUR -> builder.appendValue(ChronoField.HOUR_OF_DAY, 2);
                case HOUR -> variable(ChronoField.HOUR_OF_DAY);
                case HOUR_OF_HALF_DAY -> variable(ChronoField.CLOCK_HOUR_OF_AMPM);
                case HALF_DAY ->
                    builder.parseCaseInsensitive()
                            .appendText(ChronoField.AMPM_OF_DAY)
                            .parseCaseSensitive();
                case MINUTE -> builder.appendValue(ChronoField.MINUTE_OF_HOUR, 2);
                case SECOND -> builder.appendValue(ChronoField.SECOND_OF_MINUTE, 2);
                case MILLISECOND -> builder.appendValue(ChronoField.MILLI_OF_SECOND, 3);
                case OFFSET -> builder.appendPattern(offset);
            }
        }

        private void variable(ChronoField field) {
            builder.appendValue(field, 1, 2, SignStyle.NOT_NEGATIVE);
            isAfterVariable = true;
        }

        private int requiredCentury() {
            if (century == null) {
                throw InvalidRequest.because(
                        CENTURY, "is required with yy: the first year of the hundred years, such as 1950");
            }
            if (century < MIN_CENTURY || century > MAX_CENTURY) {
                throw InvalidRequest.because(CENTURY, "must be a year from " + MIN_CENTURY + " to " + MAX_CENTURY);
            }
            return century;
        }

        private void requireOneDate() {
            Set<Token> found = tokens.isEmpty() ? EnumSet.noneOf(Token.class) : EnumSet.copyOf(tokens);
            requireOne(found, Token.YEAR, Token.YEAR_OF_CENTURY, "year: yyyy, or yy with century");
            requireOne(found, Token.PADDED_MONTH, Token.MONTH, "month: MM or M");
            requireOne(found, Token.PADDED_DAY, Token.DAY, "day: dd or d");
            requireOneHour(found);
            requireWith(found, Token.SECOND, Token.MINUTE);
            requireWith(found, Token.MILLISECOND, Token.SECOND);
            requireWith(found, Token.OFFSET, Token.MINUTE);
            if (century != null && !found.contains(Token.YEAR_OF_CENTURY)) {
                throw InvalidRequest.because(CENTURY, "is only for a dateFormat with yy");
            }
        }

        private static void requireOneHour(Set<Token> found) {
            long hours = Stream.of(Token.PADDED_HOUR, Token.HOUR, Token.HOUR_OF_HALF_DAY)
                    .filter(found::contains)
                    .count();
            if (hours > 1 || hours == 0 && found.contains(Token.MINUTE)) {
                throw refused("must have exactly one hour with mm: HH, H, or h with a");
            }
            requireWith(found, Token.HOUR_OF_HALF_DAY, Token.HALF_DAY);
            requireWith(found, Token.HALF_DAY, Token.HOUR_OF_HALF_DAY);
        }

        private static void requireWith(Set<Token> found, Token token, Token required) {
            if (found.contains(token) && !found.contains(required)) {
                throw refused("must have " + required.text + " if it has " + token.text);
            }
        }

        private static void requireOne(Set<Token> found, Token one, Token other, String what) {
            if (found.contains(one) == found.contains(other)) {
                throw refused("must have exactly one " + what);
            }
        }
    }
}
