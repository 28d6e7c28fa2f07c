package dev.numera.core.counter;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.NumberRequest;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that one counter requests from its peers, the counters of other instances, for calls that found it busy:
 * whichever peer writes next allocates them. Each counter of a process has one row for it, which it alone inserts,
 * opens and closes: see {@link PeerRequestRow}.
 *
 * @param process the name of the requesting counter, which no other has, in the same process or another
 * @param id of this request: the next one in the same row has another
 * @param requests that no definition refuses, with at most {@value #MAX_ROWS} rows of the ledger, no key twice; empty
 *     to request only a pause
 * @param allocations that it was answered with, one for each request, in their order; empty unless it was
 * @param openedAt the service's time at which a row was first opened for these calls, which decides whose turn it is;
 *     null where no row is known to have been opened for them
 * @param after the state in which the counter was written by the answer; null unless it was answered
 * @param version of its row; null where it was not read from there
 */
public record PeerRequest(
        String process,
        String id,
        List<NumberRequest> requests,
        State state,
        List<Allocation> allocations,
        @Nullable Instant openedAt,
        @Nullable CounterState after,
        @Nullable String version) {
    /**
     * Half of what one transaction holds, the row of the request itself included: the other half is the writer's own.
     */
    static final int MAX_ROWS = WriteGroup.MAX_ROWS / 2 - 1;

    /** Keeps a row and its answer small, whose texts can have 255 characters each. */
    public static final int MAX_REQUESTS = 97;

    static final int MAX_LEDGER_UNITS = WriteGroup.MAX_LEDGER_UNITS / 2;

    /** How far it has come. */
    public enum State {
        OPEN,
        /** In the very transaction that took the numbers. */
        ANSWERED,
        /** By its own process, which may write for these calls in another way now. */
        CLOSED
    }

    public PeerRequest {
        requests = List.copyOf(requests);
        allocations = List.copyOf(allocations);
    }

    /** One that is to be opened for calls for which no row was opened before. */
    public PeerRequest(String process, String id, List<NumberRequest> requests) {
        this(process, id, requests, State.OPEN, List.of(), null, null, null);
    }

    /** The same at another version of its row. */
    public PeerRequest at(@Nullable String rowVersion) {
        return new PeerRequest(process, id, requests, state, allocations, openedAt, after, rowVersion);
    }

    /** The same with another age. */
    public PeerRequest openedAt(@Nullable Instant first) {
        return new PeerRequest(process, id, requests, state, allocations, first, after, version);
    }

    public PeerRequest closed() {
        return new PeerRequest(process, id, requests, State.CLOSED, List.of(), null, null, version);
    }

    public PeerRequest answered(List<Allocation> allocated, CounterState written) {
        return new PeerRequest(process, id, requests, State.ANSWERED, allocated, null, written, version);
    }

    /** The state in which the counter was written by the answer, of an answered request. */
    public CounterState requireAfter() {
        return Objects.requireNonNull(after, "An answered request has the state that its answer left.");
    }

    /** The version of a request that was read from its row. */
    public String requireVersion() {
        return Objects.requireNonNull(version, "A request that was read has the version of its row.");
    }

    /** Whether one transaction can answer it: in its bounds, and with no key twice. */
    public boolean fitsOneWrite() {
        List<String> keys = requests.stream()
                .map(NumberRequest::key)
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
        return requests.stream().mapToInt(NumberRequest::rows).sum();
    }

    /** As {@link NumberRequest#ledgerUnits}, of all keys. */
    int ledgerUnits() {
        return requests.stream().mapToInt(NumberRequest::ledgerUnits).sum();
    }
}
