package dev.numera.core.counter;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Versioned;
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
 * What an instance knows of its peers, the others that use its counter: whether there were any lately, what they
 * request, and how long a request takes. Looks for it beside its own writes, so that no call waits for the look.
 *
 * <p>Belongs to the leader of the line, but for {@link #hasFound}.
 */
final class PeerWatcher {
    /** So long after the last trace of a peer every write looks for requests. */
    private static final long LATELY_NANOS = Duration.ofSeconds(1).toNanos();
    /** So long the counter is read beside a write after a rest, in case a peer has written. */
    private static final long WARY_NANOS = Duration.ofSeconds(30).toNanos();
    /** How often a busy instance looks for requests without having seen a peer. */
    private static final long LOOK_EVERY_NANOS = Duration.ofMillis(100).toNanos();

    /** The shortest interval between two removals of old rows. */
    private static final long REMOVE_EVERY_NANOS = Duration.ofMinutes(1).toNanos();
    /** What takes longer is due to a failure, not to the distance: no instance pauses for it. */
    private static final long LONGEST_ROUND_TRIP_NANOS = Duration.ofMillis(100).toNanos();

    private static final int MAX_HANDLED = 1_000;
    private static final int SMOOTHING = 8;
    private static final List<PeerRequest> NOTHING = List.of();

    /**
     * What was found.
     *
     * @param requests open ones of other processes; null where they were not looked for, or could not be read
     */
    record Look(Optional<Versioned<CounterState>> counter, @Nullable List<PeerRequest> requests) {}

    private final CounterId id;
    private final CounterEnvironment around;
    private final Duration patience;
    private final Runnable wake;
    private final PeerTurns turns = new PeerTurns();
    private final AtomicReference<List<PeerRequest>> found = new AtomicReference<>(NOTHING);
    /** The ids of requests that were answered here, or cannot be. */
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
    private long lookedNanos;
    private long removedNanos;
    private long busySinceNanos;
    private long wroteNanos;
    private long pauseUntilNanos;

    /**
     * @param patience how long a look or a pause may take at most
     * @param wake is run, on any thread, when requests were found
     */
    PeerWatcher(CounterId id, CounterEnvironment around, Duration patience, Runnable wake) {
        this.id = id;
        this.around = around;
        this.patience = patience;
        this.wake = wake;
        long now = around.time().nanoTime();
        this.seenNanos = now - WARY_NANOS;
        this.lookedNanos = now;
        this.removedNanos = now;
        this.wroteNanos = now - LOOK_EVERY_NANOS;
        this.pauseUntilNanos = now;
    }

    void saw() {
        seenNanos = around.time().nanoTime();
    }

    boolean wereSeenLately() {
        return around.time().nanoTime() - seenNanos < LATELY_NANOS;
    }

    /** How long a storage request takes, as they were lately. */
    long roundTripNanos() {
        return roundTripNanos;
    }

    void took(long nanos) {
        long bounded = Math.min(nanos, LONGEST_ROUND_TRIP_NANOS);
        roundTripNanos = roundTripNanos == 0 ? bounded : roundTripNanos + (bounded - roundTripNanos) / SMOOTHING;
    }

    /**
     * To be called when a write is sent: what will be needed after it is read meanwhile.
     *
     * @param isKept whether it is computed from the last write, not from a read
     */
    void beside(boolean isKept) {
        long now = around.time().nanoTime();
        long rested = now - wroteNanos;
        if (rested >= LOOK_EVERY_NANOS) {
            busySinceNanos = now;
        }
        if (wereSeenLately() || now - Math.max(lookedNanos, busySinceNanos) >= LOOK_EVERY_NANOS) {
            lookForRequests(now);
        }
        removeOldRows(now);
        boolean mayBeStale = isKept && rested > 2 * roundTripNanos && now - seenNanos < WARY_NANOS;
        besides = mayBeStale ? started(() -> around.store().read(id)) : null;
    }

    /**
     * Records a won write.
     *
     * @param answered the requests that it answered, though a look that was under way meanwhile still finds them open
     * @param allocations those with a key, of peers and of this instance
     */
    void wrote(List<PeerRequest> answered, List<Allocation> allocations) {
        wroteNanos = around.time().nanoTime();
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
     * The counter and, where peers were seen lately, what they request; one round trip, or less where it was read
     * beside a write that was lost: then requests are not waited for, since the next write may be lost for a state that
     * is old.
     *
     * @param stale the version that is known to be over
     * @throws StoreFailure there is no trustworthy answer about the counter
     */
    Look look(@Nullable String stale) {
        Optional<Versioned<CounterState>> beside = readBesides(stale);
        if (beside.isPresent()) {
            return new Look(beside, null);
        }
        if (!wereSeenLately()) {
            return new Look(around.store().read(id), null);
        }
        long now = around.time().nanoTime();
        lookForRequests(now);
        Optional<Versioned<CounterState>> counter = around.store().read(id);
        took(around.time().nanoTime() - now);
        List<PeerRequest> requests = query == null ? null : awaited(query);
        found.set(NOTHING);
        return new Look(counter, requests == null ? null : ofPeers(requests));
    }

    /**
     * Whether one of these requests, which a write would answer, is at another version now. Blocks for one request for
     * each that was not just found: the list of open ones leaves out those that are old or were handled here.
     *
     * @param open as they were found after the write; null where they were not looked for
     * @throws StoreFailure there is no trustworthy answer about one of them
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
                .find(id, request.process())
                .map(PeerRequest::version)
                .equals(Optional.of(request.requireVersion()));
    }

    private Optional<Versioned<CounterState>> readBesides(@Nullable String stale) {
        CompletableFuture<Optional<Versioned<CounterState>>> read = besides;
        besides = null;
        Optional<Versioned<CounterState>> counter = read == null ? null : awaited(read);
        return counter == null
                ? Optional.empty()
                : counter.filter(state -> stale != null && !stale.equals(state.version()));
    }

    /** Whether requests were found that no leader has taken. Thread-safe. */
    boolean hasFound() {
        return found.get() != NOTHING;
    }

    /** The requests that were found since the last time, the newest look's only. */
    List<PeerRequest> takeFound() {
        return ofPeers(Objects.requireNonNull(found.getAndSet(NOTHING)));
    }

    /** What was found is of no use: another instance writes. */
    void dropFound() {
        found.set(NOTHING);
    }

    /** Only their own instances can decide on these: the others among them get a pause to write in, once. */
    void leave(List<PeerRequest> requests) {
        for (PeerRequest request : requests) {
            if (isOfPeer(request) && handled.add(request.id())) {
                // Calls that come meanwhile wait, too: no longer than for a request that is not answered.
                pauseUntilNanos = around.time().nanoTime() + PeerTurns.pauseNanos(roundTripNanos, patience.toNanos());
            }
        }
    }

    /** Pauses if another instance is still to be let through; returns whether it did. */
    boolean pauseForOthers() {
        long left = pauseUntilNanos - around.time().nanoTime();
        if (left <= 0) {
            return false;
        }
        around.time().pause(Duration.ofNanos(left));
        return true;
    }

    /** Whether another process requests. */
    boolean isOfPeer(PeerRequest request) {
        return !request.process().equals(around.process());
    }

    private List<PeerRequest> ofPeers(List<PeerRequest> requests) {
        List<PeerRequest> others =
                unhandled(requests.stream().filter(this::isOfPeer).toList());
        if (!others.isEmpty()) {
            saw();
        }
        return others;
    }

    /** Those that were neither answered here nor left to their own instances. */
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

    /** Null where no thread is to be had: it is looked for the next time. */
    private <T> @Nullable CompletableFuture<T> started(Supplier<T> request) {
        try {
            return CompletableFuture.supplyAsync(request, around.leaders());
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            return null;
        }
    }

    /** Null where it failed or takes too long: it only saves others a wait. */
    private <T> @Nullable T awaited(CompletableFuture<T> look) {
        try {
            return around.time().await(look, patience);
        } catch (ExecutionException | TimeoutException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
