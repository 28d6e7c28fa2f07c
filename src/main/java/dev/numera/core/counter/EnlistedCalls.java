package dev.numera.core.counter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Calls that had consumed nothing before a write or a peer request was sent for them. A caller among them that gives up
 * from now on is answered that its outcome is unknown. When it is proved that what was sent changed nothing, they are
 * released, and "nothing was consumed" is true for them again.
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
     * Enlists those of the calls that have consumed nothing yet, or none of them. To be called before a write or a post
     * is sent.
     *
     * @return empty when a caller has the answer already that nothing was consumed: then nothing may be sent for it
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

    /** To be called when it is proved that nothing was written for them, and nothing can be any more. */
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
