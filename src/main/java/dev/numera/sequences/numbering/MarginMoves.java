package dev.numera.sequences.numbering;

import dev.numera.core.counter.CounterStore;
import dev.numera.core.counter.RestoredCounters;
import dev.numera.core.counter.SkipPlan;
import dev.numera.core.counter.Transaction;
import dev.numera.core.counter.WriteLimits;
import dev.numera.core.model.Change;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.sequences.access.SequenceCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Advances the counters that a restore put back by its margin, up to {@value WriteLimits#MOVES} of them in one
 * transaction. Thread-safe; calls block for storage requests.
 *
 * <p>No counter is advanced twice: each write is conditioned on the version at which the counter was read with the mark
 * of the restore, and removes that mark. A transaction that is not known to have won, because another program wrote one
 * of its rows or because no answer arrived, is not repeated. Each of its counters is advanced alone by
 * {@link CounterMoves#skip}, which reads it again and changes only a counter that still has the mark.
 */
public final class MarginMoves {
    private static final int COUNTERS_IN_PAGE = 1_000;

    private final SequenceCalls calls;
    private final CounterStore store;
    private final CounterMoves moves;
    private final CounterRegistry counters;
    private final Clock time;

    public MarginMoves(
            SequenceCalls calls, CounterStore store, CounterMoves moves, CounterRegistry counters, Clock time) {
        this.calls = calls;
        this.store = store;
        this.moves = moves;
        this.counters = counters;
        this.time = time;
    }

    /**
     * The counters of one sequence after the advance.
     *
     * @param counters how many the sequence has
     * @param left the counters that keep their number, because fewer than twice the margin are left
     */
    public record Advanced(int counters, List<Change.Move> left) {
        public Advanced {
            left = List.copyOf(left);
        }
    }

    /**
     * Advances each counter of a sequence that has the mark of a restore. Repeating the call continues an interrupted
     * one.
     *
     * @param before receives the size of each group of counters before the group is advanced; together, all counters
     * @throws ProblemException the problem of the first counter that could not be advanced, with the problems of other
     *     counters suppressed. All others are advanced, unless the problem may be temporary
     */
    public Advanced advance(SequenceName name, CounterRequest.Skip margin, IntConsumer before) {
        Run run = new Run(name, margin.ifRestored(), before);
        String next = "";
        while (next != null) {
            next = run.advancePage(next);
        }
        if (run.problem != null) {
            throw run.problem;
        }
        return new Advanced(run.all, run.left);
    }

    /** A counter with the mark of a restore, in the state that was read. */
    private record Marked(CounterId id, Result<Versioned<CounterState>> counter) {}

    /** The advance of one sequence. Not thread-safe. */
    private final class Run {
        private final SequenceName name;
        private final CounterRequest.Skip margin;
        private final IntConsumer before;
        private final List<Change.Move> left = new ArrayList<>();
        private int all;
        private @Nullable ProblemException problem;

        Run(SequenceName name, CounterRequest.Skip margin, IntConsumer before) {
            this.name = name;
            this.margin = margin;
            this.before = before;
        }

        /** Advances the counters of a page and returns the first period of the next one. */
        @Nullable
        String advancePage(String firstPeriod) {
            RestoredCounters page =
                    calls.at(name, call -> call.retry(() -> store.restored(name, firstPeriod, COUNTERS_IN_PAGE)));
            all += page.counters();
            before.accept(page.counters() - page.restored().size());
            List<Marked> marked = page.restored().entrySet().stream()
                    .map(row -> new Marked(new CounterId(name, row.getKey()), row.getValue()))
                    .toList();
            for (List<Marked> group : SequenceCalls.groups(marked, WriteLimits.MOVES)) {
                before.accept(group.size());
                if (group.stream().anyMatch(each -> each.counter().isRefused()) || !isAdvanced(group)) {
                    group.forEach(each -> advanceAlone(each.id()));
                }
            }
            return page.next();
        }

        /** Advances a group in one transaction; returns false if it is not known to have won. */
        private boolean isAdvanced(List<Marked> group) {
            List<SkipPlan> plans;
            try {
                plans = calls.at(name, call -> {
                    // Read after the counters: no write of a definition that these counters do not know can follow.
                    List<SkipPlan> planned = planned(group, call.reloaded());
                    List<Transaction> writes = planned.stream()
                            .map(SkipPlan::write)
                            .filter(Objects::nonNull)
                            .toList();
                    boolean hasWon = writes.isEmpty()
                            || call.retry(() -> store.writeTogether(writes)) instanceof WriteResult.Won;
                    return hasWon ? planned : List.<SkipPlan>of();
                });
            } catch (StoreFailure e) {
                if (e.isTransient()) {
                    throw e;
                }
                // One of the rows may be the reason: each counter alone finds out, and reports its own problem.
                return false;
            }
            counters.discardBlocks(name);
            plans.forEach(plan -> note(plan.move()));
            return !plans.isEmpty();
        }

        private List<SkipPlan> planned(List<Marked> group, Sequence definition) {
            return group.stream()
                    .map(each -> SkipPlan.of(
                            each.id(),
                            each.counter().orThrow(),
                            definition,
                            UUID.randomUUID().toString(),
                            margin,
                            time.now()))
                    .toList();
        }

        private void advanceAlone(CounterId id) {
            try {
                Change.Move move = moves.skip(name, id.period(), margin);
                if (!move.isNone() || isMarked(id)) {
                    note(move);
                }
            } catch (ProblemException e) {
                if (e.isTransient()) {
                    throw e;
                }
                add(e);
            }
        }

        /** Whether a counter still has its mark. A counter without one was advanced by another write. */
        private boolean isMarked(CounterId id) {
            return calls.at(name, call -> call.retry(() -> store.read(id)))
                    .filter(counter -> counter.value().restoredFrom() != null)
                    .isPresent();
        }

        private void note(Change.Move move) {
            if (move.isNone()) {
                left.add(move);
            }
        }

        private void add(ProblemException found) {
            if (problem == null) {
                problem = found;
            } else {
                problem.addSuppressed(found);
            }
        }
    }
}
