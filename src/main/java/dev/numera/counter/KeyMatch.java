package dev.numera.counter;

import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.Optional;

/** Whether a request is the one that its key already stands for. */
final class KeyMatch {
    private KeyMatch() {}

    /** Why the request may not have the numbers of the earlier one with its key; empty if it may. */
    static Optional<ProblemException> mismatch(Request.Allocate request, String period, Outcome.Allocation earlier) {
        if (request.count() != earlier.count()) {
            return Optional.of(reused(request, "with count " + earlier.count() + ", not " + request.count()));
        }
        if (request.isDateGiven() && !period.equals(earlier.period())) {
            return Optional.of(reused(request, "in the period " + earlier.period() + ", not " + period));
        }
        return Optional.empty();
    }

    private static ProblemException reused(Request.Allocate request, String difference) {
        return new ProblemException(
                ProblemType.KEY_REUSED,
                "The key '" + request.key() + "' already stands for an allocation " + difference
                        + ". Send the request as it was, or another key.");
    }
}
