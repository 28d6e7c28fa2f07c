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

    private final SequenceAccess access;
    private final CounterReader reader;
    private final LedgerStore store;
    private final DefinitionStore definitions;
    private final Clock time;

    LedgerCheck(
            SequenceAccess access, CounterReader reader, LedgerStore store, DefinitionStore definitions, Clock time) {
        this.definitions = definitions;
        this.access = access;
        this.reader = reader;
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
    public CheckedPage<LedgerPosition> check(
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
            NavigableMap<String, Answer<CounterState>> found = reader.from(visit, known, first, 2);
            NavigableMap<String, Answer<CounterState>> counters = date == null ? found : found.headMap(first, true);
            Map.Entry<String, Answer<CounterState>> counter = counters.firstEntry();
            if (counter == null) {
                return CheckedPage.empty(first, null, checkedAt, null);
            }
            String period = counter.getKey();
            LedgerFilter wanted = new LedgerFilter(position == null ? from : position.number(), to);
            Account account = account(visit, known, counter.getValue().orThrow(), wanted);
            judge(visit, new CounterId(name, period), account, reservedBefore);
            LedgerPosition next = account.isClosed()
                    ? begin(counters.higherKey(period), from)
                    : new LedgerPosition(period, account.next());
            return account.page(period, checkedAt, next);
        });
    }

    /** The account of the numbers of one counter, which knows the imports that left numbers out. */
    Account account(SequenceAccess.Visit visit, Sequence known, CounterState counter, LedgerFilter wanted) {
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
