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
 * Finds a key, a text or a number over all sequences. Thread-safe; calls block for storage requests, and fail with a
 * {@link ProblemException}.
 */
public final class SequenceSearch {
    /** A page looks at so many sequences at most. */
    public static final int MAX_SEQUENCES = 100;

    /** Each period may have the number: so many of a sequence are searched, the last ones first. */
    public static final int MAX_PERIODS = 24;

    /** One request. */
    private static final int COUNTERS = 1_000;

    /** Enough for each day that {@code Numera_MaxDaysAhead} may allow. */
    private static final int MAX_COUNTER_REQUESTS = 40;

    /** Of a sequence that is reset each day, so that few requests reach the last one. */
    private static final int DAYS = 600;

    /** How an entry was found. */
    public enum FoundBy {
        KEY,
        TEXT,
        NUMBER
    }

    /** An entry of the ledger of a sequence; of more than two texts it has the first and the last one. */
    public record Hit(SequenceName sequence, FoundBy foundBy, LedgerLine entry) {}

    /**
     * A sequence that was not searched, or not whole.
     *
     * @param before periods before this one were not searched for the number; null where all were, or none
     * @param after periods after this one were not searched for the number; null where all were, or none
     * @param problem why it was not searched; null where only the periods are restricted
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
     * A page of what was found.
     *
     * @param searched how many sequences were looked at
     * @param next where the next page begins; null on the last one
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
     * A page of what is found, in the order of sequences. It looks at as many sequences as requested, or as half the
     * time of a call allows, so it may be empty and yet not the last. A sequence that cannot be read is reported, and
     * the others go on. Sequences without a counter and templates have no ledger.
     *
     * @param scope null searches all
     * @param query a key, or a text in any case, or a number
     * @param sequences at most {@value #MAX_SEQUENCES}: each costs three to five requests, and for a number in a
     *     sequence with periods up to {@value #MAX_PERIODS} more, and one for each 1,000 periods, at most
     *     {@value #MAX_COUNTER_REQUESTS}; {@value SequenceAccess#AT_ONCE} sequences at once
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
        // Not from the cache of definitions: a search of all sequences would leave those in use no place in it.
        Sequence known = call.retry(() -> store.find(name).orElseThrow(() -> RegisteredSequence.lost(name)));
        if (!known.fixed().isCounted() || !known.isInUse()) {
            return Found.of(List.of(), null);
        }
        List<Hit> hits = new ArrayList<>();
        boolean takesKeys = known.fixed().takesKeys();
        if (takesKeys && PrintableText.KEY.flawOfStored(query).isEmpty()) {
            add(hits, name, FoundBy.KEY, ledger.find(call, known, query));
        }
        // Without a format the number is the text.
        boolean hasTexts = !known.formats().revisions().isEmpty();
        if (takesKeys && hasTexts && query.length() <= Format.MAX_TEXT_LENGTH) {
            add(hits, name, FoundBy.TEXT, ledger.findText(call, known, query));
        }
        OptionalLong number = FieldParsers.wholeNumber(query);
        return Found.of(hits, number.isPresent() ? addNumbers(hits, call, known, number.getAsLong()) : null);
    }

    /** Adds the entries with a number; what is left unsearched is returned, null where there is nothing left. */
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

    /** Empty for all of them: only days can be so many that it takes long to read them all. */
    private String firstPeriod(Sequence known) {
        return known.fixed().resetEvery() == ResetEvery.DAY
                ? known.counter(known.fixed().day(time.now()).minusDays(DAYS)).period()
                : "";
    }

    /** Whether the counter may have allocated the number, or gone past it: so may one that cannot be read. */
    private static boolean isPassed(Sequence known, Result<CounterState> counter, long number) {
        CounterState state = counter.value();
        return state == null || known.series().cycle() || known.series().isBefore(number, state.next());
    }

    /** What was found already is not added again. */
    private static void add(List<Hit> hits, SequenceName name, FoundBy foundBy, Optional<LedgerLine> found) {
        found.map(LedgerLine::brief)
                .filter(entry -> hits.stream()
                        .noneMatch(hit -> hit.entry().first() == entry.first()
                                && hit.entry().period().equals(entry.period())))
                .ifPresent(entry -> hits.add(new Hit(name, foundBy, entry)));
    }
}
