package dev.numera.sequences.ledger;

import dev.numera.core.model.Change.FieldChange;
import dev.numera.core.model.Status;
import dev.numera.core.problem.EnumWord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that a closing found, each with its status, as runs of consecutive numbers of the series. The next
 * closing of the same dates compares its numbers with these runs. Not thread-safe.
 */
final class ClosedRuns {
    /** A closing with more runs stores none: its row has no room for them. */
    static final int MAX_RUNS = 2_000;

    static final String RUN = "run:";
    static final String PERIOD = "period:run";
    static final String COUNT = "count:run";

    private record Run(long first, long last, String status) {}

    private final Map<String, TreeMap<Long, Run>> byPeriod = new TreeMap<>();
    private int runs;

    /** Adds the numbers from the least to the greatest. Callers add the numbers of each period in ascending order. */
    void add(String period, long least, long greatest, long step, Status.Kind status) {
        TreeMap<Long, Run> ofPeriod = byPeriod.computeIfAbsent(period, none -> new TreeMap<>());
        Run run = new Run(least, greatest, EnumWord.of(status));
        Map.Entry<Long, Run> before = ofPeriod.lastEntry();
        if (before != null
                && before.getValue().last() == least - step
                && before.getValue().status().equals(run.status())) {
            run = new Run(before.getKey(), greatest, run.status());
        }
        add(ofPeriod, run);
    }

    private void add(Map<Long, Run> ofPeriod, Run run) {
        runs += ofPeriod.put(run.first(), run) == null ? 1 : 0;
    }

    /** Whether a number had another status in the closing, or was not part of the closing. */
    boolean isOther(String period, long number, Status.Kind status) {
        TreeMap<Long, Run> ofPeriod = byPeriod.get(period);
        Map.Entry<Long, Run> run = ofPeriod == null ? null : ofPeriod.floorEntry(number);
        return run == null
                || run.getValue().last() < number
                || !run.getValue().status().equals(EnumWord.of(status));
    }

    /** Returns the fields of the closing, each period followed by its runs; empty if there are too many runs. */
    List<FieldChange> fields() {
        if (runs > MAX_RUNS) {
            return List.of();
        }
        List<FieldChange> fields = new ArrayList<>();
        fields.add(new FieldChange(COUNT, null, (long) runs));
        byPeriod.forEach((period, ofPeriod) -> {
            fields.add(new FieldChange(PERIOD, null, period));
            ofPeriod.values().forEach(run -> fields.add(new FieldChange(RUN + run.status(), run.first(), run.last())));
        });
        return fields;
    }

    /** Reads the runs from the fields of a closing; empty if the closing stores none, or not all of them. */
    static Optional<ClosedRuns> of(Collection<FieldChange> fields) {
        ClosedRuns found = new ClosedRuns();
        Map<String, Object> values = new HashMap<>();
        for (FieldChange field : fields) {
            if (field.field().equals(COUNT) || field.field().equals(PERIOD)) {
                values.put(field.field(), field.after());
            } else if (field.field().startsWith(RUN)
                    && field.before() instanceof Long first
                    && field.after() instanceof Long last) {
                found.addOf(
                        values.get(PERIOD), new Run(first, last, field.field().substring(RUN.length())));
            }
        }
        return Long.valueOf(found.runs).equals(values.get(COUNT)) ? Optional.of(found) : Optional.empty();
    }

    private void addOf(@Nullable Object period, Run run) {
        add(byPeriod.computeIfAbsent(String.valueOf(period), none -> new TreeMap<>()), run);
    }
}
