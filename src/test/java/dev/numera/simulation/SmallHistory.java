package dev.numera.simulation;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.maintain.history.ObservedCall;
import dev.numera.maintain.history.ObservedOutcome;
import dev.numera.maintain.history.ObservedOutcome.NoNumbers;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.simulation.SmallScenario.Ask;
import java.util.ArrayList;
import java.util.List;

/** The calls of an enumerated schedule, and their answers. */
final class SmallHistory {
    /**
     * An answer.
     *
     * @param printed the numbers; null if there are none
     * @param movedTo the next number, for an advance; null for any other call
     * @param problem null if the call succeeded
     */
    record SmallResult(PrintedAllocation printed, Long movedTo, ProblemType problem) {
        static final SmallResult NOTHING = new SmallResult(null, null, null);

        static SmallResult of(PrintedAllocation printed) {
            return new SmallResult(printed, null, null);
        }

        static SmallResult moved(long next) {
            return new SmallResult(null, next, null);
        }

        static SmallResult of(ProblemException problem) {
            return new SmallResult(null, null, problem.type());
        }

        @Override
        public String toString() {
            return printed != null
                    ? printed.first() + (printed.replayed() ? " replayed" : "")
                    : movedTo != null ? "moved to " + movedTo : "" + problem;
        }
    }

    /** A call, and its answer if it has one. */
    static final class SmallCall {
        private final String process;
        private final Ask ask;
        private long startTick;
        private long answeredTick = Long.MAX_VALUE;
        private SmallResult result = SmallResult.NOTHING;

        private SmallCall(String process, Ask ask) {
            this.process = process;
            this.ask = ask;
        }

        Ask ask() {
            return ask;
        }

        SmallResult result() {
            return result;
        }

        boolean isAnswered() {
            return answeredTick < Long.MAX_VALUE;
        }

        boolean isAfter(SmallCall other) {
            return startTick > other.answeredTick;
        }

        /** Whether the call may have consumed a number that its caller does not know. */
        boolean isUnknown() {
            return !isAnswered() || result.problem() == ProblemType.OUTCOME_UNKNOWN;
        }

        ObservedCall observed() {
            ObservedOutcome outcome = result.printed() == null
                    ? new NoNumbers(
                            isUnknown() ? NoNumbers.NO_ANSWER : result.problem().urn())
                    : new ObservedOutcome.Allocated(
                            result.printed().first(),
                            result.printed().last(),
                            result.printed().count(),
                            result.printed().increment(),
                            result.printed().replayed());
            return new ObservedCall(process, "", startTick, answeredTick, ask.key(), 1, outcome);
        }

        @Override
        public String toString() {
            return process + " requested " + (ask.isAdvance() ? "an advance" : ask.key() == null ? "" : ask.key())
                    + ": " + (isAnswered() ? result : "no answer");
        }
    }

    private final List<SmallCall> entries = new ArrayList<>();

    SmallCall entry(String process, Ask ask) {
        SmallCall entry = new SmallCall(process, ask);
        entries.add(entry);
        return entry;
    }

    /** Records the start of a call, unless it has started already. */
    void start(SmallCall entry, long tick) {
        if (entry.startTick == 0) {
            entry.startTick = tick;
        }
    }

    void answer(SmallCall entry, SmallResult result, long tick) {
        entry.result = result;
        entry.answeredTick = tick;
    }

    /** Removes the calls that a process had not started when it died. Its calls in progress stay without an answer. */
    void crashed(String process) {
        entries.removeIf(entry -> entry.process.equals(process) && entry.startTick == 0);
    }

    /** Returns all calls that were sent. */
    List<SmallCall> entries() {
        return entries.stream().filter(entry -> entry.startTick > 0).toList();
    }

    /**
     * Returns everything that a verdict depends on: each result, and which calls were answered before which other calls
     * started.
     */
    String relations() {
        StringBuilder all = new StringBuilder();
        List<SmallCall> ordered = entries.stream()
                .filter(entry -> entry.startTick > 0)
                .sorted((one, other) -> one.process.compareTo(other.process))
                .toList();
        for (SmallCall entry : ordered) {
            all.append(entry).append(" after");
            for (int other = 0; other < ordered.size(); other++) {
                if (entry.isAfter(ordered.get(other))) {
                    all.append(' ').append(other);
                }
            }
            all.append('\n');
        }
        return all.toString();
    }
}
