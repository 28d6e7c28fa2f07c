package dev.numera.sequence;

import dev.numera.execution.Clock;
import dev.numera.model.CounterId;
import dev.numera.model.CounterState;
import dev.numera.model.LedgerRow;
import dev.numera.model.Sequence;
import dev.numera.model.SequenceName;
import dev.numera.problem.Answer;
import dev.numera.problem.ProblemException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether every number is accounted for. The counter is read before the ledger, and only what lies before it is judged:
 * what is allocated meanwhile is never taken for a gap. Thread-safe; calls block for storage requests, and fail with a
 * {@link ProblemException}.
 */
public final class LedgerCheck {
    private static final int ROWS_AT_ONCE = 100;
    private static final int MAX_ROWS_PER_PAGE = 1_000;

    /** Why numbers have no key. */
    public enum Kind {
        /** An advance passed over them. */
        ADVANCED,
        /** An import left them out, and no operator has accepted that. */
        UNIMPORTED,
        /** Nothing says so, where everything is written down: rows were removed, or an old table was put back. */
        MISSING,
        /** Allocated without a key, skipped or passed over: what leaves no row. */
        UNRECORDED,
        /** They have two keys, before and after: another program wrote into the ledger. */
        TWICE
    }

    /**
     * Who has a number beside a gap.
     *
     * @param key null for a range that was advanced over
     */
    public record Neighbor(@Nullable String key, long number, Instant allocatedAt) {}

    /**
     * Numbers of the series that are not under one key.
     *
     * @param first the first one in the direction of the series; the last one may be smaller
     * @param reason why an advance passed over them; null where the caller did not state it
     * @param before which key has the number before the first one; null where none has, or where the page cannot know
     * @param after as before, of the number after the last one
     */
    public record Gap(
            long first,
            long last,
            Kind kind,
            @Nullable String reason,
            @Nullable Neighbor before,
            @Nullable Neighbor after) {
        boolean isOpen() {
            return after == null;
        }

        Gap upTo(Neighbor neighbor) {
            return new Gap(first, last, kind, reason, before, neighbor);
        }

        Gap reversed() {
            return new Gap(last, first, kind, reason, after, before);
        }
    }

    /**
     * @param period empty where the sequence is never reset, or has no number yet
     * @param from the least number that was judged; null, as {@code to}, where there was none to judge. By dates the
     *     least one of the period that has one of them; null while it is not found, and where there is none
     * @param to the greatest number that was judged; by dates the greatest one that has one of them
     * @param otherDates how many of the numbers from {@code from} to {@code to} have other dates; null unless by dates
     * @param checkedAt what was allocated by then is judged
     * @param allocated how many of the numbers have a key; by dates those that have one of them, as the next two
     * @param voided how many of these are void
     * @param reserved how many are reserved
     * @param gaps in the order of numbers, at most 1,000
     * @param next where the next page starts; null on the last page
     */
    public record Page<N>(
            String period,
            @Nullable Long from,
            @Nullable Long to,
            @Nullable Long otherDates,
            Instant checkedAt,
            long allocated,
            long voided,
            long reserved,
            List<Gap> gaps,
            @Nullable N next) {
        /** A page that judges nothing. */
        static <N> Page<N> empty(String period, @Nullable Long otherDates, Instant checkedAt, @Nullable N next) {
            return new Page<>(period, null, null, otherDates, checkedAt, 0, 0, 0, List.of(), next);
        }
    }

    private final SequenceAccess access;
    private final States states;
    private final LedgerStore store;
    private final DefinitionStore definitions;
    private final Clock time;

    LedgerCheck(SequenceAccess access, States states, LedgerStore store, DefinitionStore definitions, Clock time) {
        this.definitions = definitions;
        this.access = access;
        this.states = states;
        this.store = store;
        this.time = time;
    }

    /**
     * Judges a page: of one period, at most 1,000 rows of the ledger.
     *
     * @param from the least number that is requested, within 4·10^18 either way
     * @param to the greatest one
     * @param date chooses the period; null for all of them, one after the other
     * @param reservedBefore counts what is reserved since before this only; null for all
     * @param position of the page before; null on the first one
     * @throws ProblemException {@code unknown-sequence}; {@code not-for-guarantee} where no ledger is kept;
     *     {@code rolled-back} where the counters were lost
     */
    public Page<LedgerPosition> check(
            SequenceName name,
            long from,
            long to,
            @Nullable LocalDate date,
            @Nullable Instant reservedBefore,
            @Nullable LedgerPosition position) {
        return access.at(name, visit -> {
            Instant checkedAt = time.now();
            Sequence known = visit.recorded();
            String first = date != null ? known.counter(date).period() : position == null ? "" : position.period();
            NavigableMap<String, Answer<CounterState>> found = states.counters(visit, known, first, 2);
            NavigableMap<String, Answer<CounterState>> counters = date == null ? found : found.headMap(first, true);
            Map.Entry<String, Answer<CounterState>> counter = counters.firstEntry();
            if (counter == null) {
                return Page.empty(first, null, checkedAt, null);
            }
            String period = counter.getKey();
            Ledger.Wanted wanted = new Ledger.Wanted(position == null ? from : position.number(), to);
            Account account = account(visit, known, counter.getValue().orThrow(), wanted);
            judge(visit, new CounterId(name, period), account, reservedBefore);
            LedgerPosition next = account.isClosed()
                    ? begin(counters.higherKey(period), from)
                    : new LedgerPosition(period, account.next());
            return account.page(period, checkedAt, next);
        });
    }

    /** The account of the numbers of one counter, which knows the imports that left numbers out. */
    Account account(SequenceAccess.Visit visit, Sequence known, CounterState counter, Ledger.Wanted wanted) {
        return new Account(known.fixed(), counter, wanted, new LeftOut(visit, definitions)::test);
    }

    private static @Nullable LedgerPosition begin(@Nullable String period, long from) {
        return period == null ? null : new LedgerPosition(period, from);
    }

    /** Reads at most 1,000 rows, and then what is not simply issued of the numbers in them. */
    void judge(SequenceAccess.Visit visit, CounterId id, Account account, @Nullable Instant reservedBefore) {
        read(visit, id, account);
        if (account.hasAllocated()) {
            account.count(visit.retry(() -> store.marked(id, account.from(), account.reach())), reservedBefore);
        }
    }

    private void read(SequenceAccess.Visit visit, CounterId id, Account account) {
        long number = account.readsFrom();
        for (int read = 0; read < MAX_ROWS_PER_PAGE && !account.isOver(); read += ROWS_AT_ONCE) {
            long from = number;
            List<LedgerRow> rows = visit.retry(() -> store.rowsFrom(id, from, ROWS_AT_ONCE));
            rows.forEach(account::add);
            if (rows.size() < ROWS_AT_ONCE) {
                account.close();
                return;
            }
            number = rows.get(rows.size() - 1).following();
        }
    }
}
