package dev.numera.sequences.ledger;

import dev.numera.sequences.access.SequenceCalls;
import java.util.function.Supplier;

/** Sends the storage requests of one page, and counts them. Repeated requests count once. Not thread-safe. */
final class RequestBudget {
    private final SequenceCalls.SequenceCall call;
    private int left;

    RequestBudget(SequenceCalls.SequenceCall call, int requests) {
        this.call = call;
        this.left = requests;
    }

    /** Sends a request, even if none is left: a step that has begun ends. */
    <T> T send(Supplier<T> request) {
        left--;
        return call.retry(request);
    }

    void count() {
        left--;
    }

    /** Leaves no request to another step of this page. */
    void exhaust() {
        left = 0;
    }

    boolean hasLeft() {
        return left > 0;
    }
}
