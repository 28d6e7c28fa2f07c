package dev.numera.functions;

import dev.numera.counter.Series;
import dev.numera.problem.InvalidRequest;

/** The numbers that {@code from} and {@code to} ask for, both inclusive. */
record NumberRange(long from, long to) {
    /** @throws dev.numera.problem.ProblemException {@code invalid-request} if it is none */
    static NumberRange of(Query query) {
        NumberRange range = new NumberRange(
                query.bigNumber("from", -Series.LARGEST_VALUE), query.bigNumber("to", Series.LARGEST_VALUE));
        if (range.from > range.to) {
            throw InvalidRequest.because("from", "must not be greater than to");
        }
        return range;
    }

    /** A position of a continuation that is one of these numbers. */
    long position(String position) {
        try {
            long number = Long.parseLong(position);
            if (number >= from && number <= to && Long.toString(number).equals(position)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Falls through: no number is as forged as one that was not asked for.
        }
        throw Continuation.refused();
    }
}
