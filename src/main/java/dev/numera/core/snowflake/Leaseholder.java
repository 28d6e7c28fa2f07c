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
 * The lease of this process: taken when the first id is requested, renewed from then on by a thread of its own.
 *
 * <p>A renewal that is refused means that the row was lost, set back or taken: the lease is given up at once. One whose
 * answer is lost changes nothing until the row was read. A lease that lapsed, because no renewal came through, is not
 * renewed any more: ids are allocated up to its bound, and as soon as storage answers another number is taken, at
 * random among those that are free.
 *
 * <p>Thread-safe; one for each process.
 */
final class Leaseholder {
    /** Two renewals may fail before the lease lapses. */
    static final Duration RENEWED_EVERY = Lease.DURATION.dividedBy(3);

    private static final int MAX_TRIES = 10;
    /** Callers that wait together for a lease that cannot be taken are refused together. */
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
     * @param random from 0 to 1, which is excluded
     * @param threads runs one task, which never ends
     * @param lastTick of any id that this process has allocated
     */
    Leaseholder(WorkerStore store, Clock time, DoubleSupplier random, Executor threads, LongSupplier lastTick) {
        this.lastTick = lastTick;
        this.store = store;
        this.time = time;
        this.random = random;
        this.threads = threads;
    }

    /** The lease; null where there is none. Does not block. */
    @Nullable
    Lease held() {
        return held;
    }

    /**
     * A lease that is not this one: renewed or taken here, unless another thread has done so meanwhile. Blocks for
     * storage requests.
     *
     * @param useless null for none
     * @param cost grows where this call itself renews or takes the lease
     * @throws ProblemException {@code overloaded} where no worker number is free, or another thread is too slow;
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

    /** Leases a worker number; keeps the problem for the callers that come at once, which are not to try it, too. */
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
                "No worker number for snowflake ids was leased in time: the storage is slow. Try again later.");
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
            // Whatever ended it: the next caller who needs a lease starts it again.
            isKept.set(false);
        }
    }

    private void renewOrWarn() {
        try {
            renew();
        } catch (ProblemException e) {
            LOG.log(Level.WARNING, "The lease of a worker number was not renewed: {0}", e.getMessage());
        }
    }

    /**
     * Renews the lease, or takes another number where it is lost or has lapsed. Blocks for storage requests.
     *
     * @throws ProblemException as {@link #another}
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

    /** The lease for longer; null where it is lost. */
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
        LOG.log(Level.WARNING, "Worker number {0} for snowflake ids is lost: its row was changed.", known.worker());
        return null;
    }

    /** The present lease, after the answer to a write was lost; null where it is lost itself. */
    private @Nullable Lease found(Lease lease) {
        return store.find(lease.worker())
                .filter(lease::isIn)
                .map(row -> lease.as(row, row.version()))
                .orElse(null);
    }

    private Lease taken() {
        return RetryPolicy.untilWon(time, "Each free worker number for snowflake ids", MAX_TRIES, this::taking);
    }

    /** Takes a free number, if no other process is faster. */
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
     * At random: who takes a number whose row was just lost for the second time should not hit the same one, and
     * processes that start together should not all try the same.
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
                    "All " + IdLayout.WORKERS + " worker numbers for snowflake ids are taken. One is free again "
                            + (Lease.TICKS + Lease.CLOCKS_DIFFER) * IdLayout.MILLIS_A_TICK / 1_000
                            + " s after its process has stopped; let fewer processes run.");
        }
        return free.get((int) (random.getAsDouble() * free.size()));
    }

    private long now() {
        return IdLayout.tick(time.now());
    }
}
