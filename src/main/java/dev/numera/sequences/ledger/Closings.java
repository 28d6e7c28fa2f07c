package dev.numera.sequences.ledger;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.Page;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Series;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Clock;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.SequenceCalls;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Closes ranges of document dates: checks the numbers and records the result, the time and the actor as a change of the
 * sequence. A closing locks nothing. Thread-safe; calls block for storage requests, each for one page of the ledger at
 * a time, and fail with a {@link ProblemException}.
 *
 * <p>A closing stores its numbers as runs with their status, so that the next closing of the same dates lists exactly
 * the numbers that differ. A closing of an earlier version, or with too many runs, stores none. The next closing then
 * works as follows: it may list too many numbers, and says so.
 *
 * <p>Each closing first requests and stores the time of the table service, because the same clock dates the rows. The
 * next closing of the same dates searches for rows dated from one minute before that time on: a row may be dated before
 * it can be read, and by another machine of the service. So it misses no row that was written while the earlier closing
 * was reading. It leaves out the rows that the earlier closing has noted as counted: the first 100 allocations that
 * were made or changed shortly before it. It lists further ones although they were counted, and after a restore, which
 * writes all rows, possibly every number. It always lists or counts a number that changed.
 */
public final class Closings {
    private static final long MAX_NUMBERS = 100_000;
    private static final int MAX_PAGES = 500;
    /**
     * The most pages of a comparison. Storage may have to look through the keys of a whole sequence to find a few rows.
     */
    private static final int MAX_COMPARISON_PAGES = 100;

    private static final int ENTRIES_AT_ONCE = 1_000;
    private static final int CLOSINGS_AT_ONCE = 100;
    private static final Duration DATED_EARLY_AT_MOST = Duration.ofMinutes(1);
    /**
     * The time before a closing in which it notes each change individually: one minute for early row dates, and two
     * minutes for the clocks of instances.
     */
    private static final Duration RECENT = DATED_EARLY_AT_MOST.plusMinutes(2);

    private static final Comparator<Allocation> IN_ORDER =
            Comparator.comparing(Allocation::period).thenComparing(Allocation::first);

    private final SequenceCalls calls;
    private final DefinitionStore definitions;
    private final LedgerStore store;
    private final DateCheck check;
    private final LedgerReader ledger;
    private final Clock time;

    public Closings(
            SequenceCalls calls,
            DefinitionStore definitions,
            LedgerStore store,
            DateCheck check,
            LedgerReader ledger,
            Clock time) {
        this.calls = calls;
        this.definitions = definitions;
        this.store = store;
        this.check = check;
        this.ledger = ledger;
        this.time = time;
    }

    /**
     * Checks a range of dates and records the result, with the numbers that were added or changed status since the
     * latest closing of the same range. If 100 requests do not find all of these numbers, the closing only names the
     * earlier one and lists none.
     *
     * @param actor the person or system that closes the range, as the caller stated; null if not stated
     * @param refused how many rows of imports were refused
     * @throws ProblemException as in {@link DateCheck#check}; {@code invalid-request} if the range has more than
     *     100,000 numbers, or if 500 pages of the ledger do not reach its end
     */
    public Closing close(
            SequenceName name, LocalDate dateFrom, LocalDate dateTo, @Nullable String actor, long refused) {
        name.requireNoTemplate();
        Sequence known = calls.at(name, SequenceCalls.SequenceCall::definition);
        ZoneId zone = known.fixed().timeZone();
        Instant checkedAt = calls.at(name, call -> call.retry(() -> store.time(name)));
        Optional<Closing> earlier = latest(name, dateFrom, dateTo);
        LedgerFilter wanted = new LedgerFilter(-Series.LARGEST_VALUE, Series.LARGEST_VALUE, dateFrom, dateTo, null);
        Map<String, List<LedgerGap>> gaps = gaps(name, wanted);
        ClosedRuns before = earlier.flatMap(Closing::runs).orElse(null);
        ClosingDigest tally =
                new ClosingDigest(checkedAt.minus(RECENT), known.fixed().increment(), before);
        count(name, wanted, tally);
        String sha256 = tally.sha256();
        List<Change.FieldChange> result = new ArrayList<>(Closing.dates(dateFrom, dateTo));
        result.add(Closing.field("timeZone", zone == null ? "UTC" : zone.getId()));
        result.add(Closing.field(Closing.CHECKED_AT, checkedAt.toString()));
        result.addAll(tally.counts());
        result.add(Closing.field("refused", refused));
        result.add(Closing.field("gapCount", count(gaps)));
        result.add(Closing.hash(sha256));
        result.addAll(Closing.gaps(gaps));
        result.addAll(tally.recent());
        earlier.ifPresent(closing ->
                result.addAll(before == null ? difference(name, closing, wanted, sha256) : difference(closing, tally)));
        result.addAll(tally.runs());
        Change closed = Change.closed(result, ChangeNote.by(actor), time.now());
        return calls.at(
                name,
                call -> call.retry(() -> {
                    definitions.keep(name, closed).requireKnown();
                    return new Closing(closed);
                }));
    }

    /**
     * Returns the closings of a sequence in the order of time. A closing that cannot be read is a problem in its own
     * entry.
     *
     * @param first where the page starts; null for the first page
     * @param limit 1 to 1,000
     */
    public Page<Result<Closing>, Change.Position> list(SequenceName name, Change.@Nullable Position first, int limit) {
        return calls.at(name, call -> {
            call.definition();
            return page(call, first, limit);
        });
    }

    private Page<Result<Closing>, Change.Position> page(
            SequenceCalls.SequenceCall call, Change.@Nullable Position first, int limit) {
        Page<Result<Change>, Change.Position> changes =
                call.retry(() -> definitions.closingsFrom(call.name(), first, limit));
        return new Page<>(
                changes.items().stream().map(change -> change.map(Closing::new)).toList(), changes.next());
    }

    /** Returns the latest closing of these dates, of the closings that can be read. */
    private Optional<Closing> latest(SequenceName name, LocalDate dateFrom, LocalDate dateTo) {
        return Page.<Result<Closing>, Change.Position>all(
                        first -> calls.at(name, call -> page(call, first, CLOSINGS_AT_ONCE)))
                .flatMap(page -> page.items().stream())
                .map(Result::value)
                .filter(closing -> closing != null
                        && closing.isOf(dateFrom, dateTo)
                        && closing.checkedAt().isPresent())
                .reduce((one, later) -> later);
    }

    /** Returns exactly the numbers that the earlier closing did not have, or had with another status. */
    private static List<Change.FieldChange> difference(Closing earlier, ClosingDigest tally) {
        List<Change.FieldChange> result = new ArrayList<>();
        result.add(Closing.field("comparedWith", earlier.change().position().id()));
        result.add(Closing.field(Closing.CHANGED_COUNT, tally.changedCount()));
        result.add(Closing.field(Closing.CHANGED_EXACT, true));
        result.addAll(Closing.changed(tally.changed()));
        return result;
    }

    /** Returns the difference from a closing without runs. Equal hashes prove that no number with a key has changed. */
    private List<Change.FieldChange> difference(
            SequenceName name, Closing earlier, LedgerFilter wanted, String sha256) {
        List<Change.FieldChange> result = new ArrayList<>();
        result.add(Closing.field("comparedWith", earlier.change().position().id()));
        if (earlier.hasHash(sha256)) {
            result.add(Closing.field(Closing.CHANGED_COUNT, 0L));
            result.add(Closing.field(Closing.CHANGED_EXACT, true));
        } else {
            result.addAll(changed(name, earlier, wanted));
        }
        return result;
    }

    /**
     * Returns the allocations that were written since the earlier closing, except those it has noted; empty if the page
     * limit is reached first.
     */
    private List<Change.FieldChange> changed(SequenceName name, Closing earlier, LedgerFilter wanted) {
        TreeSet<Allocation> first = new TreeSet<>(IN_ORDER);
        long numbers = 0;
        Instant since = earlier.checkedAt().orElseThrow().minus(DATED_EARLY_AT_MOST);
        String continuation = null;
        int pages = 0;
        do {
            String position = continuation;
            Page<Allocation, String> page =
                    calls.at(name, call -> call.retry(() -> store.writtenSince(name, since, wanted, position)));
            for (Allocation written : page.items()) {
                if (!earlier.hasSeen(written.status(), written.period(), written.first())) {
                    numbers += written.count();
                    first.add(written);
                }
                if (first.size() > Closing.MAX_LISTED) {
                    first.pollLast();
                }
            }
            continuation = page.next();
        } while (continuation != null && ++pages < MAX_COMPARISON_PAGES);
        if (continuation != null) {
            return List.of();
        }
        List<Change.FieldChange> result = new ArrayList<>();
        result.add(Closing.field(Closing.CHANGED_COUNT, numbers));
        result.add(Closing.field(Closing.CHANGED_EXACT, false));
        result.addAll(Closing.changed(first.stream().map(Closing.Changed::of).toList()));
        return result;
    }

    private static long count(Map<String, List<LedgerGap>> gaps) {
        return gaps.values().stream().mapToLong(List::size).sum();
    }

    /** Returns the gaps by period. */
    private Map<String, List<LedgerGap>> gaps(SequenceName name, LedgerFilter wanted) {
        Map<String, List<LedgerGap>> gaps = new LinkedHashMap<>();
        DateCheck.Position position = null;
        int pages = 0;
        do {
            requireRoom(++pages <= MAX_PAGES && count(gaps) <= MAX_NUMBERS);
            CheckedPage<DateCheck.Position> page = check.check(name, wanted, null, position);
            gaps.computeIfAbsent(page.period(), period -> new ArrayList<>()).addAll(page.gaps());
            position = page.next();
        } while (position != null);
        return gaps;
    }

    private void count(SequenceName name, LedgerFilter wanted, ClosingDigest tally) {
        LedgerPosition position = null;
        int pages = 0;
        do {
            requireRoom(++pages <= MAX_PAGES);
            Page<LedgerLine, LedgerPosition> page = ledger.read(name, wanted, null, position, ENTRIES_AT_ONCE);
            for (LedgerLine entry : page.items()) {
                requireRoom(tally.allocated() + entry.count() <= MAX_NUMBERS);
                tally.add(entry);
            }
            position = page.next();
        } while (position != null);
    }

    private static void requireRoom(boolean isLeft) {
        if (!isLeft) {
            throw InvalidRequest.because(
                    "dateTo",
                    "must end a range of at most " + MAX_NUMBERS + " numbers, in " + MAX_PAGES
                            + " pages of the ledger: close shorter ranges");
        }
    }
}
