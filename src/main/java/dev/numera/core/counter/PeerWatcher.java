package dev.numera.core.counter;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Versioned;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.StoreFailure;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The observations of an instance about its peers, the other instances that use the same counter: whether any were
 * active lately, their requests, and the duration of a storage request. Looks for peers in parallel with its own
 * writes, so that no call waits for the look.
 *
 * <p>Not thread-safe: only the leading thread calls it, except {@link #hasFound}.
 */
final class PeerWatcher {
    /** The time after a lost write, or a request of any instance, in which a look probably finds requests. */
    private static final long LATELY_NANOS = Duration.ofSeconds(1).toNanos();
    /**
     * The time after the last trace of a peer in which the first write after an idle time also reads the counter in
     * parallel, because a peer may have written meanwhile.
     */
    private static final long WARY_NANOS = Duration.ofSeconds(30).toNanos();
    /** The outdated states after which this instance reads first. One would cost each second of two calls a read. */
    private static final int LEAST_OUTDATED = 2;
    /** The interval at which a busy instance looks for requests although it has seen none lately. */
    private static final long LOOK_EVERY_NANOS = Duration.ofMillis(100).toNanos();

    /** The shortest interval between two removals of old rows. */
    private static final long REMOVE_EVERY_NANOS = Duration.ofMinutes(1).toNanos();
    /**
     * The upper bound for the measured round trip. A longer one is due to a failure, not to distance, and no instance
     * pauses for that.
     */
    private static final long LONGEST_ROUND_TRIP_NANOS = Duration.ofMillis(100).toNanos();

    private static final int MAX_HANDLED = 1_000;
    private static final List<PeerRequest> NOTHING = List.of();

    /**
     * The counter and, if they were read, the open requests of other processes, from one look at storage.
     *
     * @param requests the open requests of other processes; null if they were not looked for, or could not be read
     */
    record Look(Optional<Versioned<CounterState>> counter, @Nullable List<PeerRequest> requests) {}

    private final CounterId id;
    private final CounterEnvironment around;
    private final Clock time;
    private final Duration patience;
    private final Runnable wake;
    private final PeerTurns turns = new PeerTurns();
    private final AtomicReference<List<PeerRequest>> found = new AtomicReference<>(NOTHING);
    /** The ids of requests that this instance has answered or cannot answer. */
    private final Set<String> handled = Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MAX_HANDLED;
        }
    });

    private @Nullable CompletableFuture<List<PeerRequest>> query;
    private @Nullable CompletableFuture<Optional<Versioned<CounterState>>> besides;
    private @Nullable CompletableFuture<Boolean> removal;
    private long roundTripNanos;
    private long seenNanos;
    private long requestedNanos;
    private long lookedNanos;
    private long removedNanos;
    private long busySinceNanos;
    private long wroteNanos;
    private long pauseUntilNanos;
    /** Counts the states in a row that were outdated when this instance used them after a pause. */
    private int outdatedInARow;
    /** Whether a write was lost since the last one that won. */
    private boolean hasLost;

    /**
     * @param patience how long a look or a pause may take at most
     * @param wake is run, on any thread, when requests were found
     */
    PeerWatcher(CounterId id, CounterEnvironment around, Duration patience, Runnable wake) {
        this.id = id;
        this.around = around;
        this.time = around.time();
        this.patience = patience;
        this.wake = wake;
        long now = time.nanoTime();
        this.seenNanos = now - WARY_NANOS;
        this.requestedNanos = now - LATELY_NANOS;
        this.lookedNanos = now;
        this.removedNanos = now;
        this.wroteNanos = now - LOOK_EVERY_NANOS;
        this.pauseUntilNanos = now;
    }

    /** Records that a write was lost, probably because a peer has written. */
    void lost() {
        saw();
        hasLost = true;
    }

    private void saw() {
        seenNanos = time.nanoTime();
    }

    /** Records that a request of a peer or of this instance is open, or is about to be opened. */
    void requested() {
        saw();
        requestedNanos = time.nanoTime();
    }

    /**
     * Whether the kept state is probably outdated, so that a read costs less than a lost write: a peer wrote lately,
     * this instance did not, and the last such states were outdated.
     */
    boolean isProbablyOutdated() {
        return outdatedInARow >= LEAST_OUTDATED && mayBeOutdated(time.nanoTime());
    }

    /** Records a read of the counter in place of the kept state, if there was one. */
    void compared(@Nullable Versioned<CounterState> kept, Versioned<CounterState> read) {
        if (kept != null && Objects.equals(kept.version(), read.version())) {
            outdatedInARow = 0;
        } else if (kept != null) {
            outdatedInARow++;
            saw();
        }
    }

    private boolean mayBeOutdated(long now) {
        return now - wroteNanos > 2 * roundTripNanos && now - seenNanos < WARY_NANOS;
    }

    /**
     * Whether a look would probably find open requests: a write was lost lately and none has won since, or requests
     * were open lately.
     */
    boolean areRequestsLikely() {
        return time.nanoTime() - (hasLost ? Math.max(seenNanos, requestedNanos) : requestedNanos) < LATELY_NANOS;
    }

    /** The duration of a storage request, averaged over the recent ones. */
    long roundTripNanos() {
        return roundTripNanos;
    }

    void took(long nanos) {
        roundTripNanos = PeerTurns.averaged(roundTripNanos, Math.min(nanos, LONGEST_ROUND_TRIP_NANOS));
    }

    /**
     * Starts the reads that will be needed after a write, in parallel with it. Must be called when the write is sent.
     *
     * @param isKept whether the write is computed from the state that this instance's last write left, not from a read
     */
    void beside(boolean isKept) {
        long now = time.nanoTime();
        if (now - wroteNanos >= LOOK_EVERY_NANOS) {
            busySinceNanos = now;
        }
        if (areRequestsLikely() || now - Math.max(lookedNanos, busySinceNanos) >= LOOK_EVERY_NANOS) {
            lookForRequests(now);
        }
        removeOldRows(now);
        besides = isKept && mayBeOutdated(now) ? started(() -> around.store().read(id)) : null;
    }

    /**
     * Records a won write.
     *
     * @param answered the requests that the write answered. A look that was in progress meanwhile may still find them
     *     open
     * @param allocations the allocations with a key, of peers and of this instance
     */
    void wrote(List<PeerRequest> answered, List<Allocation> allocations) {
        wroteNanos = time.nanoTime();
        hasLost = false;
        // This write used a state after a pause if it was sent together with a read. It has won, so the state was
        // present.
        outdatedInARow = besides == null ? outdatedInARow : 0;
        besides = null;
        answered.forEach(request -> handled.add(request.id()));
        turns.wrote(answered.stream().filter(this::isOfPeer).toList(), allocations);
    }

    /**
     * Whether the next write answers peers only, as {@link PeerTurns#isOfPeersAlone} decides from the writes that were
     * won.
     */
    boolean isTurnOfPeersAlone(List<PeerRequest> open) {
        return turns.isOfPeersAlone(open);
    }

    /**
     * Reads the counter and, if requests are likely, the open ones. Takes one round trip. If the counter was read in
     * parallel with the lost write, that read is used at once, without waiting for requests: a state that gets older
     * makes the next write more likely to be lost.
     *
     * @param stale the version that the caller's plan was computed from. A read that began earlier, beside the last
     *     write, is used only if it found another version: that alone shows that the plan cannot win any more
     * @throws StoreFailure no trustworthy answer about the counter arrived
     */
    Look look(@Nullable String stale) {
        Optional<Versioned<CounterState>> beside = readBesides(stale);
        if (beside.isPresent()) {
            return new Look(beside, null);
        }
        if (!areRequestsLikely()) {
            return new Look(around.store().read(id), null);
        }
        long now = time.nanoTime();
        lookForRequests(now);
        Optional<Versioned<CounterState>> counter = around.store().read(id);
        took(time.nanoTime() - now);
        List<PeerRequest> requests = query == null ? null : awaited(query);
        found.set(NOTHING);
        return new Look(counter, requests == null ? null : ofPeers(requests));
    }

    /**
     * Whether one of these requests, which a write would answer, is at another version now. Blocks for one request for
     * each that is missing in {@code open}: that list omits requests that are old or were handled here.
     *
     * @param open the requests that were found after the write; null if they were not looked for
     * @throws StoreFailure no trustworthy answer about one of them arrived
     */
    boolean haveLeft(List<PeerRequest> answered, @Nullable List<PeerRequest> open) {
        Set<String> openVersions = new HashSet<>();
        Objects.requireNonNullElse(open, NOTHING).forEach(request -> openVersions.add(request.version()));
        return answered.stream()
                .filter(request -> !openVersions.contains(request.version()))
                .anyMatch(request -> !isAtSameVersion(request));
    }

    private boolean isAtSameVersion(PeerRequest request) {
        return around.peers()
                .find(id, request.counterName())
                .map(PeerRequest::version)
                .equals(Optional.of(request.requireVersion()));
    }

    private Optional<Versioned<CounterState>> readBesides(@Nullable String stale) {
        CompletableFuture<Optional<Versioned<CounterState>>> read = besides;
        besides = null;
        outdatedInARow += read == null ? 0 : 1;
        Optional<Versioned<CounterState>> counter = read == null ? null : awaited(read);
        return counter == null
                ? Optional.empty()
                : counter.filter(state -> stale != null && !stale.equals(state.version()));
    }

    /** Whether requests were found that no leader has taken. Thread-safe. */
    boolean hasFound() {
        return found.get() != NOTHING;
    }

    /** Returns the requests that the latest look found, and forgets them. */
    List<PeerRequest> takeFound() {
        return ofPeers(Objects.requireNonNull(found.getAndSet(NOTHING)));
    }

    /** Drops the requests that were found, because another instance is writing and will answer them. */
    void dropFound() {
        if (hasFound()) {
            requested();
        }
        found.set(NOTHING);
    }

    /**
     * Leaves requests unanswered that only the posting instance can decide on, and pauses this instance so that the
     * peer can write. Each request causes one pause.
     */
    void leave(List<PeerRequest> requests) {
        for (PeerRequest request : requests) {
            if (isOfPeer(request) && handled.add(request.id())) {
                // Calls that arrive meanwhile wait as well, but no longer than for an unanswered request.
                pauseUntilNanos = time.nanoTime() + PeerTurns.pauseNanos(roundTripNanos, patience.toNanos());
            }
        }
    }

    /** Pauses if another instance is to write next; returns whether it paused. */
    boolean pauseForOthers() {
        long left = pauseUntilNanos - time.nanoTime();
        if (left <= 0) {
            return false;
        }
        time.pause(Duration.ofNanos(left));
        return true;
    }

    /** Whether another counter posted the request. */
    boolean isOfPeer(PeerRequest request) {
        return !request.counterName().equals(around.counterName());
    }

    private List<PeerRequest> ofPeers(List<PeerRequest> requests) {
        List<PeerRequest> others =
                unhandled(requests.stream().filter(this::isOfPeer).toList());
        if (!others.isEmpty()) {
            requested();
        }
        return others;
    }

    /** Returns the requests that were neither answered here nor left to their own instances. */
    List<PeerRequest> unhandled(List<PeerRequest> requests) {
        return requests.stream()
                .filter(request -> !handled.contains(request.id()))
                .toList();
    }

    private void lookForRequests(long now) {
        if (query != null && !query.isDone()) {
            return;
        }
        lookedNanos = now;
        found.set(NOTHING);
        query = started(() -> found(around.peers().open(id)));
    }

    /**
     * Starts to remove old rows if it is time. Every write calls this method, even if this instance seldom writes,
     * because the peers that left the rows behind may never write again.
     */
    private void removeOldRows(long now) {
        if (now - removedNanos >= REMOVE_EVERY_NANOS && mayRowsBeLeft()) {
            removedNanos = now;
            removal = started(() -> around.peers().removeOld(id));
        }
    }

    /**
     * Whether a removal may find rows: none is under way, and the last one left some or failed, or a peer was seen
     * since. A sequence that one instance uses alone costs one removal, not one in each minute.
     */
    private boolean mayRowsBeLeft() {
        if (removal == null) {
            return true;
        }
        return removal.isDone()
                && (removal.isCompletedExceptionally()
                        || removal.getNow(true)
                        || seenNanos - (removedNanos - REMOVE_EVERY_NANOS) >= 0);
    }

    private List<PeerRequest> found(List<PeerRequest> requests) {
        if (requests.stream().anyMatch(this::isOfPeer)) {
            found.set(requests);
            wake.run();
        }
        return requests;
    }

    /** Starts a request on another thread; null if no thread is available. The next write tries again. */
    private <T> @Nullable CompletableFuture<T> started(Supplier<T> request) {
        try {
            return CompletableFuture.supplyAsync(request, around.leaders());
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            return null;
        }
    }

    /**
     * Returns the result of a look; null if it failed or takes too long. A look is only an optimization, so its failure
     * is no problem.
     */
    private <T> @Nullable T awaited(CompletableFuture<T> look) {
        try {
            return time.await(look, patience);
        } catch (ExecutionException | TimeoutException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
