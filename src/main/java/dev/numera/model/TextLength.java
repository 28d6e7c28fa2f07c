package dev.numera.model;

import dev.numera.format.Format;
import dev.numera.format.FormatContext;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.time.LocalDate;
import java.util.Map;
import java.util.Optional;

/**
 * How long the texts of a definition can be. All dates have the same length, so the number's alone matters: on the way
 * from one end of the range to the other it falls as long as numbers come nearer to zero, and then rises. Immutable.
 */
public final class TextLength {
    private final Format format;
    private final FormatContext context;
    private final LocalDate date;
    private final long first;
    private final Series series;

    private TextLength(Format format, SequenceName name, Definition definition, LocalDate date) {
        this.format = format;
        this.context = definition.formatContext(name);
        this.date = date;
        this.series = definition.series();
        this.first = series.cycle() ? series.roundStart() : series.firstOfRange();
    }

    /** Empty where numbers have no texts. */
    public static Optional<TextLength> of(SequenceName name, Definition definition, LocalDate date) {
        return Optional.ofNullable(definition.textTemplate())
                .map(template -> of(Format.compile(template), name, definition, date));
    }

    /** @param format that of the definition */
    static TextLength of(Format format, SequenceName name, Definition definition, LocalDate date) {
        return new TextLength(format, name, definition, date);
    }

    /** The longest text there can be, on this date: also of a number before the start, which can be imported. */
    public String longest() {
        String begin = text(0);
        String end = text(series.left(first) - 1);
        return end.length() > begin.length() ? end : begin;
    }

    /** @throws ProblemException {@code texts-too-long} with the first number whose text has more characters */
    void requireAtMost(int units) {
        if (longest().length() > units) {
            long steps = stepsToOneLongerThan(units);
            long number = first + steps * series.increment();
            throw new ProblemException(
                    ProblemType.TEXTS_TOO_LONG,
                    "maxLength is " + units + ", but number " + number + " would have the longer text " + text(steps)
                            + ". Choose a shorter format, a narrower range, or a larger maxLength.",
                    Map.of("number", number, "text", text(steps)));
        }
    }

    private long stepsToOneLongerThan(int units) {
        long shorter = -1;
        long longer = text(0).length() > units ? 0 : series.left(first) - 1;
        while (longer - shorter > 1) {
            long middle = shorter + (longer - shorter) / 2;
            if (text(middle).length() > units) {
                longer = middle;
            } else {
                shorter = middle;
            }
        }
        return longer;
    }

    private String text(long steps) {
        return format.text(context, date, first + steps * series.increment());
    }
}
