package dev.numera.sequences.lists;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.Series;
import dev.numera.core.problem.ProblemException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Collects samples, refused rows, the range and the missing numbers of a file that could be imported. Looks at the file
 * and the definition only, not at the ledger. Keeps one number for each row. Not thread-safe.
 */
public final class ImportSummary {
    private static final int SAMPLES = 3;
    private static final int SHOWN = 20;

    /** A row by its line in the file. */
    public record Line<T>(int line, T content) {}

    /** Missing numbers between two numbers of the file. The ends are in the direction of the series. */
    public record Gap(String period, long first, long last) {}

    private final Series series;
    private final NavigableMap<Integer, Allocation> samples = new TreeMap<>();
    private final NavigableMap<Integer, ProblemException> refused = new TreeMap<>();
    private final NavigableMap<String, NavigableSet<Long>> numbers = new TreeMap<>();
    private int refusedRows;
    private @Nullable Allocation first;
    private @Nullable Allocation last;
    private @Nullable LocalDate firstDate;
    private @Nullable LocalDate lastDate;

    ImportSummary(Series series) {
        this.series = series;
    }

    void add(int line, Allocation row) {
        keep(samples, line, row, SAMPLES);
        numbers.computeIfAbsent(row.period(), period -> new TreeSet<>(inDirection()))
                .add(row.first());
        first = first == null || isBefore(row, first) ? row : first;
        last = last == null || isBefore(last, row) ? row : last;
        firstDate = firstDate == null || row.date().isBefore(firstDate) ? row.date() : firstDate;
        lastDate = lastDate == null || row.date().isAfter(lastDate) ? row.date() : lastDate;
    }

    void refuse(int line, ProblemException problem) {
        refusedRows++;
        keep(refused, line, problem, SHOWN);
    }

    private static <T> void keep(NavigableMap<Integer, T> rows, int line, T row, int most) {
        rows.put(line, row);
        if (rows.size() > most) {
            rows.pollLastEntry();
        }
    }

    private Comparator<Long> inDirection() {
        return series.increment() > 0 ? Comparator.naturalOrder() : Comparator.reverseOrder();
    }

    private boolean isBefore(Allocation one, Allocation other) {
        int byPeriod = one.period().compareTo(other.period());
        return byPeriod < 0 || byPeriod == 0 && inDirection().compare(one.first(), other.first()) < 0;
    }

    /** Returns the first three rows of the file that can be imported. */
    public List<Line<Allocation>> samples() {
        return lines(samples);
    }

    /** Returns the number of rows that the definition refuses. */
    public int refusedRows() {
        return refusedRows;
    }

    /** Returns the first rows that the definition refuses, at most 20. */
    public List<Line<ProblemException>> refused() {
        return lines(refused);
    }

    private static <T> List<Line<T>> lines(Map<Integer, T> rows) {
        return rows.entrySet().stream()
                .map(row -> new Line<>(row.getKey(), row.getValue()))
                .toList();
    }

    /** Returns how many different numbers the file has. */
    public int distinctNumbers() {
        return numbers.values().stream().mapToInt(NavigableSet::size).sum();
    }

    /** Returns the ranges that the file lacks between its own numbers, by period. */
    public List<Gap> gaps() {
        List<Gap> gaps = new ArrayList<>();
        numbers.forEach((period, present) -> {
            Long before = null;
            for (Long number : present) {
                if (before != null && number != before + series.increment()) {
                    gaps.add(new Gap(period, before + series.increment(), number - series.increment()));
                }
                before = number;
            }
        });
        return gaps;
    }

    /** Returns the first row in the order of the series; null if no row can be imported. */
    public @Nullable Allocation first() {
        return first;
    }

    /** Returns the last row in the order of the series; null if no row can be imported. */
    public @Nullable Allocation last() {
        return last;
    }

    /** Returns the earliest date; null if no row can be imported. */
    public @Nullable LocalDate firstDate() {
        return firstDate;
    }

    /** Returns the latest date; null if no row can be imported. */
    public @Nullable LocalDate lastDate() {
        return lastDate;
    }
}
