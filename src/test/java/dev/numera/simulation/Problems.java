package dev.numera.simulation;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;

/** The problems that a caller of a run may be answered, and whether each one leaves open that numbers were consumed. */
final class Problems {
    private final Scenario scenario;
    private final Faults faults;

    Problems(Scenario scenario, Faults faults) {
        this.scenario = scenario;
        this.faults = faults;
    }

    void requireExplained(ProblemException problem, boolean mayBeReused) {
        boolean isExplained =
                switch (problem.type()) {
                    case CONTENTION, OVERLOADED -> true;
                    case OUTCOME_UNKNOWN, STORAGE_UNAVAILABLE -> !faults.isQuiet();
                    case EXHAUSTED ->
                        scenario.isOwned() || scenario.definition().maxValue() < 1_000;
                    case DATE_ORDER -> scenario.isDated();
                    case KEY_REUSED -> mayBeReused;
                    case RETIRED -> scenario.isOwned();
                    default -> false;
                };
        require(isExplained, problem);
    }

    void requireExplainsRow(ProblemException problem) {
        boolean isExplained =
                switch (problem.type()) {
                    case NUMBER_TAKEN, KEY_REUSED -> true;
                    case INVALID_REQUEST, RETIRED, TEXTS_COULD_REPEAT -> scenario.isOwned();
                    default -> false;
                };
        require(isExplained, problem);
    }

    void requireExplainsStatus(ProblemException problem) {
        boolean isExplained =
                switch (problem.type()) {
                    case CONTENTION, OVERLOADED -> true;
                    case OUTCOME_UNKNOWN, STORAGE_UNAVAILABLE -> !faults.isQuiet();
                    case UNKNOWN_KEY, STATUS_FINAL -> true;
                    default -> false;
                };
        require(isExplained, problem);
    }

    void requireBroken(Throwable failure) {
        if (!faults.hasBroken()) {
            throw new AssertionError("Nothing explains " + failure, failure);
        }
    }

    private static void require(boolean isExplained, ProblemException problem) {
        if (!isExplained) {
            throw new AssertionError("Nothing explains " + problem.type() + ": " + problem.getMessage(), problem);
        }
    }

    /** Returns the problem that the history records, which decides whether numbers may have been consumed. */
    String consumption(ProblemException problem) {
        if (hadAnAttempt(problem) && faults.hasDuplicated()) {
            // A caller without time for another read believed the refusal of a second copy. The first copy may have
            // won.
            return ProblemType.OUTCOME_UNKNOWN.urn();
        }
        return problem.type().urn();
    }

    /**
     * Whether the problem may follow a write. The refused second copy of an opening counts as a clash, and a clash
     * counts as no attempt, so even {@code overloaded} may follow one.
     */
    private static boolean hadAnAttempt(ProblemException problem) {
        return switch (problem.type()) {
            case CONTENTION, STORAGE_UNAVAILABLE, DATE_ORDER -> true;
            case OVERLOADED -> problem.members().containsKey("attempts");
            default -> false;
        };
    }
}
