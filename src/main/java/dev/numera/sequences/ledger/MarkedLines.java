package dev.numera.sequences.ledger;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.Page;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.access.SequenceCalls;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the reserved and void numbers, and the current status of known numbers. Thread-safe; calls block for storage
 * requests, and throw {@link dev.numera.core.retry.StoreFailure}.
 */
final class MarkedLines {
    private final SequenceCalls calls;
    private final LedgerStore store;
    private final LedgerLines lines;

    MarkedLines(SequenceCalls calls, LedgerStore store, LedgerLines lines) {
        this.calls = calls;
        this.store = store;
        this.lines = lines;
    }

    /** Returns a page of the entries with a status; see {@link LedgerReader#read}. */
    Page<LedgerLine, LedgerPosition> read(
            SequenceCalls.SequenceCall call,
            LedgerFilter wanted,
            @Nullable LocalDate date,
            @Nullable LedgerPosition position,
            int limit) {
        Sequence known = call.recorded();
        String only = onlyPeriod(known, date);
        LedgerPosition start = position == null && only != null ? new LedgerPosition(only, wanted.from()) : position;
        return read(call, known, wanted, only, start, limit);
    }

    /**
     * Returns a page of the entries with the status of the filter, in ascending order.
     *
     * @param only the requested period; null for all periods
     */
    Page<LedgerLine, LedgerPosition> read(
            SequenceCalls.SequenceCall call,
            Sequence known,
            LedgerFilter wanted,
            @Nullable String only,
            @Nullable LedgerPosition start,
            int limit) {
        LedgerCursor<Allocation> marks = LedgerCursor.marked(call, store, known.name(), wanted, start);
        return page(known, marks, only, wanted, limit);
    }

    /** @param only the requested period; null for all periods */
    private Page<LedgerLine, LedgerPosition> page(
            Sequence known, LedgerCursor<Allocation> marks, @Nullable String only, LedgerFilter wanted, int limit) {
        List<LedgerLine> entries = new ArrayList<>();
        while (marks.hasNext()) {
            for (Allocation mark : marks.next(LedgerCursor.ROWS_AT_ONCE)) {
                if (!isOf(only, mark)) {
                    return new Page<>(entries, null);
                }
                if (wanted.holds(mark) && entries.size() == limit) {
                    return new Page<>(entries, wanted.at(mark));
                }
                if (wanted.holds(mark)) {
                    entries.add(lines.of(known, mark));
                }
            }
        }
        LedgerPosition next = marks.following()
                .filter(mark -> isOf(only, mark))
                .map(wanted::at)
                .orElse(null);
        return new Page<>(entries, next);
    }

    private static boolean isOf(@Nullable String only, Allocation mark) {
        return only == null || only.equals(mark.period());
    }

    /** Returns the only period to read; null for all periods. */
    private static @Nullable String onlyPeriod(Sequence known, @Nullable LocalDate date) {
        if (date != null) {
            return known.counter(date).period();
        }
        return known.fixed().isNeverReset() ? "" : null;
    }

    /**
     * Returns the same numbers with their current status. Sends one query for each run of numbers that lie close
     * together.
     *
     * @param numbers the numbers of keys
     */
    List<PrintedAllocation> present(SequenceName name, List<PrintedAllocation> numbers) {
        List<PrintedAllocation> inOrder = numbers.stream()
                .sorted(Comparator.comparing(MarkedLines::period).thenComparing(PrintedAllocation::highest))
                .toList();
        return calls.at(name, call -> {
            Map<LedgerPosition, Status> said = new HashMap<>();
            int end;
            for (int begin = 0; begin < inOrder.size(); begin = end) {
                PrintedAllocation first = inOrder.get(begin);
                end = endOfRun(inOrder, begin);
                CounterId id = new CounterId(name, period(first));
                said.putAll(
                        marked(call, id, first.highest(), inOrder.get(end - 1).highest()));
            }
            return numbers.stream().map(each -> each.with(status(each, said))).toList();
        });
    }

    private static String period(PrintedAllocation printed) {
        return Objects.requireNonNullElse(printed.period(), "");
    }

    /**
     * Returns the end of a run: the next numbers belong to another period, or are so far away that many other reserved
     * or void numbers may lie between.
     */
    private static int endOfRun(List<PrintedAllocation> inOrder, int begin) {
        int end = begin + 1;
        while (end < inOrder.size() && areNear(inOrder.get(end - 1), inOrder.get(end))) {
            end++;
        }
        return end;
    }

    private static boolean areNear(PrintedAllocation before, PrintedAllocation after) {
        return period(before).equals(period(after))
                && (after.highest() - before.highest()) / Math.abs(after.increment()) <= LedgerCursor.MAX_ROWS;
    }

    /** Returns the current status of numbers. Numbers without a mark are simply issued. */
    private static Status status(PrintedAllocation printed, Map<LedgerPosition, Status> said) {
        Status marked = said.get(new LedgerPosition(period(printed), printed.highest()));
        return marked != null ? marked : printed.status().isMarked() ? Status.SIMPLY_ISSUED : printed.status();
    }

    /**
     * Returns the entries, which are in ascending or descending order, with their current status. Sends one query for
     * the range of the page, which returns only the reserved and void numbers.
     */
    List<LedgerLine> withStatus(
            SequenceCalls.SequenceCall call, Sequence known, CounterId id, List<LedgerLine> entries) {
        if (entries.isEmpty() || !known.fixed().takesKeys()) {
            return entries;
        }
        long first = entries.get(0).highest();
        long last = entries.get(entries.size() - 1).highest();
        Map<LedgerPosition, Status> said = marked(call, id, Math.min(first, last), Math.max(first, last));
        return entries.stream()
                .map(entry -> {
                    Status marked = said.get(new LedgerPosition(entry.period(), entry.highest()));
                    return marked == null ? entry : entry.with(marked);
                })
                .toList();
    }

    /**
     * Returns the status of each reserved and void number, by its place in the ledger. A key would not identify it: a
     * caller may have sent the key in another Unicode form than the ledger stores.
     */
    private Map<LedgerPosition, Status> marked(SequenceCalls.SequenceCall call, CounterId id, long from, long to) {
        Map<LedgerPosition, Status> said = new HashMap<>();
        call.retry(() -> store.marked(id, from, to))
                .forEach(marked -> said.put(new LedgerPosition(marked.period(), marked.highest()), marked.status()));
        return said;
    }
}
