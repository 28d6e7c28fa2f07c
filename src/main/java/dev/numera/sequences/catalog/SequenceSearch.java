package dev.numera.sequences.catalog;

import dev.numera.core.format.Format;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.FieldParsers;
import dev.numera.core.model.Page;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.PrintableText;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.Deadline;
import dev.numera.sequences.access.CounterReader;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.IndexEntry;
import dev.numera.sequences.access.RegisteredSequence;
import dev.numera.sequences.access.SequenceCalls;
import dev.numera.sequences.ledger.LedgerLine;
import dev.numera.sequences.ledger.LedgerReader;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds a key, a text or a number in all sequences. Thread-safe; calls block for storage requests, and fail with a
 * {@link ProblemException}.
 */
public final class SequenceSearch {
    /** The most sequences that a page examines. */
    public static final int MAX_SEQUENCES = 100;

    /**
     * The most periods of a sequence that are searched for a number, the last ones first. Each period may have
     * allocated the number.
     */
    public static final int MAX_PERIODS = 24;

    /** The counters that one storage request returns. */
    private static final int COUNTERS = 1_000;

    /**
     * The most requests for the counters of a sequence: enough for each day that {@code Numera_MaxDaysAhead} may allow.
     */
    private static final int MAX_COUNTER_REQUESTS = 40;

    /**
     * The days that the search of a sequence with daily periods goes back, so that few requests reach the last period.
     */
    private static final int DAYS = 600;

    /** The property of an entry that matches the query. */
    public enum FoundBy {
        KEY,
        TEXT,
        NUMBER
    }

    /**
     * A matching entry of a sequence's ledger. An entry with more than two texts has only the first and the last one.
     */
    public record Hit(SequenceName sequence, FoundBy foundBy, LedgerLine entry) {}

    /**
     * A sequence that was not searched, or only in part.
     *
     * @param before periods before this one were not searched for the number; null if all or none were searched
     * @param after periods after this one were not searched for the number; null if all or none were searched
     * @param problem why it was not searched; null if only some periods were left out
     */
    public record Unsearched(
            String scope,
            String name,
            @Nullable String before,
            @Nullable String after,
            @Nullable ProblemException problem) {
        private static Unsearched of(IndexEntry row, @Nullable ProblemException problem) {
            return new Unsearched(row.scope(), row.name(), null, null, problem);
        }
    }

    /**
     * A page of hits.
     *
     * @param searched how many sequences were examined
     * @param next where the next page starts; null on the last page
     */
    public record Found(List<Hit> hits, List<Unsearched> unsearched, int searched, @Nullable String next) {
        private static Found of(List<Hit> hits, @Nullable Unsearched unsearched) {
            return new Found(hits, unsearched == null ? List.of() : List.of(unsearched), 1, null);
        }

        private static Found together(List<Found> found, @Nullable String next) {
            return new Found(
                    found.stream().flatMap(each -> each.hits().stream()).toList(),
                    found.stream().flatMap(each -> each.unsearched().stream()).toList(),
                    found.size(),
                    next);
        }
    }

    private final SequenceCalls calls;
    private final DefinitionStore store;
    private final LedgerReader ledger;
    private final CounterReader reader;
    private final Clock time;

    public SequenceSearch(
            SequenceCalls calls, DefinitionStore store, LedgerReader ledger, CounterReader reader, Clock time) {
        this.calls = calls;
        this.store = store;
        this.ledger = ledger;
        this.reader = reader;
        this.time = time;
    }

    /**
     * Returns a page of hits, in the order of sequences. Examines as many sequences as requested, but stops after half
     * the time of a call, so a page may be empty although others follow. A sequence that cannot be read is reported,
     * and the search continues. Templates and sequences without a counter have no ledger to search.
     *
     * @param scope null for all scopes
     * @param query a key, or a text in any case, or a number
     * @param sequences how many sequences to examine, at most {@value #MAX_SEQUENCES}; {@value SequenceCalls#AT_ONCE}
     *     are searched at once. Each costs three to five storage requests, and two for each further reading of a text,
     *     at most eight. A number in a sequence with periods costs up to {@value #MAX_PERIODS} more, and one for each
     *     1,000 periods, at most {@value #MAX_COUNTER_REQUESTS}
     */
    public Found find(@Nullable String scope, String query, int sequences, @Nullable String continuation) {
        Deadline deadline = calls.deadline();
        Deadline end = calls.deadlineOfSearch();
        Page<IndexEntry, String> page = calls.retry(deadline, () -> store.list(scope, sequences, continuation));
        List<IndexEntry> rows = page.items();
        List<Found> found = new ArrayList<>();
        for (List<IndexEntry> group : SequenceCalls.groups(rows)) {
            if (!found.isEmpty() && end.isOver()) {
                return Found.together(found, rows.get(found.size() - 1).position());
            }
            found.addAll(calls.together(group, row -> search(row, query, deadline)));
        }
        return Found.together(found, page.next());
    }

    private Found search(IndexEntry row, String query, Deadline deadline) {
        if (row.problem() != null) {
            return Found.of(List.of(), Unsearched.of(row, row.problem()));
        }
        try {
            SequenceName name = new SequenceName(row.scope(), row.name());
            return name.isTemplate()
                    ? Found.of(List.of(), null)
                    : calls.at(name, deadline, call -> search(call, query));
        } catch (ProblemException e) {
            return Found.of(List.of(), Unsearched.of(row, e));
        }
    }

    private Found search(SequenceCalls.SequenceCall call, String query) {
        SequenceName name = call.name();
        // Bypasses the cache of definitions, because a search of all sequences would evict the definitions in use.
        Sequence known = call.retry(() -> store.find(name).orElseThrow(() -> RegisteredSequence.lost(name)));
        if (!known.fixed().isCounted() || !known.isInUse()) {
            return Found.of(List.of(), null);
        }
        List<Hit> hits = new ArrayList<>();
        boolean takesKeys = known.fixed().takesKeys();
        if (takesKeys && PrintableText.KEY.flawOfStored(query).isEmpty()) {
            add(hits, name, FoundBy.KEY, ledger.find(call, known, query));
        }
        // A sequence without a format has no texts. Its numbers are searched below.
        boolean hasTexts = !known.formats().revisions().isEmpty();
        if (takesKeys && hasTexts && query.length() <= Format.MAX_TEXT_LENGTH) {
            ledger.findTexts(call, known, query).forEach(entry -> add(hits, name, FoundBy.TEXT, Optional.of(entry)));
        }
        OptionalLong number = FieldParsers.wholeNumber(query);
        return Found.of(hits, number.isPresent() ? addNumbers(hits, call, known, number.getAsLong()) : null);
    }

    /** Adds the entries that contain a number. Returns the periods that were not searched; null if all were. */
    private @Nullable Unsearched addNumbers(
            List<Hit> hits, SequenceCalls.SequenceCall call, Sequence known, long number) {
        if (!known.series().contains(number)) {
            return null;
        }
        String first = firstPeriod(known);
        NavigableSet<String> last = new TreeSet<>();
        String before = hasCounterBefore(call, known, first) ? first : null;
        String next = first;
        for (int requests = 0; next != null && requests < MAX_COUNTER_REQUESTS; requests++) {
            NavigableMap<String, Result<CounterState>> counters = reader.from(call, known, next, COUNTERS);
            counters.forEach((period, counter) -> {
                if (isPassed(known, counter, number)) {
                    last.add(period);
                }
            });
            while (last.size() > MAX_PERIODS) {
                last.pollFirst();
                before = last.first();
            }
            next = counters.size() < COUNTERS ? null : counters.lastKey();
        }
        for (String period : last.descendingSet()) {
            add(hits, known.name(), FoundBy.NUMBER, ledger.findNumber(call, known, period, number));
        }
        return before == null && next == null
                ? null
                : new Unsearched(known.name().scope(), known.name().name(), before, next, null);
    }

    private boolean hasCounterBefore(SequenceCalls.SequenceCall call, Sequence known, String period) {
        return !period.isEmpty() && reader.from(call, known, "", 1).firstKey().compareTo(period) < 0;
    }

    /**
     * Returns the first period to search; empty for all periods. Only daily periods can be too many to read them all.
     */
    private String firstPeriod(Sequence known) {
        return known.fixed().resetEvery() == ResetEvery.DAY
                ? known.counter(known.fixed().day(time.now()).minusDays(DAYS)).period()
                : "";
    }

    /** Whether the counter may have allocated or passed over the number. True if the counter cannot be read. */
    private static boolean isPassed(Sequence known, Result<CounterState> counter, long number) {
        CounterState state = counter.value();
        return state == null || known.series().cycle() || known.series().isBefore(number, state.next());
    }

    /** Adds an entry, unless another query has already found it. */
    private static void add(List<Hit> hits, SequenceName name, FoundBy foundBy, Optional<LedgerLine> found) {
        found.map(LedgerLine::brief)
                .filter(entry -> hits.stream()
                        .noneMatch(hit -> hit.entry().first() == entry.first()
                                && hit.entry().period().equals(entry.period())))
                .ifPresent(entry -> hits.add(new Hit(name, foundBy, entry)));
    }
}
