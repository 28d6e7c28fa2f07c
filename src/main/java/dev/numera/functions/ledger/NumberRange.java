package dev.numera.functions.ledger;

import dev.numera.format.Period;
import dev.numera.functions.Continuation;
import dev.numera.functions.Query;
import dev.numera.model.Series;
import dev.numera.problem.InvalidRequest;
import dev.numera.sequence.LedgerPosition;

/** The numbers that {@code from} and {@code to} ask for, both inclusive. */
record NumberRange(long from, long to) {
    private static final char BEFORE_NUMBER = ';';

    /** @throws dev.numera.problem.ProblemException {@code invalid-request} if it is none */
    static NumberRange of(Query query) {
        NumberRange range = new NumberRange(
                query.bigNumber("from", -Series.LARGEST_VALUE), query.bigNumber("to", Series.LARGEST_VALUE));
        if (range.from > range.to) {
            throw InvalidRequest.because("from", "must not be greater than to");
        }
        return range;
    }

    /** Pages that start at a period and at one of these numbers. */
    Continuation<LedgerPosition> pages(String pagesOf) {
        return new Continuation<>(pagesOf, NumberRange::write, this::read);
    }

    private static String write(LedgerPosition position) {
        return position.period() + BEFORE_NUMBER + position.number();
    }

    private LedgerPosition read(String text) {
        int end = text.indexOf(BEFORE_NUMBER);
        long number = Long.parseLong(text.substring(end + 1));
        if (number < from || number > to) {
            throw new IllegalArgumentException("The number " + number + " was not requested.");
        }
        return new LedgerPosition(new Period(text.substring(0, end)).id(), number);
    }
}
