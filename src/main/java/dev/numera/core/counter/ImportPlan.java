package dev.numera.core.counter;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.DefinitionChangedException;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.PassingImport;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Series;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Plans one write of an import: the leading numbers that fit, after proving that each is free. A number is imported
 * only if the sequence can prove that it never allocated the number. Example: a sequence started at 100 and its next
 * number is 200. Number 250 is imported, because the counter has not reached it. Number 50 is imported, because the
 * sequence started later. Number 150 is imported only if the ledger says that it was passed over, for example by an
 * advance.
 *
 * <p>The proof holds for one state of the counter and the ledger rows that were read after it. Every change of the
 * ledger also changes the counter, and the write is conditioned on the counter's version. Makes one plan; not
 * thread-safe.
 *
 * <p>Decision: {@code docs/decisions/an-import-proves-that-a-number-is-free.md}.
 */
final class ImportPlan {
    /** The operations for the counter and for the definition's mark. */
    private static final int OPERATIONS_BESIDE = 2;

    private static final int LEDGER_ROWS_AT_ONCE = 20;

    private final Versioned<CounterState> base;
    private final CounterState state;
    private final Sequence definition;
    private final Series series;
    private final boolean isUpwards;
    private final Change change;
    private final NavigableMap<Long, LedgerRow> byNumber;
    private final Instant now;
    private final NavigableMap<Long, Allocation> taken = new TreeMap<>();
    private final Map<String, Allocation> takenByKey = new HashMap<>();

    /** @param byNumber the ledger rows that contain any of the numbers, by their highest numbers */
    ImportPlan(
            Versioned<CounterState> base,
            Sequence definition,
            Change change,
            NavigableMap<Long, LedgerRow> byNumber,
            Instant now) {
        this.base = base;
        this.state = base.value();
        this.definition = definition;
        this.series = definition.series();
        this.isUpwards = series.increment() > 0;
        this.change = change;
        this.byNumber = byNumber;
        this.now = now;
    }

    /**
     * Plans a write of the leading numbers that fit; the rest gets the next write. Numbers that may not be imported are
     * refused only after the write has won, because another number of the same write may be the reason.
     *
     * @param slots each with a {@link CounterRequest.Import}
     * @param byKey the ledger's answers for keys, at least for {@link #uncertainKeys}. If the ledger has another one of
     *     the keys, its row refuses the write
     * @throws DefinitionChangedException a number is meant for another definition than the present one
     */
    Plan plan(CounterId id, String operationId, List<WaitingCall.Slot> slots, Map<String, Result<Allocation>> byKey) {
        List<Plan.Settled> shares = new ArrayList<>();
        ImportedRows rows = rows();
        for (WaitingCall.Slot slot : slots) {
            // An imported number gets the time of the write, like the rest of the write.
            CounterRequest.Import request = (CounterRequest.Import) slot.request;
            Allocation number = request.number().at(now);
            Result<Allocation> known = WaitingCall.known(request.keyForms(), byKey);
            Result<CounterOutcome> result = judged(request, number, known);
            if (!result.isRefused() && isNew(number, known)) {
                take(number);
                ImportedRows more = rows();
                if (more.operations() > WriteLimits.OPERATIONS - OPERATIONS_BESIDE) {
                    leave(number);
                    break;
                }
                rows = more;
            }
            shares.add(new Plan.Settled(slot, result));
        }
        if (taken.isEmpty()) {
            return Plan.nothing(base, shares, List.of(), List.of(), definition);
        }
        Transaction write =
                Transaction.on(id, base, definition, after(operationId), rows.all(), rows.removed(), change, List.of());
        return new Plan(base, definition, write, shares, List.of(), List.of());
    }

    /**
     * Returns the answers that a write of these numbers would get, in any quantity.
     *
     * @param byKey the ledger's answers for all keys
     */
    List<Result<CounterOutcome>> dryRun(List<CounterRequest.Import> requests, Map<String, Result<Allocation>> byKey) {
        List<Result<CounterOutcome>> results = new ArrayList<>();
        for (CounterRequest.Import request : requests) {
            Allocation number = request.number();
            Result<Allocation> known = WaitingCall.known(request.keyForms(), byKey);
            Result<CounterOutcome> result = judged(request, number, known);
            if (!result.isRefused() && isNew(number, known)) {
                take(number);
            }
            results.add(result);
        }
        return results;
    }

    /**
     * Returns the keys that must be looked up before a write, because the answer depends on the ledger's: the number is
     * not free, perhaps because the key has it; the key may be stored in another Unicode form; or another row of the
     * file contradicts this one. Any other key is inserted without a look-up.
     */
    List<String> uncertainKeys(List<CounterRequest.Import> requests) {
        return keys(requests.stream()
                .filter(request -> request.contradiction() != null
                        || request.hasKeyForms()
                        || !isFree(request.number().first()))
                .toList());
    }

    /** Returns every form of the keys in these requests, each once, to be looked up in the ledger. */
    static List<String> keys(List<CounterRequest.Import> requests) {
        return requests.stream()
                .flatMap(request -> request.keyForms().stream())
                .distinct()
                .toList();
    }

    /** Reads the ledger rows that contain any of these numbers, by their highest numbers; may include other rows. */
    static NavigableMap<Long, LedgerRow> rows(CounterStore store, CounterId id, List<CounterRequest.Import> requests) {
        NavigableMap<Long, LedgerRow> rows = new TreeMap<>();
        long[] ascending = requests.stream()
                .mapToLong(request -> request.number().first())
                .sorted()
                .toArray();
        long known = Long.MIN_VALUE;
        for (long number : ascending) {
            if (number > known) {
                List<LedgerRow> found = store.rowsFrom(id, number, LEDGER_ROWS_AT_ONCE);
                found.forEach(row -> rows.put(row.highest(), row));
                known = found.size() < LEDGER_ROWS_AT_ONCE
                        ? Long.MAX_VALUE
                        : found.get(found.size() - 1).highest();
            }
        }
        return rows;
    }

    private void take(Allocation number) {
        taken.put(number.first(), number);
        takenByKey.put(number.key(), number);
    }

    private void leave(Allocation number) {
        taken.remove(number.first());
        takenByKey.remove(number.key());
    }

    private boolean isNew(Allocation number, @Nullable Result<Allocation> known) {
        return known == null && !takenByKey.containsKey(number.key());
    }

    /**
     * Returns the answer for one number, before the write.
     *
     * @param number the number in the request, at the time of the write
     * @param known the ledger's answer for the key; null if the ledger does not contain the key
     */
    private Result<CounterOutcome> judged(
            CounterRequest.Import request, Allocation number, @Nullable Result<Allocation> known) {
        if (request.contradiction() != null && (known == null || !isThere(request, known))) {
            return Result.refused(request.contradiction());
        }
        if (known != null) {
            return known.isRefused() ? Result.refused(known.refusal()) : sameKey(request, known.orThrow());
        }
        Allocation ofThisWrite = takenByKey.get(number.key());
        if (ofThisWrite != null) {
            return sameKey(request, ofThisWrite, ofThisWrite.asReplay());
        }
        if (taken.containsKey(number.first())) {
            return Result.refused(isTaken(number, taken.get(number.first()).key()));
        }
        if (!isFree(number.first())) {
            LedgerRow row = rowOf(number.first());
            return Result.refused(isTaken(number, row == null ? null : holder(row, number.first())));
        }
        if (!series.isMember(number.first()) || !definition.texts().canWrite(number)) {
            throw new DefinitionChangedException();
        }
        return Result.of(number);
    }

    /**
     * Whether the key has this number in the ledger already. Also true if the ledger row cannot be read, so that the
     * answer reports the unreadable row.
     */
    private static boolean isThere(CounterRequest.Import request, Result<Allocation> known) {
        return known.isRefused() || request.mismatch(known.orThrow()).isEmpty();
    }

    private Result<CounterOutcome> sameKey(CounterRequest.Import request, Allocation earlier) {
        return sameKey(request, earlier, change.hasImported(earlier) ? earlier.asFirst() : earlier);
    }

    /** @param replay the earlier allocation, as the answer shows it if the request is the same */
    private static Result<CounterOutcome> sameKey(
            CounterRequest.Import request, Allocation earlier, Allocation replay) {
        return Result.<CounterOutcome>of(replay).unless(same -> request.mismatch(earlier));
    }

    private static ProblemException isTaken(Allocation number, @Nullable String key) {
        return key == null
                ? new ProblemException(
                        ProblemType.NUMBER_TAKEN,
                        "The sequence may have allocated " + number.first()
                                + " itself: nothing in its ledger proves that it did not.")
                : new ProblemException(
                        ProblemType.NUMBER_TAKEN,
                        "The number " + number.first()
                                + (number.period().isEmpty() ? "" : " of the period " + number.period())
                                + " belongs to the key '" + key + "'.",
                        Map.of("key", key));
    }

    private boolean isFree(long number) {
        LedgerRow row = rowOf(number);
        return row == null ? state.neverAllocated(number, series) : row.isAdvance();
    }

    private @Nullable LedgerRow rowOf(long number) {
        Map.Entry<Long, LedgerRow> row = byNumber.ceilingEntry(number);
        return row == null || row.getValue().lowest() > number ? null : row.getValue();
    }

    private static @Nullable String holder(LedgerRow row, long number) {
        return row.allocations().stream()
                .filter(entry -> Math.min(entry.first(), entry.last()) <= number && number <= entry.highest())
                .map(Allocation::key)
                .findFirst()
                .orElse(null);
    }

    private CounterState after(String operationId) {
        long farthest = farthest();
        long nearest = isUpwards ? taken.firstKey() : taken.lastKey();
        long next = series.isBefore(farthest, state.next()) ? state.next() : farthest + series.increment();
        Long from = state.importedFrom();
        boolean isEarlier = series.isBefore(nearest, from == null ? series.start() : from);
        return state.imported(next, lastDate(), isEarlier ? (Long) nearest : from, operationId, now);
    }

    /**
     * Returns the date that later allocations may not precede: if dates are ascending, that includes the dates of
     * imported numbers beyond the counter.
     */
    private @Nullable LocalDate lastDate() {
        Stream<LocalDate> imported = taken.values().stream()
                .filter(number -> !series.isBefore(number.first(), state.next()))
                .map(Allocation::date);
        return definition.isDateOrdered()
                ? Stream.concat(Stream.ofNullable(state.lastDate()), imported)
                        .max(LocalDate::compareTo)
                        .orElse(null)
                : state.lastDate();
    }

    /** Returns the rows that the ledger gains by the numbers that were taken so far. */
    private ImportedRows rows() {
        ImportedRows rows = new ImportedRows(series, change, taken, now);
        for (Map.Entry<Long, Allocation> number : taken.entrySet()) {
            rows.add(number.getKey(), number.getValue(), gapOf(number.getKey()));
        }
        rows.endGap();
        return rows;
    }

    /**
     * Returns the row of passed-over numbers that contains a number: a stored row, or the row that this write adds by
     * moving the counter; null if there is neither.
     */
    private @Nullable LedgerRow gapOf(long number) {
        LedgerRow row = rowOf(number);
        if (row != null || series.isBefore(number, state.next())) {
            return row;
        }
        PassingImport passing = new PassingImport(change.position().id(), isFirst());
        return LedgerRow.passed(state.next(), farthest(), now, ImportedRows.note(change, passing), passing, null);
    }

    /**
     * Whether the period has no number yet. In that case the numbers before the imported ones are not left out by this
     * import.
     */
    private boolean isFirst() {
        return state.next() == series.start() && state.allocated() == 0 && state.importedFrom() == null;
    }

    /** The farthest of the taken numbers, in the direction of the series. */
    private long farthest() {
        return isUpwards ? taken.lastKey() : taken.firstKey();
    }
}
