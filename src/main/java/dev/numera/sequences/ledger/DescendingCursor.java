package dev.numera.sequences.ledger;

import dev.numera.core.model.Series;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows of one period from the greatest number down. Storage lists rows only in ascending order, so the cursor
 * reads one window of numbers after the other. A window is as wide as the rows before it suggest: sixteen times wider
 * after an empty one, and at most half as wide after one with too many rows. Each user runs the same loop: while
 * {@link #hasNext}, call {@link #next}. Afterwards {@link #position} is the start of the next page. Not thread-safe;
 * each call blocks for at most two requests to storage.
 *
 * @param <R> a row with a range of numbers; the ranges do not overlap
 */
final class DescendingCursor<R> {
    /** The end of all rows: an advance of an earlier release ends up to one increment beyond the largest number. */
    private static final long TOP = Series.LARGEST_VALUE + Series.LARGEST_INCREMENT;
    /** The numbers in a narrow window, which has at most one row for each number. */
    private static final int FEW_NUMBERS = 990;
    /** The rows that a narrow window may have in addition. */
    private static final int SPARE_ROWS = 10;
    /** The most rows of a wider window. A row may have as many entries as fit a transaction. */
    private static final int ROWS_OF_WIDE = LedgerCursor.ROWS_AT_ONCE;

    private static final int GROWTH = 16;
    /** The share of the bound of rows that a window aims at, because the next rows may be denser. */
    private static final double ALMOST = 0.9;

    private static final long NO_CROWD = Long.MIN_VALUE;

    /** Returns the first rows whose highest number is in a range, in ascending order, with one request. */
    interface Source<R> {
        List<R> between(long from, long to, int limit);
    }

    /** The measures of a row: its least and greatest number, and how many entries it has. */
    record Measures<R>(ToLongFunction<R> lowest, ToLongFunction<R> highest, ToIntFunction<R> entries) {}

    private final Source<R> source;
    private final Measures<R> measures;
    /** The width of a window with at most {@value #FEW_NUMBERS} numbers of the series. */
    private final long narrow;

    private final long start;
    private final @Nullable Long counter;
    private final long increment;
    private final long usualLeast;
    private boolean isAtTop = true;
    /** The least number that a row can reach. Rises once the last row is known. */
    private long least;

    private boolean isLeastKnown;
    /** The cursor has returned every row whose numbers are all greater. */
    private long greatest;

    private long width;
    /** Entries of each number in the last window with entries; 0 before. */
    private double density;

    private double eagerness = 1;
    /** A number at or below which a window had too many rows. */
    private long crowd = NO_CROWD;

    private int rowsRead;

    /** The series of a period: its next number, null if unknown; its increment, and its usual least number. */
    record Numbers(@Nullable Long next, long increment, long least) {}

    /**
     * @param from the cursor ends with the last row that reaches this number
     * @param start the cursor starts with the row that contains this number, or with the one below
     */
    DescendingCursor(Source<R> source, Measures<R> measures, Numbers series, long from, long start) {
        this.source = source;
        this.measures = measures;
        this.counter = series.next();
        this.increment = series.increment();
        this.usualLeast = series.least();
        this.least = from;
        this.start = start;
        this.greatest = start;
        this.narrow = FEW_NUMBERS * increment;
        this.width = narrow;
    }

    /** Whether the period may have more rows, and the page may read them. */
    boolean hasNext() {
        return isAtTop || greatest >= least && rowsRead < LedgerCursor.MAX_ROWS;
    }

    /**
     * Reads the rows of the next window, the greatest numbers first. The window may be empty although others follow.
     *
     * @param wanted how many entries the page still needs; at least 1
     */
    List<R> next(int wanted) {
        if (!isAtTop) {
            return window(greatest, wanted);
        }
        isAtTop = false;
        width = narrow / FEW_NUMBERS * Math.min(wanted, FEW_NUMBERS);
        if (counter != null && counter <= start) {
            greatest = counter - 1;
            List<R> rows = window(TOP, wanted);
            if (!isCrowded()) {
                return rows;
            }
            // A restore can leave many rows beyond the counter. The search then starts at the requested number.
            greatest = start;
        }
        return consumed(source.between(start, TOP, 1), start - 1);
    }

    private List<R> window(long to, int wanted) {
        long width = Math.max(1, Math.min(Math.min(this.width, enoughFor(wanted)), greatest - least + 1));
        long from = Math.max(least, greatest - width + 1);
        if (from <= usualLeast && greatest >= usualLeast && !isCrowded()) {
            from = least;
        }
        int limit = width <= narrow ? (int) (width / increment) + SPARE_ROWS : ROWS_OF_WIDE;
        List<R> rows = source.between(from, to, limit);
        if (rows.size() == limit && highestOf(rows) < to) {
            crowd = highestOf(rows);
            this.width = Math.max(1, Math.max((greatest - crowd) / 2, Math.min(narrow, width / 2)));
            return List.of();
        }
        if (rows.isEmpty()) {
            findLast();
        }
        learn(width, rows);
        return consumed(rows, from - 1);
    }

    private boolean isCrowded() {
        return crowd != NO_CROWD;
    }

    /** Returns the rows in descending order. Rows that reach below their window are not read again. */
    private List<R> consumed(List<R> rows, long below) {
        rowsRead += rows.size();
        greatest = rows.isEmpty() ? below : Math.min(below, measures.lowest().applyAsLong(rows.get(0)) - 1);
        List<R> descending = new ArrayList<>(rows);
        Collections.reverse(descending);
        return descending;
    }

    /** Returns a width that has the wanted entries if they are as dense as so far, and more with each window. */
    private long enoughFor(int wanted) {
        double numbers = (wanted + wanted / 4 + SPARE_ROWS) * eagerness / density;
        eagerness *= 2;
        return Math.max(1, (long) Math.min(numbers, Series.LARGEST_VALUE));
    }

    /** Sets the greatest width of the next window. */
    private void learn(long width, List<R> rows) {
        double next = (double) width * GROWTH;
        if (!rows.isEmpty()) {
            int entries = rows.stream().mapToInt(measures.entries()).sum();
            density = (double) entries / width;
            next = Math.max((double) narrow, Math.min(next, (double) width * ROWS_OF_WIDE / rows.size() * ALMOST));
        } else if (crowd >= least && crowd < greatest) {
            next = Math.max((double) narrow, Math.min(next, (greatest - crowd) / 2.0));
        }
        this.width = (long) Math.min(next, Series.LARGEST_VALUE);
    }

    /** Finds the last row, so that no request searches below it. */
    private void findLast() {
        if (!isLeastKnown) {
            isLeastKnown = true;
            List<R> last = source.between(least, greatest, 1);
            least = last.isEmpty() ? greatest + 1 : highestOf(last);
        }
    }

    private long highestOf(List<R> rows) {
        return measures.highest().applyAsLong(rows.get(rows.size() - 1));
    }

    /** Returns the number at which the next page starts; null at the end of the period. */
    @Nullable
    Long position() {
        if (greatest >= least) {
            findLast();
        }
        return greatest >= least ? (Long) greatest : null;
    }
}
