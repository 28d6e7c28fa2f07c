package dev.numera.maintain.history;

import java.util.List;

/** A broken promise, and the calls that prove it. */
public record Violation(Rule rule, String what, List<? extends Observation> calls) {
    /** The promises that a history can break. */
    public enum Rule {
        SHAPE("An answer has as many numbers as were requested, all of the sequence."),
        ONE_KEY_ONE_ALLOCATION("One key has one allocation, however often it is sent and by which caller."),
        DISTINCT("No number is allocated twice."),
        REAL_TIME_ORDER("A number that was answered before another was requested comes before it."),
        REFUSED_CONSUMED_NOTHING("A refused call consumed no number."),
        LEDGER_COMPLETE("The ledger has no gap."),
        LEDGER_AS_ANSWERED("The ledger contains what callers were answered, and only that."),
        STATUS_CONSISTENT("A status moves only from reserved to issued and from both to void, by a call.");

        private final String promise;

        Rule(String promise) {
            this.promise = promise;
        }

        /** The promise in one sentence. */
        public String promise() {
            return promise;
        }
    }

    @Override
    public String toString() {
        return rule + ": " + what
                + String.join("", calls.stream().map(call -> "\n    " + call).toList());
    }
}
