package dev.numera.counter;

import dev.numera.model.Allocation;
import dev.numera.model.Request;
import dev.numera.problem.Answer;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/** Answers requests whose keys have numbers already: with these numbers for the same request, else with a refusal. */
final class KeyMatch {
    private KeyMatch() {}

    /** The keys to look for in the ledger, each once. */
    static List<String> keys(List<Call.Slot> slots) {
        return slots.stream()
                .map(slot -> slot.request instanceof Request.Allocate allocate ? allocate.key() : null)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    /**
     * Answers the requests whose key is in the ledger.
     *
     * @param isOwn whether a row was written for these very requests: else it is a replay
     */
    static void answer(
            List<Call.Slot> slots, String period, Map<String, Answer<Allocation>> ledger, Predicate<Allocation> isOwn) {
        for (Call.Slot slot : slots) {
            if (slot.request instanceof Request.Allocate request && ledger.containsKey(request.key())) {
                Answer<Allocation> earlier = Objects.requireNonNull(ledger.get(request.key()))
                        .unless(found -> mismatch(request, period, found));
                if (earlier.isRefused()) {
                    slot.refuse(earlier.refusal());
                } else {
                    Allocation found = earlier.orThrow();
                    slot.answer(isOwn.test(found) ? found.asFirst() : found.asReplay());
                }
            }
        }
    }

    /** Why the request may not have the numbers of the earlier one with its key; empty if it may. */
    static Optional<ProblemException> mismatch(Request.Allocate request, String period, Allocation earlier) {
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
                "The key '" + request.key() + "' already has an allocation " + difference
                        + ". Send the request as it was, or another key.");
    }
}
