package dev.numera.maintain.history;

import dev.numera.maintain.history.ObservedOutcome.Allocated;

/** Numbers that were taken once, at some time between these two, and the first call that got them. */
record ObservedAllocation(Allocated numbers, long startNanos, long answeredNanos, ObservedCall observed) {
    long lowest() {
        return Math.min(numbers.first(), numbers.last());
    }

    long highest() {
        return Math.max(numbers.first(), numbers.last());
    }

    /** Where the first number is in the order of the series. */
    long begin(Progression series) {
        return series.position(numbers.first());
    }

    /** Where the last number is in the order of the series. */
    long end(Progression series) {
        return series.position(numbers.last());
    }
}
