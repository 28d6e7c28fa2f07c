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
 * A request for numbers that one counter posts to its peers, the counters of the same sequence and period in other
 * instances, because its calls found the counter busy. The peer that writes next allocates the numbers. Each counter of
 * a process has one row for its requests. Only that counter inserts, opens and closes the row: see
 * {@link PeerRequestRow}.
 *
 * @param counterName the name of the requesting counter, unique among all counters of all processes
 * @param id the id of this request; the next request in the same row has another id
 * @param requests the requested allocations, with at most {@value WriteLimits#PEER_KEYS} rows of the ledger and no key
 *     twice. The requester posts none that the definition refuses. Empty to request only a pause
 * @param allocations the answer, one allocation for each request, in their order; empty unless answered
 * @param openedAt the service's time at which a row was first opened for these calls; the oldest request is answered
 *     first. Null if no row is known to have been opened for them
 * @param after the state of the counter after the answer's write; null unless answered
 * @param version the version of the row; null if the request was not read from a row
 */
public record PeerRequest(
        String counterName,
        String id,
        List<NumberRequest> requests,
        State state,
        List<Allocation> allocations,
        @Nullable Instant openedAt,
        @Nullable CounterState after,
        @Nullable String version) {
    /** The progress of a request. */
    public enum State {
        OPEN,
        /** Answered, in the same transaction that took the numbers. */
        ANSWERED,
        /** Closed by its own counter, which may now write for these calls in another way. */
        CLOSED
    }

    public PeerRequest {
        requests = List.copyOf(requests);
        allocations = List.copyOf(allocations);
    }

    /** Creates a request to open, for calls that were never posted before. */
    public PeerRequest(String counterName, String id, List<NumberRequest> requests) {
        this(counterName, id, requests, State.OPEN, List.of(), null, null, null);
    }

    /** Returns this request with the given version of its stored row. */
    public PeerRequest at(@Nullable String rowVersion) {
        return new PeerRequest(counterName, id, requests, state, allocations, openedAt, after, rowVersion);
    }

    /** Returns the same request with another opening time. */
    public PeerRequest openedAt(@Nullable Instant first) {
        return new PeerRequest(counterName, id, requests, state, allocations, first, after, version);
    }

    public PeerRequest closed() {
        return new PeerRequest(counterName, id, requests, State.CLOSED, List.of(), null, null, version);
    }

    public PeerRequest answered(List<Allocation> allocated, CounterState written) {
        return new PeerRequest(counterName, id, requests, State.ANSWERED, allocated, null, written, version);
    }

    /** Returns the state of the counter after the answer's write. Call only on an answered request. */
    public CounterState requireAfter() {
        return Objects.requireNonNull(after, "An answered request has the state that its answer left.");
    }

    /** Returns the version of the row. Call only on a request that was read from its row. */
    public String requireVersion() {
        return Objects.requireNonNull(version, "A request that was read has the version of its row.");
    }

    /** Whether one transaction can answer the request: it keeps to the limits and has no key twice. */
    public boolean fitsOneWrite() {
        List<String> keys = requests.stream()
                .map(NumberRequest::key)
                .filter(Objects::nonNull)
                .toList();
        return requests.size() <= WriteLimits.PEER_ALLOCATIONS
                && rows() <= WriteLimits.PEER_KEYS
                && ledgerUnits() <= WriteLimits.PEER_LEDGER_UNITS
                && Set.copyOf(keys).size() == keys.size();
    }

    boolean isForPauseOnly() {
        return requests.isEmpty();
    }

    /** The ledger rows by key that the request takes, with the marks of reserved keys. */
    int rows() {
        return requests.stream().mapToInt(NumberRequest::rows).sum();
    }

    /** The sum of {@link NumberRequest#ledgerUnits} over all keys. */
    int ledgerUnits() {
        return requests.stream().mapToInt(NumberRequest::ledgerUnits).sum();
    }
}
