package dev.numera.core.model;

import dev.numera.core.format.Format;
import dev.numera.core.format.FormatContext;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the longest text of a definition, and the first number whose text is too long. Only the number affects the
 * length, because all dates have the same length. From one end of the range to the other, lengths fall toward zero and
 * then rise, so the longest text belongs to one of the ends. Immutable.
 */
public final class LongestText {
    private final Format format;
    private final FormatContext context;
    private final LocalDate date;
    private final Series series;
    /** The numbers at which a round can start: for a cycle, the start of the first round and of the later ones. */
    private final List<Long> firsts;

    private LongestText(Format format, SequenceName name, Definition definition, LocalDate date) {
        this.format = format;
        this.context = definition.formatContext(name);
        this.date = date;
        this.series = definition.series();
        this.firsts = series.cycle() ? List.of(series.start(), series.roundStart()) : List.of(series.firstOfRange());
    }

    /** Returns the texts of a definition; empty if its numbers have none. */
    public static Optional<LongestText> of(SequenceName name, Definition definition, LocalDate date) {
        return Optional.ofNullable(definition.textTemplate())
                .map(template -> of(Format.compile(template), name, definition, date));
    }

    /** @param format the compiled format of the definition */
    static LongestText of(Format format, SequenceName name, Definition definition, LocalDate date) {
        return new LongestText(format, name, definition, date);
    }

    /** Returns the longest possible text on this date, including numbers before the start, which can be imported. */
    public String longest() {
        return firsts.stream()
                .map(this::longest)
                .max(Comparator.comparingInt(String::length))
                .orElseThrow();
    }

    private String longest(long first) {
        String begin = text(first, 0);
        String end = text(first, series.left(first) - 1);
        return end.length() > begin.length() ? end : begin;
    }

    /**
     * Refuses a definition with a text longer than this.
     *
     * @throws ProblemException {@code texts-too-long} with the first number whose text is longer
     */
    void requireAtMost(int units) {
        for (long first : firsts) {
            if (longest(first).length() > units) {
                long steps = stepsToOneLongerThan(units, first);
                long number = first + steps * series.increment();
                throw new ProblemException(
                        ProblemType.TEXTS_TOO_LONG,
                        "maxLength is " + units + ", but number " + number + " would have the longer text "
                                + text(first, steps)
                                + ". Choose a shorter format, a narrower range, or a larger maxLength.",
                        Map.of("number", number, "text", text(first, steps)));
            }
        }
    }

    private long stepsToOneLongerThan(int units, long first) {
        long shorter = -1;
        long longer = text(first, 0).length() > units ? 0 : series.left(first) - 1;
        while (longer - shorter > 1) {
            long middle = shorter + (longer - shorter) / 2;
            if (text(first, middle).length() > units) {
                longer = middle;
            } else {
                shorter = middle;
            }
        }
        return longer;
    }

    private String text(long first, long steps) {
        return format.text(context, date, first + steps * series.increment());
    }
}
