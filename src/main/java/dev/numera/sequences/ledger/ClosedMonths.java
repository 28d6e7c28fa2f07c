package dev.numera.sequences.ledger;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Page;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Series;
import dev.numera.core.model.Status;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Clock;
import dev.numera.sequences.access.CounterReader;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.SequenceCalls;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Judges the last twelve months of a sequence that has a closing: whether each is recorded, and whether it has changed
 * since. Thread-safe; a call blocks for at most {@value #MAX_PAGES} + 3 storage requests, and throws
 * {@link dev.numera.core.retry.StoreFailure}.
 */
public final class ClosedMonths {
    private static final int MONTHS = 12;
    private static final int CLOSINGS_AT_ONCE = 20;
    private static final int MAX_PAGES = 10;
    /** The most counters that one request reads: more than there are days in the judged months and the present one. */
    private static final int MAX_COUNTERS = (MONTHS + 1) * 31;
    /** A change this long before a closing may not have been counted by the closing. */
    private static final Duration EARLY = Duration.ofMinutes(3);

    /** The ways in which a month is not recorded as it is now. */
    public enum MonthVerdict {
        /** No closing covers the month. */
        OPEN,
        /** Numbers of the month were added, or changed status, since it was recorded. */
        CHANGED,
        /** The judgment needs a scan, or a closing that cannot be read. */
        NOT_JUDGED
    }

    /**
     * A month that is not recorded as it is now.
     *
     * @param numbers how many numbers changed; null unless changed
     * @param closedAt when the month was recorded; null if it was not
     */
    public record Month(YearMonth month, MonthVerdict verdict, @Nullable Long numbers, @Nullable Instant closedAt) {}

    /** The months that are recorded, each with the latest closing that covers it. */
    private record Recorded(NavigableMap<YearMonth, Closing> closings, boolean isComplete) {}

    private final DefinitionStore definitions;
    private final LedgerStore store;
    private final CounterReader reader;
    private final Clock time;

    public ClosedMonths(DefinitionStore definitions, LedgerStore store, CounterReader reader, Clock time) {
        this.definitions = definitions;
        this.store = store;
        this.reader = reader;
        this.time = time;
    }

    /**
     * Returns the months before the present one that are not recorded as they are now; none without any closing. After
     * the month of its retirement a sequence allocates no numbers, so no closing is missing.
     */
    public List<Month> judge(SequenceCalls.SequenceCall call, Sequence known) {
        if (call.retry(() -> definitions.closingsFrom(known.name(), null, 1))
                .items()
                .isEmpty()) {
            return List.of();
        }
        YearMonth present = YearMonth.from(known.fixed().day(time.now()));
        YearMonth oldest = present.minusMonths(MONTHS);
        Recorded recorded = recorded(call, known, oldest, present);
        YearMonth first = first(call, known, recorded).filter(oldest::isBefore).orElse(oldest);
        List<Month> months = new ArrayList<>();
        YearMonth end = Optional.ofNullable(known.retiredAt())
                .map(at -> YearMonth.from(known.fixed().day(at)).plusMonths(1))
                .filter(present::isAfter)
                .orElse(present);
        for (YearMonth month = first; month.isBefore(end); month = month.plusMonths(1)) {
            if (!recorded.closings().containsKey(month)) {
                months.add(new Month(
                        month, recorded.isComplete() ? MonthVerdict.OPEN : MonthVerdict.NOT_JUDGED, null, null));
            }
        }
        if (!recorded.closings().isEmpty()) {
            months.addAll(changed(call, known, recorded));
        }
        months.sort(Comparator.comparing(Month::month));
        return months;
    }

    private Recorded recorded(SequenceCalls.SequenceCall call, Sequence known, YearMonth oldest, YearMonth present) {
        NavigableMap<YearMonth, Closing> closings = new TreeMap<>();
        boolean isComplete = true;
        Change.Position position = new Change.Position(
                oldest.atDay(1).atStartOfDay(ZoneOffset.UTC).minusDays(1).toInstant(), "");
        for (int pages = 0; position != null && pages < MAX_PAGES; pages++) {
            Change.Position start = position;
            Page<Result<Change>, Change.Position> page =
                    call.retry(() -> definitions.closingsFrom(known.name(), start, CLOSINGS_AT_ONCE));
            for (Result<Change> change : page.items()) {
                isComplete &= !change.isRefused();
                if (!change.isRefused()) {
                    Closing closing = new Closing(change.orThrow());
                    for (YearMonth month = oldest; month.isBefore(present); month = month.plusMonths(1)) {
                        if (closing.covers(month.atDay(1), month.atEndOfMonth())) {
                            closings.put(month, closing);
                        }
                    }
                }
            }
            position = page.next();
        }
        return new Recorded(closings, isComplete && position == null);
    }

    /** Returns the month of the first number, or of the first closing if that is earlier; empty if unknown. */
    private Optional<YearMonth> first(SequenceCalls.SequenceCall call, Sequence known, Recorded recorded) {
        return firstAllocatedAt(reader.from(call, known, "", MAX_COUNTERS).values())
                .map(at -> YearMonth.from(known.fixed().day(at)))
                .map(month -> {
                    boolean isEarlier = !recorded.closings().isEmpty()
                            && recorded.closings().firstKey().isBefore(month);
                    return isEarlier ? recorded.closings().firstKey() : month;
                });
    }

    /**
     * Returns the time of the first number; empty if it is unknown. The counter of the earliest period does not always
     * show it: a late number may have opened that period last, or an advance may have opened it without a number.
     */
    private static Optional<Instant> firstAllocatedAt(Collection<Result<CounterState>> counters) {
        boolean isUnknown = counters.size() == MAX_COUNTERS
                || counters.stream()
                        .anyMatch(counter -> counter.isRefused()
                                || counter.orThrow().allocated() > 0
                                        && counter.orThrow().firstAllocatedAt() == null);
        return isUnknown
                ? Optional.empty()
                : counters.stream()
                        .map(counter -> counter.orThrow().firstAllocatedAt())
                        .filter(Objects::nonNull)
                        .min(Comparator.naturalOrder());
    }

    /**
     * Returns the recorded months with changed numbers. Sends one request for the rows that were written since the
     * oldest closing. If the storage service needs more, no month is judged.
     */
    private List<Month> changed(SequenceCalls.SequenceCall call, Sequence known, Recorded recorded) {
        NavigableMap<YearMonth, Closing> closings = recorded.closings();
        Optional<Instant> since = closings.values().stream()
                .map(closing -> closing.checkedAt().orElse(Instant.EPOCH))
                .min(Comparator.naturalOrder());
        LedgerFilter dates = new LedgerFilter(
                -Series.LARGEST_VALUE,
                Series.LARGEST_VALUE,
                closings.firstKey().atDay(1),
                closings.lastKey().atEndOfMonth(),
                null);
        Page<Allocation, String> written = call.retry(
                () -> store.writtenSince(known.name(), since.orElseThrow().minus(EARLY), dates, null));
        List<Month> months = new ArrayList<>();
        closings.forEach((month, closing) -> {
            if (written.next() != null || closing.checkedAt().isEmpty()) {
                months.add(new Month(
                        month,
                        MonthVerdict.NOT_JUDGED,
                        null,
                        closing.change().position().at()));
                return;
            }
            long numbers =
                    changed(month, closing, written.items(), known.fixed().increment());
            if (numbers > 0) {
                months.add(new Month(
                        month,
                        MonthVerdict.CHANGED,
                        numbers,
                        closing.change().position().at()));
            }
        });
        return months;
    }

    /** Returns how many numbers of a month differ from its closing. */
    private static long changed(YearMonth month, Closing closing, List<Allocation> written, long increment) {
        Optional<ClosedRuns> runs = closing.runs();
        Instant since = closing.checkedAt().orElseThrow().minus(EARLY);
        long changed = 0;
        for (Allocation allocation : written) {
            LocalDate date = allocation.date();
            if (!YearMonth.from(date).equals(month)) {
                continue;
            }
            if (runs.isPresent()) {
                changed += differing(runs.get(), allocation, increment);
            } else if (!allocation.changedAt().isBefore(since)
                    && !closing.hasSeen(allocation.status(), allocation.period(), allocation.first())) {
                changed += allocation.count();
            }
        }
        return changed;
    }

    private static long differing(ClosedRuns runs, Allocation allocation, long increment) {
        Status.Kind status = allocation.status().kind();
        return LongStream.range(0, allocation.count())
                .filter(i -> runs.isOther(allocation.period(), allocation.first() + i * increment, status))
                .count();
    }
}
