package dev.numera.core.counter;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.NumberRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Decides whose turn it is when all instances together want more than one transaction holds: the order for answering
 * peer requests, the room that a writer's own calls leave for peers, when a writer answers peers only, and how long one
 * instance waits for another. These decisions affect only fairness and waiting times, never which writes are safe.
 *
 * <p>Not thread-safe: only the leading thread calls it.
 */
final class PeerTurns {
    /**
     * Room in a transaction.
     *
     * @param operations rows of the ledger, marks and answered peer requests
     * @param units UTF-16 units in the row of the ledger in number order
     */
    record Room(int operations, int units) {
        static final Room NONE = new Room(0, 0);
        /** The row of an answered request, without its numbers. */
        static final Room ANSWER = new Room(1, 0);

        static Room ofTransaction(boolean marksDefinition) {
            return new Room(marksDefinition ? WriteLimits.KEYS - 1 : WriteLimits.KEYS, WriteLimits.LEDGER_UNITS);
        }

        static Room of(PeerRequest request) {
            return ANSWER.plus(new Room(request.rows(), request.ledgerUnits()));
        }

        static Room of(NumberRequest request) {
            return new Room(request.rows(), request.ledgerUnits());
        }

        /** The room that an allocation with a key takes. */
        static Room of(Allocation allocation) {
            return new Room(allocation.rows(), NumberRequest.ledgerUnits(Objects.requireNonNull(allocation.key())));
        }

        boolean holds(Room other) {
            return operations >= other.operations && units >= other.units;
        }

        Room plus(Room other) {
            return new Room(operations + other.operations, units + other.units);
        }

        Room minus(Room other) {
            return new Room(operations - other.operations, units - other.units);
        }

        Room half() {
            return new Room(operations / 2, units / 2);
        }
    }

    /** The fewest looks that a requester waits for. If the next one finds no answer either, it becomes the writer. */
    private static final int LEAST_LOOKS = 2;
    /**
     * The most looks that a requester waits for. The actual number is random, so that two requesters do not become the
     * writer at the same time again and again.
     */
    private static final int MOST_LOOKS = 4;
    /**
     * The pause, in round trips, for a request that only its own instance can decide on. That instance needs time to
     * stop waiting, to read and to write.
     */
    private static final int PAUSE_ROUND_TRIPS = 8;

    /** The most round trips before a requester counts its looks, however long recent answers took. */
    private static final int MOST_ANSWER_ROUND_TRIPS = 16;

    private static final int SMOOTHING = 8;

    private static final Comparator<PeerRequest> BY_AGE =
            Comparator.comparing(PeerRequest::openedAt, Comparator.nullsLast(Comparator.<Instant>naturalOrder()));

    /** The operations that the calls of this instance took when a write last included any of them. */
    private int taken;
    /** The operations that peer requests have taken since then, including the same write. */
    private int left;

    /**
     * Returns the requests in the order of answering: the oldest first, by the service's time. Requests of the same age
     * are in the order of their rows, but each epoch starts at another row, so that no counter is always first.
     *
     * @param epoch the epoch of the counter
     */
    static List<PeerRequest> inOrder(List<PeerRequest> open, long epoch) {
        List<PeerRequest> ordered = new ArrayList<>(open);
        ordered.sort(Comparator.comparing(PeerRequest::counterName));
        if (!ordered.isEmpty()) {
            Collections.rotate(ordered, -Math.floorMod(epoch, ordered.size()));
        }
        ordered.sort(BY_AGE);
        return ordered;
    }

    /**
     * Returns the room that the writer's own calls leave to peers: enough for the requests that fit half of the
     * transaction, in their order. One request takes at most half, so the oldest one is always answered. Example: of
     * requests that need 30, 25 and 15 of 98 operations, the first and the third fit half together, so 45 operations
     * are left to peers.
     *
     * @param room the room of the whole transaction
     * @param inOrder the peers' requests in the order of answering
     */
    static Room leftToPeers(Room room, List<PeerRequest> inOrder) {
        if (inOrder.isEmpty()) {
            return Room.NONE;
        }
        Room half = room.half();
        Room left = Room.NONE;
        for (PeerRequest request : inOrder) {
            Room more = left.plus(Room.of(request));
            if (half.holds(more)) {
                left = more;
            }
        }
        return left;
    }

    /**
     * Counts the operations of a won write.
     *
     * @param answered the peer requests that the write answered
     * @param allocations the allocations with a key, of peers and of this instance
     */
    void wrote(List<PeerRequest> answered, List<Allocation> allocations) {
        int peers = answered.stream().mapToInt(PeerRequest::rows).sum();
        int own = allocations.stream().mapToInt(Allocation::rows).sum() - peers;
        if (own > 0) {
            taken = own;
            left = 0;
        }
        // Each answered request also takes one row for its answer, even without any key.
        left += peers + answered.size();
    }

    /**
     * Whether the next write answers only these requests although calls of this instance wait. That is so if the
     * requests together need more than half of a transaction, and the peers have had less on average than this instance
     * at its last turn. Example: this instance took 50 operations at its last turn, and two peers want 80. The next
     * write answers only the peers, unless they have had 100 operations since that turn.
     */
    boolean isOfPeersAlone(List<PeerRequest> open) {
        Room wanted = open.stream().map(Room::of).reduce(Room.NONE, Room::plus);
        return wanted.operations() > WriteLimits.KEYS / 2 && left < (long) taken * open.size();
    }

    /**
     * Returns how often an instance reads its request row for an answer of its peers before it writes itself. Random
     * within bounds.
     */
    static int looks(double random) {
        return LEAST_LOOKS + (int) Math.round((MOST_LOOKS - LEAST_LOOKS) * random);
    }

    /**
     * Returns the exponential moving average of durations, in which a new duration has the weight 1/8.
     *
     * @param before the average so far; 0 before the first duration
     */
    static long averaged(long before, long nanos) {
        return before == 0 ? nanos : before + (nanos - before) / SMOOTHING;
    }

    /** Returns the time before a requester counts its looks: the average of recent answers, at most 16 round trips. */
    static long answerNanos(long usualNanos, long roundTripNanos) {
        return Math.min(usualNanos, MOST_ANSWER_ROUND_TRIPS * roundTripNanos);
    }

    /** Returns the time that a writer pauses for a request that only its own instance can decide on. */
    static long pauseNanos(long roundTripNanos, long mostNanos) {
        return Math.min(PAUSE_ROUND_TRIPS * roundTripNanos, mostNanos);
    }
}
