package dev.numera.core.counter;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.problem.ProblemException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The peer request of a group, from the first post until it is answered or closed. Not thread-safe: only the leading
 * thread calls it.
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
     * @param slots one slot for each request
     * @param observed the farthest state that the process had observed before posting. An answer with an older state
     *     comes from a restored table
     * @param closeAtNanos the latest time to close the request
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

    /** Whether a post was sent. Even without an answer, the post may have opened the request. */
    boolean wasSent() {
        return wasSent;
    }

    /** Records that a post is about to be sent. */
    void sent() {
        wasSent = true;
    }

    /** Whether the request was certainly opened in its row. */
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

    /** Sets how many looks at the row wait for an answer before this instance writes itself. */
    void waitFor(int looks) {
        looksLeft = looks;
    }

    /**
     * Counts a look that found the request still open; returns whether to become the writer instead of waiting longer.
     */
    boolean countLook() {
        looksLeft--;
        return looksLeft < 0;
    }

    /** Marks the peer request to be closed at the next step, because only this instance can decide on its calls. */
    void giveUp() {
        isToBeClosed = true;
    }

    boolean isToBeClosed(long nowNanos) {
        return isToBeClosed || nowNanos - closeAtNanos >= 0;
    }

    /**
     * Answers the requests of the group.
     *
     * @param answered the request that was read from its row, with the allocations
     * @param increment the increment of the series
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
