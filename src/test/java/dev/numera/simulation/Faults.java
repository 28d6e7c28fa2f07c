package dev.numera.simulation;

import java.time.Duration;

/** How often requests fail in a run, and how. */
final class Faults {
    /** What can happen to a request. */
    enum NetworkFault {
        /** Known not to be sent. */
        REFUSED,
        /** Known not to be done, and not worth a retry. */
        FORBIDDEN,
        /** It never arrives, and its sender does not learn it. */
        SWALLOWED,
        /** It is done, and the reply is lost. */
        LOST_REPLY,
        /** It is done after its sender has given up. */
        LATE,
        /** It is done more than a minute later. */
        VERY_LATE,
        /** It is done twice, and the second answer is returned. */
        DUPLICATED,
        /** It is done twice, the second time after the first one's answer. */
        DUPLICATED_LATE,
        /** It is done, but the answer lacks the version. */
        WITHOUT_VERSION,
        /** The client breaks before sending. */
        BROKEN_BEFORE,
        /** The client breaks over the answer. */
        BROKEN_AFTER
    }

    private static final int VERY_LATE_SECONDS_MAX = 80;

    private final Scheduler scheduler;
    private final Scenario scenario;
    private boolean isOver;
    private int seen;
    private boolean hasDuplicated;
    private boolean hasBroken;

    Faults(Scheduler scheduler, Scenario scenario) {
        this.scheduler = scheduler;
        this.scenario = scenario;
    }

    /** Whether requests fail at all. */
    boolean isAny() {
        return scenario.faults() > 0 || scenario.definitionFaults() > 0;
    }

    /**
     * Whether nothing fails in the run, no process pauses, and callers have time and attempts. A caller that ends after
     * few attempts may not learn how the last one ended: after nine writes of others its id is no longer in the list.
     */
    boolean isQuiet() {
        return !isAny()
                && scenario.pauses() == 0
                && scenario.limits().maxAttempts() > 10
                && scenario.leaps() == 0
                && scenario.limits().deadline().toSeconds() > 1;
    }

    Duration timeout() {
        return scenario.networkTimeout();
    }

    void end() {
        isOver = true;
    }

    int seen() {
        return seen;
    }

    /** Whether a request was done twice: its second refusal can hide that it was won. */
    boolean hasDuplicated() {
        return hasDuplicated;
    }

    /** Whether an exception of no meaning was thrown. */
    boolean hasBroken() {
        return hasBroken;
    }

    /** What happens to the next request; null for nothing. */
    NetworkFault next() {
        return isOver || !scheduler.chance(scenario.faults()) ? null : any();
    }

    /** As the other, for a read of the definition. */
    NetworkFault nextOfDefinition() {
        return isOver || !scheduler.chance(Math.max(scenario.faults(), scenario.definitionFaults())) ? null : any();
    }

    private NetworkFault any() {
        seen++;
        NetworkFault fault = scenario.faultKinds()
                .get(scheduler.random().nextInt(scenario.faultKinds().size()));
        hasDuplicated |= fault == NetworkFault.DUPLICATED;
        hasBroken |= fault == NetworkFault.BROKEN_BEFORE || fault == NetworkFault.BROKEN_AFTER;
        return fault;
    }

    /** After what a row that is not touched is removed. */
    Duration veryLate() {
        return Duration.ofSeconds(61 + scheduler.random().nextInt(VERY_LATE_SECONDS_MAX));
    }
}
