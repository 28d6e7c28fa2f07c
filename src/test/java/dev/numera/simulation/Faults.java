package dev.numera.simulation;

import java.time.Duration;

/** The faults of a run: which requests fail, and how. */
final class Faults {
    /** A way for a request to fail. */
    enum NetworkFault {
        /** The request is not sent, and its sender knows that. */
        REFUSED,
        /** The request is not done, its sender knows that, and a retry is useless. */
        FORBIDDEN,
        /** The request never arrives, and its sender gets no answer. */
        SWALLOWED,
        /** The request is done, and its reply is lost. */
        LOST_REPLY,
        /** The request is done after its sender has given up. */
        LATE,
        /** The request is done more than a minute later. */
        VERY_LATE,
        /** The request is done twice, and the second answer is returned. */
        DUPLICATED,
        /** The request is done twice, the second time after the first answer has arrived. */
        DUPLICATED_LATE,
        /** The request is done, but its answer lacks the version. */
        WITHOUT_VERSION,
        /** The client throws an unexpected exception before it sends the request. */
        BROKEN_BEFORE,
        /** The client throws an unexpected exception when it reads the answer. */
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
     * Whether nothing fails in the run, no process pauses, and callers have time and attempts. After a few attempts a
     * caller may end without the outcome of its last write: nine writes of other instances remove its id from the list.
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

    /** Whether a request was done twice. The refusal of its second copy can hide that the first copy won. */
    boolean hasDuplicated() {
        return hasDuplicated;
    }

    /** Whether an exception that explains nothing was thrown. */
    boolean hasBroken() {
        return hasBroken;
    }

    /** Returns the fault of the next request, or null if it succeeds. */
    NetworkFault next() {
        return isOver || !scheduler.chance(scenario.faults()) ? null : any();
    }

    /** Returns the fault of the next read of the definition, or null if it succeeds. */
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

    /** Returns a delay after which peers have removed every row that did not change. */
    Duration veryLate() {
        return Duration.ofSeconds(61 + scheduler.random().nextInt(VERY_LATE_SECONDS_MAX));
    }
}
