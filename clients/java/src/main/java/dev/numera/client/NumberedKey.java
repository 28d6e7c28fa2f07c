package dev.numera.client;

import java.util.Optional;

/** A key of a list with its numbers, or with the problem that explains why it got none. */
public record NumberedKey(String key, Optional<Allocation> allocation, Optional<NumeraProblem> problem) {
    static NumberedKey of(Fields fields) {
        Optional<NumeraProblem> problem = fields.problem();
        Optional<Allocation> allocation = problem.isPresent() ? Optional.empty() : Optional.of(Allocation.of(fields));
        return new NumberedKey(fields.string("key"), allocation, problem);
    }
}
