package dev.numera.counter;

import dev.numera.model.Allocation;
import dev.numera.model.CounterState;
import dev.numera.model.Request;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one instance asks of whichever writes next: numbers for calls that found the counter busy. Each counter of a
 * process has one row for it, which it alone inserts, opens and closes: see {@link OwnRow}.
 *
 * @param process the name of the asking counter, which no other has, in the same process or another
 * @param id of this ask: the next one in the same row has another
 * @param requests without a refusal by any terms, with at most {@value #MAX_ROWS} rows of the ledger, no key twice;
 *     empty to ask for nothing but a pause
 */
public record InstanceAsk(String process, String id, List<Request.Allocate> requests) {
    /** Half of what one transaction holds, the row of the ask itself included: the other half is the writer's own. */
    static final int MAX_ROWS = Group.MAX_ROWS / 2 - 1;

    /** Keeps a row and its answer small, whose texts can have 255 characters each. */
    public static final int MAX_REQUESTS = 97;

    static final int MAX_LEDGER_UNITS = Group.MAX_LEDGER_UNITS / 2;

    /** What became of it. */
    public enum State {
        OPEN,
        /** In the very transaction that took the numbers. */
        ANSWERED,
        /** By its own process, which may write for these calls in another way now. */
        CLOSED
    }

    /**
     * An ask as it stands in storage.
     *
     * @param answer null unless it was answered
     */
    public record Posted(InstanceAsk ask, State state, @Nullable Answer answer, String version) {}

    /**
     * What it got.
     *
     * @param allocations one for each request, in their order
     * @param after what the counter was written as
     */
    public record Answer(List<Allocation> allocations, CounterState after) {}

    /** An ask that a transaction answers, on condition of its version. */
    public record Answered(Posted posted, List<Allocation> allocations) {}

    public InstanceAsk {
        requests = List.copyOf(requests);
    }

    /** Whether one transaction can answer it: in its bounds, and with no key twice. */
    public boolean fitsOneWrite() {
        List<String> keys = requests.stream()
                .map(Request.Allocate::key)
                .filter(Objects::nonNull)
                .toList();
        return requests.size() <= MAX_REQUESTS
                && rows() <= MAX_ROWS
                && ledgerUnits() <= MAX_LEDGER_UNITS
                && Set.copyOf(keys).size() == keys.size();
    }

    boolean isForPauseOnly() {
        return requests.isEmpty();
    }

    /** How many rows of the ledger it takes, but for that of all in number order. */
    int rows() {
        return requests.stream().mapToInt(Request.Allocate::rows).sum();
    }

    /** As {@link Request.Allocate#ledgerUnits}, of all keys. */
    int ledgerUnits() {
        return requests.stream().mapToInt(Request.Allocate::ledgerUnits).sum();
    }
}
