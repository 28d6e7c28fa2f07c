package dev.numera.core.counter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The calls that had consumed nothing before a write or a peer request was sent for them. From then on, a caller that
 * leaves gets the answer that its outcome is unknown. After proof that the write or the peer request changed nothing,
 * the calls are released, and the answer "nothing was consumed" is true for them again.
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
     * Enlists the calls that have consumed nothing yet. Must be called before a write or a post is sent for them.
     *
     * @return empty, with no call enlisted, if a caller already has the answer that nothing was consumed; in that case
     *     nothing may be sent for that caller
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

    /** Releases the calls. Call only after proof that nothing was or will be written for them. */
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
