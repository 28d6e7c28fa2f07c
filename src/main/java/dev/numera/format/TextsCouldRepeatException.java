package dev.numera.format;

import java.time.LocalDate;

/**
 * A format under which the same number has the same text in two periods: the problem {@code texts-could-repeat}, with
 * the two dates as its examples.
 */
public final class TextsCouldRepeatException extends IllegalArgumentException {
    /** A date, the period that it lies in, and the text that a number has on it: the same number in both examples. */
    public record Example(LocalDate date, Period period, String text) {}

    private final String reason;
    private final Example first;
    private final Example second;

    /** @param remedy tokens that would tell the two apart */
    TextsCouldRepeatException(long number, Example first, Example second, String remedy) {
        this.reason = "Texts could repeat: number " + number + " is '" + first.text() + "' on " + first.date()
                + " and again on " + second.date() + ", in another period: put " + remedy + " into the format.";
        this.first = first;
        this.second = second;
    }

    /** The reason, which is never null. */
    @Override
    public String getMessage() {
        return reason;
    }

    public Example first() {
        return first;
    }

    /** The later of the two; its text equals that of {@link #first()}. */
    public Example second() {
        return second;
    }
}
