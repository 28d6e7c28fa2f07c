package dev.numera.core.counter;

import dev.numera.core.counter.WriteVerdict.Evidence;
import dev.numera.core.counter.WriteVerdict.Missing;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.Deadline;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/**
 * Reads the ledger for an attempt, and counts the time as storage time of the group's calls. Blocks for requests to
 * storage. Not thread-safe: only the leading thread calls it.
 *
 * <p>Decision: {@code docs/decisions/keys-are-looked-up-one-by-one.md}.
 */
final class LedgerReads {
    private final CounterId id;
    private final CounterStore store;
    private final Clock time;

    LedgerReads(CounterId id, CounterEnvironment around) {
        this.id = id;
        this.store = around.store();
        this.time = around.time();
    }

    /**
     * The keys of the group's own calls in the pending write, in all their Unicode forms. A key that did not fit the
     * write is not among them: its row would not be in the way of the write.
     */
    static List<String> keysOf(WriteGroup group) {
        Plan plan = group.pending().plan();
        return group.isImport() ? plan.keys() : WaitingCall.keys(plan.slots());
    }

    /** Performs the missing read of a verdict, and returns the evidence with its result. */
    Evidence add(WriteGroup group, Evidence evidence, Missing missing) {
        return switch (missing) {
            case OWN_KEYS -> evidence.withOwnKeys(find(group, keysOf(group)));
            case ALL_KEYS ->
                evidence.withAllKeys(find(group, group.pending().plan().keys()));
            case NUMBER -> evidence.withNumber(isNumberTaken(group) && isStill(group, evidence.counter()));
        };
    }

    /** Whether the ledger has a row with the numbers of the pending write. */
    boolean isNumberTaken(WriteGroup group) {
        List<LedgerRow> rows = group.pending().plan().requireWrite().rows();
        if (rows.isEmpty()) {
            return false;
        }
        long highest = rows.get(0).highest();
        return group.timed(time, () -> store.rowsFrom(id, highest, 1)).stream()
                .anyMatch(row -> row.highest() == highest);
    }

    /** Whether the counter is still at the version that was read. */
    boolean isStill(WriteGroup group, Versioned<CounterState> counter) {
        Optional<String> version = group.timed(time, () -> store.read(id)).map(Versioned::version);
        return version.equals(Optional.ofNullable(counter.version()));
    }

    /** Returns the ledger's answers for these keys, by key. */
    Map<String, Result<Allocation>> find(WriteGroup group, List<String> keys) {
        return keys.isEmpty()
                ? Collections.emptyMap()
                : group.timed(time, () -> store.find(id.sequence(), keys, left(group)));
    }

    /**
     * Returns the time until the leading thread's own deadline. Without such a deadline, returns the time until the
     * latest deadline of the group's callers.
     */
    private static Duration left(WriteGroup group) {
        return Deadline.ofThisThread().orElseGet(group::deadline).left();
    }

    /** Answers the requests whose key is in the ledger. */
    void answer(WriteGroup group, Map<String, Result<Allocation>> found) {
        WaitingCall.answerKnown(group.openSlots(), id.period(), found, group::tellFirst);
    }

    /** Returns the ledger rows that end at a number or higher, in the order of numbers. */
    List<LedgerRow> rowsFrom(WriteGroup group, long number, int limit) {
        return group.timed(time, () -> store.rowsFrom(id, number, limit));
    }

    /**
     * Returns the ledger rows that contain any of the requested numbers, by their highest numbers; may include other
     * rows.
     */
    NavigableMap<Long, LedgerRow> rows(WriteGroup group, List<CounterRequest.Import> requests) {
        return group.timed(time, () -> ImportPlan.rows(store, id, requests));
    }
}
