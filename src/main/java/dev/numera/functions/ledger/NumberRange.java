package dev.numera.functions.ledger;

import dev.numera.counter.Series;
import dev.numera.functions.Continuation;
import dev.numera.functions.Query;
import dev.numera.problem.InvalidRequest;
import dev.numera.sequence.LedgerPosition;
import org.jspecify.annotations.Nullable;

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

    /** A position in a ledger as a continuation holds it. */
    static @Nullable String text(@Nullable LedgerPosition position) {
        return position == null ? null : position.period() + BEFORE_NUMBER + position.number();
    }

    /** The position that a continuation holds, of a period and of one of these numbers; null on the first page. */
    @Nullable
    LedgerPosition position(@Nullable String text) {
        if (text == null) {
            return null;
        }
        int end = text.indexOf(BEFORE_NUMBER);
        if (end < 0) {
            throw Continuation.refused();
        }
        return new LedgerPosition(Continuation.period(text.substring(0, end)), number(text.substring(end + 1)));
    }

    private long number(String text) {
        try {
            long number = Long.parseLong(text);
            if (number >= from && number <= to && Long.toString(number).equals(text)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Falls through: no number is as forged as one that was not asked for.
        }
        throw Continuation.refused();
    }
}
