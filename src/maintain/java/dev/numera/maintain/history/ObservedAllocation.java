package dev.numera.maintain.history;

import dev.numera.maintain.history.ObservedOutcome.Allocated;

/** Numbers that the sequence allocated once, between the two times, and the first call that was answered with them. */
record ObservedAllocation(Allocated numbers, long startNanos, long answeredNanos, ObservedCall observed) {
    long lowest() {
        return Math.min(numbers.first(), numbers.last());
    }

    long highest() {
        return Math.max(numbers.first(), numbers.last());
    }

    /** The position of the first number in the order of the series. */
    long begin(Progression series) {
        return series.position(numbers.first());
    }

    /** The position of the last number in the order of the series. */
    long end(Progression series) {
        return series.position(numbers.last());
    }
}
