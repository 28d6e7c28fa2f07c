package dev.numera.core.counter;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.PassingImport;
import dev.numera.core.model.Series;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The ledger rows that one write adds for imported numbers, in the order of numbers: rows for consecutive imported
 * numbers, and rows for the rest of the passed-over ranges that contained them. Not thread-safe.
 *
 * <p>Example: the ledger has a row "10 to 19 passed over", and 12 and 13 are imported. The write adds the rows "10 to
 * 11 passed over" and "12 to 13 imported", and shortens the old row to "14 to 19 passed over".
 */
final class ImportedRows {
    private final Series series;
    private final long step;
    private final boolean isUpwards;
    private final Change change;
    private final NavigableMap<Long, Allocation> taken;
    private final Instant now;
    private final List<LedgerRow> runs = new ArrayList<>();
    private final List<LedgerRow> passed = new ArrayList<>();
    private final List<LedgerRow> removed = new ArrayList<>();
    private final List<Allocation> run = new ArrayList<>();
    private int units;
    private @Nullable LedgerRow gap;
    /** Whether another row replaces the stored row of the gap. */
    private boolean isReplaced;
    /** The lowest number of the gap that no new row contains yet. */
    private long rest;

    /** @param taken the numbers of the write; {@link #add} gets them one by one in ascending order */
    ImportedRows(Series series, Change change, NavigableMap<Long, Allocation> taken, Instant now) {
        this.series = series;
        this.step = Math.abs(series.increment());
        this.isUpwards = series.increment() > 0;
        this.change = change;
        this.taken = taken;
        this.now = now;
    }

    static ChangeNote note(Change change, PassingImport passing) {
        return new ChangeNote(change.note().actor(), passing.reason());
    }

    void add(long number, Allocation allocation, @Nullable LedgerRow ofNumber) {
        if (gap == null ? ofNumber != null : !gap.equals(ofNumber)) {
            endGap();
            gap = ofNumber;
            isReplaced = false;
            rest = ofNumber == null ? 0 : lowest(ofNumber);
        }
        int unitsOfKey = NumberRequest.ledgerUnits(String.valueOf(allocation.key()));
        boolean goesOn = !run.isEmpty()
                && run.get(run.size() - 1).first() == number - step
                && run.get(0).formatRevision() == allocation.formatRevision()
                && units + unitsOfKey <= WriteLimits.LEDGER_UNITS;
        if (!goesOn) {
            endRun();
        }
        if (gap != null && rest < number) {
            pass(gap, rest, number - step);
        }
        rest = number + step;
        run.add(allocation);
        units += unitsOfKey;
    }

    List<LedgerRow> all() {
        return Stream.concat(runs.stream(), passed.stream()).toList();
    }

    /** The stored rows to delete, because none of their numbers remain. */
    List<LedgerRow> removed() {
        return removed;
    }

    /**
     * The number of operations that these rows take in the transaction, including the change-log entry and the rows by
     * key.
     */
    int operations() {
        int keyed = runs.stream()
                .flatMap(row -> row.allocations().stream())
                .mapToInt(Allocation::rows)
                .sum();
        return 1 + keyed + runs.size() + passed.size() + removed.size();
    }

    void endGap() {
        endRun();
        if (gap == null) {
            return;
        }
        if (rest <= gap.highest()) {
            pass(gap, rest, gap.highest());
        }
        if (gap.version() != null && !isReplaced) {
            removed.add(gap);
        }
        gap = null;
    }

    private void endRun() {
        if (run.isEmpty()) {
            return;
        }
        List<Allocation> inOrder = new ArrayList<>(run);
        if (!isUpwards) {
            Collections.reverse(inOrder);
        }
        runs.add(LedgerRow.of(inOrder, now, versionAt(run.get(run.size() - 1).first())));
        run.clear();
        units = 0;
    }

    private void pass(LedgerRow of, long lowest, long highest) {
        isReplaced |= highest == of.highest();
        LedgerRow part = of.part(lowest, highest);
        PassingImport passing = of.passing();
        boolean isLeftOut = passing != null
                && passing.isBefore()
                && passing.id().equals(change.position().id())
                && !isBefore(lowest, highest);
        passed.add(isLeftOut ? leftOut(part) : part);
    }

    private LedgerRow leftOut(LedgerRow part) {
        PassingImport passing = new PassingImport(change.position().id(), false);
        return LedgerRow.passed(
                part.first(), part.last(), part.allocatedAt(), note(change, passing), passing, part.version());
    }

    /** The lowest number of the series in a row. The row itself may start between two numbers of the series. */
    private long lowest(LedgerRow row) {
        return row.lowest() + Math.floorMod(series.start() - row.lowest(), step);
    }

    private @Nullable String versionAt(long highest) {
        if (gap == null || gap.highest() != highest) {
            return null;
        }
        isReplaced = true;
        return gap.version();
    }

    /**
     * Whether a range lies before the first number that this import has in its period. Such numbers do not count as
     * left out.
     */
    private boolean isBefore(long lowest, long highest) {
        return isUpwards ? taken.lowerKey(lowest) == null : taken.higherKey(highest) == null;
    }
}
