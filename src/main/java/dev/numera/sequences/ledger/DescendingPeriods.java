package dev.numera.sequences.ledger;

import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Sequence;
import dev.numera.core.problem.Result;
import dev.numera.sequences.access.CounterReader;
import dev.numera.sequences.access.SequenceCalls;
import java.time.LocalDate;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Lists the periods of a sequence that have a counter, the last one first. Reads all periods at once, and of daily ones
 * {@value #DAYS} days. Not thread-safe; {@link #next} blocks for storage requests.
 */
final class DescendingPeriods {
    /** The counters that one storage request returns. */
    private static final int COUNTERS = 1_000;
    /** The days that are read first. One request usually returns all of their counters. */
    private static final int DAYS = 600;

    private static final int GROWTH = 8;
    private static final LocalDate FIRST_DAY = LocalDate.of(1, 1, 1);
    private static final int DAY_LENGTH = 10;

    /** The first requested period, and the last one; null for no bound. */
    record Bounds(String first, @Nullable String last) {
        boolean isOne() {
            return first.equals(last);
        }
    }

    private final CounterReader reader;
    private final SequenceCalls.SequenceCall call;
    private final Sequence known;
    private final RequestBudget requests;
    private final Bounds bounds;
    private final NavigableMap<String, Result<CounterState>> counters = new TreeMap<>();
    /** The first period that was read; null before the first request. */
    private @Nullable String read;
    /** The first day that was read. */
    private LocalDate day;

    private long days = DAYS;

    /** @param today from which the search starts if there is no last period */
    DescendingPeriods(
            CounterReader reader,
            SequenceCalls.SequenceCall call,
            Sequence known,
            RequestBudget requests,
            Bounds bounds,
            LocalDate today) {
        this.reader = reader;
        this.call = call;
        this.known = known;
        this.requests = requests;
        this.bounds = bounds;
        this.day =
                bounds.last() != null && bounds.last().length() == DAY_LENGTH ? LocalDate.parse(bounds.last()) : today;
    }

    /** Removes and returns the last remaining period with its counter; null if none remains. */
    Map.@Nullable Entry<String, Result<CounterState>> next() {
        while (counters.isEmpty() && !bounds.first().equals(read) && requests.hasLeft()) {
            readBefore();
        }
        return counters.pollLastEntry();
    }

    /** Returns a period from which the rest can be read later; null if none remains. */
    @Nullable
    String rest() {
        if (!counters.isEmpty()) {
            return counters.lastKey();
        }
        return bounds.first().equals(read) ? null : period(day.minusDays(1));
    }

    private void readBefore() {
        String before = read;
        read = firstToRead();
        String from = read;
        while (from != null && (before == null || from.compareTo(before) < 0)) {
            requests.count();
            NavigableMap<String, Result<CounterState>> some =
                    reader.from(call, known, from, bounds.isOne() ? 1 : COUNTERS);
            counters.putAll(before == null ? some : some.headMap(before, false));
            from = some.size() < COUNTERS || isBeyond(some.lastKey()) ? null : some.lastKey();
        }
        if (bounds.last() != null) {
            counters.tailMap(bounds.last(), false).clear();
        }
    }

    private boolean isBeyond(String period) {
        return bounds.last() != null && period.compareTo(bounds.last()) > 0;
    }

    private String firstToRead() {
        if (!isDaily() || bounds.isOne()) {
            return bounds.first();
        }
        day = LocalDate.ofEpochDay(Math.max(FIRST_DAY.toEpochDay(), day.toEpochDay() - days));
        days *= GROWTH;
        String first = period(day);
        return first.compareTo(bounds.first()) <= 0 || day.equals(FIRST_DAY) ? bounds.first() : first;
    }

    private String period(LocalDate date) {
        return known.counter(date).period();
    }

    private boolean isDaily() {
        return known.fixed().resetEvery() == ResetEvery.DAY;
    }
}
