package dev.numera.core.counter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Calls that had consumed nothing before a write or a peer request was sent for them. Once enlisted, a caller that
 * gives up is answered that its outcome is unknown. If a later read proves that nothing was written for them, the
 * leader releases the calls, and "nothing was consumed" is true for them again.
 *
 * <p>Not thread-safe: only the leading thread calls it.
 *
 * <p>Decision: {@code docs/decisions/a-refusal-proves-that-nothing-was-consumed.md}.
 */
record EnlistedCalls(List<WaitingCall> calls) {
    static final EnlistedCalls NONE = new EnlistedCalls(List.of());

    EnlistedCalls {
        calls = List.copyOf(calls);
    }

    /**
     * Enlists the calls that have consumed nothing yet: all of these, or none. Call before a write or a peer request is
     * sent.
     *
     * @return empty if a caller has already been answered that nothing was consumed, so nothing may be sent for it
     */
    static Optional<EnlistedCalls> allOf(List<WaitingCall> calls) {
        List<WaitingCall> certain = new ArrayList<>(calls);
        certain.removeIf(WaitingCall::mayHaveConsumed);
        EnlistedCalls enlisted = new EnlistedCalls(certain);
        if (!certain.stream().allMatch(WaitingCall::enlist)) {
            enlisted.release();
            return Optional.empty();
        }
        return Optional.of(enlisted);
    }

    /**
     * Releases the calls. Call only after a read has proved that nothing was written for them and nothing still can be.
     */
    void release() {
        calls.forEach(WaitingCall::discharge);
    }

    boolean contains(WaitingCall call) {
        return calls.contains(call);
    }

    EnlistedCalls and(EnlistedCalls others) {
        List<WaitingCall> all = new ArrayList<>(calls);
        all.addAll(others.calls);
        return new EnlistedCalls(all);
    }
}
