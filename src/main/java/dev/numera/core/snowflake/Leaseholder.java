package dev.numera.core.snowflake;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.RetryPolicy;
import dev.numera.core.retry.WriteResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Holds the lease of this process. The first request for an id takes a worker number; from then on, a background thread
 * renews the lease.
 *
 * <p>Three things can go wrong:
 *
 * <ul>
 *   <li>A renewal is refused: the row was lost, set back or taken by another process. The lease ends at once.
 *   <li>The answer to a renewal is lost. The old bound stays valid until the row was read.
 *   <li>The lease lapses, because no renewal reached storage in time. It is never renewed. Ids are still allocated up
 *       to its bound, and as soon as storage answers, the process takes another free number at random.
 * </ul>
 *
 * <p>Thread-safe; one for each process.
 */
final class Leaseholder {
    /** The interval of renewals. Two of them may fail before the lease lapses. */
    static final Duration RENEWED_EVERY = Lease.DURATION.dividedBy(3);

    private static final int MAX_TRIES = 10;
    /** The time for which a failure to take a lease is returned to further callers without another attempt. */
    private static final Duration FAILURE_IS_TOLD = Duration.ofMillis(100);

    private static final Logger LOG = Logger.getLogger(Leaseholder.class.getName());

    private final WorkerStore store;
    private final Clock time;
    private final DoubleSupplier random;
    private final Executor threads;
    private final LongSupplier lastTick;
    private final ReentrantLock work = new ReentrantLock();
    private final AtomicBoolean isKept = new AtomicBoolean();
    private volatile @Nullable Lease held;
    private @Nullable ProblemException failure;
    private long failedNanos;

    /**
     * @param random returns numbers from 0 to 1, never 1 itself
     * @param threads runs one task, which never ends
     * @param lastTick returns the tick of the last id that this process has allocated
     */
    Leaseholder(WorkerStore store, Clock time, DoubleSupplier random, Executor threads, LongSupplier lastTick) {
        this.lastTick = lastTick;
        this.store = store;
        this.time = time;
        this.random = random;
        this.threads = threads;
    }

    /** Returns the lease; null if this process has none. Does not block. */
    @Nullable
    Lease held() {
        return held;
    }

    /**
     * Returns a lease other than the useless one. Renews or takes a lease, unless another thread has done so meanwhile.
     * Blocks for storage requests.
     *
     * @param useless the lease that the caller cannot use; null for none
     * @param cost grows if this call itself renews or takes the lease
     * @throws ProblemException {@code overloaded} if no worker number is free, or another thread is too slow;
     *     {@code storage-unavailable}
     */
    Lease another(@Nullable Lease useless, Deadline deadline, LeaseCost cost) {
        lock(deadline);
        try {
            Lease present = held;
            if (present != null && !present.equals(useless)) {
                return present;
            }
            requireNotJustFailed();
            cost.attempt();
            return leased();
        } finally {
            work.unlock();
        }
    }

    /**
     * Leases a worker number. Keeps a problem, so that callers that arrive right after it do not repeat the attempt.
     */
    private Lease leased() {
        try {
            Lease lease = refreshed();
            keep();
            return lease;
        } catch (ProblemException e) {
            failure = e;
            failedNanos = time.nanoTime();
            throw e;
        }
    }

    private void lock(Deadline deadline) {
        try {
            if (work.tryLock(deadline.left().toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new ProblemException(
                ProblemType.OVERLOADED,
                "This instance could not lease a worker number for snowflake ids in time, because storage is slow. Try"
                        + " again later.");
    }

    private void requireNotJustFailed() {
        if (failure != null && time.nanoTime() - failedNanos < FAILURE_IS_TOLD.toNanos()) {
            throw failure;
        }
    }

    private void keep() {
        if (isKept.compareAndSet(false, true)) {
            boolean isStarted = false;
            try {
                threads.execute(this::renewAgainAndAgain);
                isStarted = true;
            } finally {
                if (!isStarted) {
                    isKept.set(false);
                }
            }
        }
    }

    private void renewAgainAndAgain() {
        try {
            while (true) {
                time.sleep(RENEWED_EVERY);
                renewOrWarn();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            // The next caller that needs a lease starts the thread again, whatever ended it.
            isKept.set(false);
        }
    }

    private void renewOrWarn() {
        try {
            renew();
        } catch (ProblemException e) {
            LOG.log(
                    Level.WARNING,
                    "The lease of the worker number for snowflake ids was not renewed. The next attempt follows in {0} s."
                            + " Cause: {1}",
                    new Object[] {RENEWED_EVERY.toSeconds(), e.getMessage()});
        }
    }

    /**
     * Renews the lease, or takes another number if the lease is lost or has lapsed. Blocks for storage requests.
     *
     * @throws ProblemException the problems of {@link #another}
     */
    void renew() {
        work.lock();
        try {
            refreshed();
        } finally {
            work.unlock();
        }
    }

    private Lease refreshed() {
        Lease present = held;
        Lease renewed = present == null || present.hasLapsed(now()) ? null : renewed(present);
        Lease next = renewed == null ? taken() : renewed;
        held = next;
        return next;
    }

    /** Returns the renewed lease; null if the lease is lost. */
    private @Nullable Lease renewed(Lease lease) {
        Lease known = lease.version() == null ? found(lease) : lease;
        if (known == null) {
            held = null;
            return null;
        }
        WorkerRow renewal = known.renewal(now(), lastTick.getAsLong());
        WriteResult result = store.write(renewal);
        if (result instanceof WriteResult.Unknown unknown) {
            held = known.unsure();
            throw unknown.cause();
        }
        if (result instanceof WriteResult.Won won) {
            return known.as(renewal, won.version());
        }
        held = null;
        LOG.log(
                Level.WARNING,
                "Worker number {0} for snowflake ids is lost, because its row was changed. This instance takes"
                        + " another number.",
                known.worker());
        return null;
    }

    /** Reads the lease from its row after the answer to a write was lost; null if the lease itself is lost. */
    private @Nullable Lease found(Lease lease) {
        return store.find(lease.worker())
                .filter(lease::isIn)
                .map(row -> lease.as(row, row.version()))
                .orElse(null);
    }

    private Lease taken() {
        return RetryPolicy.untilWon(time, "Each free worker number for snowflake ids", MAX_TRIES, this::taking);
    }

    /** Takes a free number; empty if another process was faster. */
    private Optional<Lease> taking() {
        List<WorkerRow> rows = store.all();
        long now = now();
        WorkerRow free = anyFree(rows, now);
        WorkerRow taking = Lease.taking(free, UUID.randomUUID().toString(), now);
        Lease lease = Lease.taken(taking, Lease.startAfter(free, now), null);
        WriteResult result = store.write(taking);
        if (result instanceof WriteResult.Won won) {
            return Optional.of(lease.as(taking, won.version()));
        }
        return result instanceof WriteResult.Unknown ? Optional.ofNullable(found(lease)) : Optional.empty();
    }

    /**
     * Returns a free number at random. So processes that start together rarely try the same number, and a process that
     * has lost its row rarely takes the same number and loses it again.
     */
    private WorkerRow anyFree(List<WorkerRow> rows, long now) {
        Map<Integer, WorkerRow> known = rows.stream().collect(Collectors.toMap(WorkerRow::worker, Function.identity()));
        List<WorkerRow> free = IntStream.range(0, IdLayout.WORKERS)
                .mapToObj(worker -> known.getOrDefault(worker, WorkerRow.absent(worker)))
                .filter(row -> row.isFree(now))
                .toList();
        if (free.isEmpty()) {
            throw new ProblemException(
                    ProblemType.OVERLOADED,
                    "All " + IdLayout.WORKERS
                            + " worker numbers for snowflake ids are taken. Run fewer instances. A number"
                            + " becomes free "
                            + (Lease.TICKS + Lease.CLOCKS_DIFFER) * IdLayout.MILLIS_A_TICK / 1_000
                            + " s after its instance has stopped.");
        }
        return free.get((int) (random.getAsDouble() * free.size()));
    }

    private long now() {
        return IdLayout.tick(time.now());
    }
}
