package dev.numera.maintain.prove;

import dev.numera.maintain.history.LedgerEntry;
import dev.numera.maintain.history.ObservedCall;
import dev.numera.maintain.history.ObservedOutcome.Allocated;
import dev.numera.maintain.history.ObservedOutcome.NoNumbers;
import dev.numera.maintain.history.ObservedStatusChange;
import dev.numera.maintain.history.Violation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * The result of a run. Immutable.
 *
 * @param isRetired whether the scratch sequences are retired
 */
record Proof(
        ProofOptions options,
        String scope,
        Instant startedAt,
        long startNanos,
        List<JudgedSequence> sequences,
        boolean isRetired) {
    private static final int PRINTED_VIOLATIONS_MAX = 10;
    private static final double NANOS_PER_MILLI = 1e6;

    /**
     * One scratch sequence: all its calls in the order in which they were sent, the ledger at the end, and the
     * violations.
     */
    record JudgedSequence(
            String guarantee, List<Recorded> calls, List<LedgerEntry> ledger, List<Violation> violations) {
        long allocated() {
            return Recorded.observations(calls, ObservedCall.class).stream()
                    .filter(call -> call.numbers()
                            .filter(numbers -> !numbers.replayed())
                            .isPresent())
                    .filter(call -> call.purpose() != ObservedCall.Purpose.ADVANCE)
                    .mapToLong(ObservedCall::count)
                    .sum();
        }
    }

    List<Violation> violations() {
        return sequences.stream()
                .flatMap(sequence -> sequence.violations().stream())
                .toList();
    }

    /** The latency of the calls that were answered with numbers. */
    Percentiles callMillis() {
        return Percentiles.of(answered()
                .mapToDouble(recorded -> (recorded.observed().answeredNanos()
                                - recorded.observed().startNanos())
                        / NANOS_PER_MILLI));
    }

    /** The storage time that the answers with numbers state. */
    Percentiles storageMillis() {
        return Percentiles.of(storage());
    }

    private DoubleStream storage() {
        return answered().mapToDouble(Recorded::storageMillis).filter(millis -> millis >= 0);
    }

    private Stream<Recorded> answered() {
        return all().filter(recorded -> recorded.observed() instanceof ObservedCall call
                && call.outcome() instanceof Allocated
                && call.purpose() != ObservedCall.Purpose.ADVANCE);
    }

    private Stream<Recorded> all() {
        return sequences.stream().flatMap(sequence -> sequence.calls().stream());
    }

    /** Returns a few lines for the operator. */
    List<String> summary() {
        List<String> lines = new ArrayList<>();
        List<Violation> violations = violations();
        lines.add(
                violations.isEmpty()
                        ? "No promise was broken."
                        : violations.size() == 1 ? "1 violation." : violations.size() + " violations.");
        for (JudgedSequence sequence : sequences) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%s: %,d calls, %,d numbers",
                    sequence.guarantee(),
                    sequence.calls().size(),
                    sequence.allocated()));
        }
        lines.add("calls: " + callMillis());
        lines.add("storage: " + storageMillis());
        addCounts(lines, "without numbers", problems());
        addCounts(lines, "faults", faults());
        violations.stream()
                .limit(PRINTED_VIOLATIONS_MAX)
                .forEach(violation -> lines.add(violation.rule() + ": " + violation.what()));
        if (violations.size() > PRINTED_VIOLATIONS_MAX) {
            lines.add("and " + (violations.size() - PRINTED_VIOLATIONS_MAX) + " more in history.html");
        }
        lines.add("The scratch sequences are in the scope " + scope
                + (isRetired ? ", retired." : ", and could not be retired: retire them by DELETE."));
        return lines;
    }

    private static void addCounts(List<String> lines, String what, Map<String, Long> counts) {
        if (!counts.isEmpty()) {
            lines.add(what + ": "
                    + counts.entrySet().stream()
                            .map(count -> count.getKey() + " " + count.getValue())
                            .collect(Collectors.joining(", ")));
        }
    }

    private Map<String, Long> problems() {
        return counted(all().map(Proof::problem));
    }

    private Map<String, Long> faults() {
        // The copy of a repeated call is not a fault of its own.
        return counted(all().filter(recorded -> !recorded.isCopy()).map(Recorded::fault));
    }

    private static Map<String, Long> counted(Stream<String> words) {
        return words.filter(word -> !word.isEmpty())
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    }

    static String problem(Recorded recorded) {
        if (recorded.observed() instanceof ObservedStatusChange change) {
            String problem = change.problem();
            return problem == null ? "" : problem;
        }
        return recorded.observed() instanceof ObservedCall call && call.outcome() instanceof NoNumbers failure
                ? failure.problem()
                : "";
    }
}
