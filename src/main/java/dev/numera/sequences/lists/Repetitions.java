package dev.numera.sequences.lists;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.Repetition;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntUnaryOperator;

/**
 * Finds the rows of a file that are equal to an earlier row or contradict another one. Keeps only the places of rows in
 * memory, because a file can have 100,000 rows. Not thread-safe.
 */
final class Repetitions {
    /**
     * A row in the form that is compared.
     *
     * @param number the allocation that the ledger would store
     */
    record Row(ImportedNumber stated, Allocation number) {
        /** Whether both rows state the same about one document. A number and its text state the same. */
        private boolean isEqual(Row other) {
            return isOfNumber(other)
                    && Objects.equals(stated.date(), other.stated.date())
                    && stated.statedStatus() == other.stated.statedStatus()
                    && Objects.equals(stated.reason(), other.stated.reason())
                    && (stated.text() == null
                            || other.stated.text() == null
                            || stated.text().equals(other.stated.text()));
        }

        private boolean isOfNumber(Row other) {
            return number.first() == other.number.first() && number.period().equals(other.number.period());
        }
    }

    /** Reads a row of the file by its place, to compare it a second time. */
    interface Rows {
        Row row(int place);
    }

    private final Rows rows;
    private final IntUnaryOperator lines;
    private final Map<String, Integer> byKey = new HashMap<>();
    private final Map<String, Map<Long, Integer>> byPeriodAndNumber = new HashMap<>();
    private final Map<Integer, Repetition> contradictions = new HashMap<>();
    /** The place of the first of several equal rows, by the place of each later row. */
    private final Map<Integer, Integer> equal = new HashMap<>();

    /**
     * @param rows the added rows, by place
     * @param lines the line of each place
     */
    Repetitions(Rows rows, IntUnaryOperator lines) {
        this.rows = rows;
        this.lines = lines;
    }

    /** Adds a row. Callers add the rows in the order of the file. */
    void add(int place, Row row) {
        Integer ofKey = byKey.putIfAbsent(row.stated().key(), place);
        if (ofKey != null) {
            if (rows.row(ofKey).isEqual(row)) {
                equal.put(place, ofKey);
                return;
            }
            contradict(Repetition.Kind.SAME_KEY, place, ofKey);
        }
        Integer ofNumber = byPeriodAndNumber
                .computeIfAbsent(row.number().period(), period -> new HashMap<>())
                .putIfAbsent(row.number().first(), place);
        if (ofNumber != null
                && !rows.row(ofNumber).stated().key().equals(row.stated().key())) {
            contradict(Repetition.Kind.SAME_NUMBER, place, ofNumber);
        }
    }

    private void contradict(Repetition.Kind kind, int later, int earlier) {
        contradictions.putIfAbsent(later, new Repetition(kind, lines.applyAsInt(earlier)));
        contradictions.putIfAbsent(earlier, new Repetition(kind, lines.applyAsInt(later)));
    }

    /**
     * Returns the repetitions by the places of their rows. A row that is equal to a contradicted row is also
     * contradicted.
     */
    Map<Integer, Repetition> found() {
        Map<Integer, Repetition> found = new HashMap<>(contradictions);
        equal.forEach((place, first) -> found.put(
                place,
                Objects.requireNonNullElseGet(
                        contradictions.get(first),
                        () -> new Repetition(Repetition.Kind.EQUAL, lines.applyAsInt(first)))));
        return found;
    }
}
