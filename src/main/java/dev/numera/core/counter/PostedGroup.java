package dev.numera.core.counter;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.problem.ProblemException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The peer request of a group, from the first post on until it is answered or closed. Belongs to the leader of the
 * line.
 */
final class PostedGroup {
    private final PeerRequest request;
    private final List<WaitingCall.Slot> slots;
    private final @Nullable CounterState observed;
    private final long closeAtNanos;
    private boolean wasSent;
    private boolean wasPosted;
    private boolean isToBeClosed;
    private int looksLeft;

    /**
     * @param slots one for each request
     * @param observed how far the process had observed the counter: an answer from before that is one of a restored
     *     table
     * @param closeAtNanos when it is to be closed at the latest
     */
    PostedGroup(PeerRequest request, List<WaitingCall.Slot> slots, @Nullable CounterState observed, long closeAtNanos) {
        this.request = request;
        this.slots = List.copyOf(slots);
        this.observed = observed;
        this.closeAtNanos = closeAtNanos;
    }

    PeerRequest request() {
        return request;
    }

    @Nullable
    CounterState observed() {
        return observed;
    }

    /** It may have been opened: a post was sent, whatever the answer to it. */
    boolean wasSent() {
        return wasSent;
    }

    /** To be called before a post is sent. */
    void sent() {
        wasSent = true;
    }

    /** It is, or was, in its row for certain. */
    boolean wasPosted() {
        return wasPosted;
    }

    void posted() {
        wasPosted = true;
    }

    /**
     * Records that a read found the request open. Its calls remember when the row was opened: if they have to be posted
     * again, they keep their place in the order.
     */
    void foundOpen(PeerRequest read) {
        posted();
        slots.forEach(slot -> slot.foundOpen(read.openedAt()));
    }

    /** Waits for an answer so many looks before it is to be taken over. */
    void waitFor(int looks) {
        looksLeft = looks;
    }

    /** To be called for each look that found it open still; returns whether to become the writer instead of waiting. */
    boolean countLook() {
        looksLeft--;
        return looksLeft < 0;
    }

    /** Its own instance has to decide on it in another way. */
    void giveUp() {
        isToBeClosed = true;
    }

    boolean isToBeClosed(long nowNanos) {
        return isToBeClosed || nowNanos - closeAtNanos >= 0;
    }

    /**
     * @param answered as its row has it
     * @param increment of the series
     */
    void answer(PeerRequest answered, long increment) {
        for (int index = 0; index < slots.size(); index++) {
            WaitingCall.Slot slot = slots.get(index);
            Allocation allocated = answered.allocations().get(index);
            slot.answer(
                    slot.request instanceof NumberRequest request && request.orFewer()
                            ? allocated.asBlock(increment, answered.requireAfter())
                            : allocated);
        }
    }

    void refuse(ProblemException problem) {
        slots.forEach(slot -> slot.refuse(problem));
    }
}
