package dev.numera.core.snowflake;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A worker number that this process holds. Times are ticks of its own clock. Immutable.
 *
 * <p>Why no id is allocated twice: a process becomes the owner of a number only by a conditional write of the number's
 * row. Each owner starts beyond the bound that it found in the row, and allocates no id beyond the bound that it last
 * wrote. Example: owner A has written bound 1000 and allocated ids up to tick 990. Owner B takes the number and starts
 * at tick 1001 or later, so even an id that A allocates late is different. This needs no clock.
 *
 * <p>The clocks matter only if a row was lost or set back, because the old bound is then unknown. For that case an
 * owner also starts beyond every bound that an earlier owner can have written, if the clocks differ by less than
 * {@link #CLOCKS_DIFFER} and the ids of that owner had not run ahead of its clock. See
 * {@code docs/decisions/snowflake-ids-use-leased-worker-numbers.md}.
 *
 * @param start the earliest tick of an id; it was in the future when the number was taken
 * @param takenAt the tick at which the number was taken
 * @param renewedAt the tick at which the last write that is known to have won was computed
 * @param bound the latest tick of an id, whatever the clock shows
 * @param version the version of the row; null if the answer to a write was lost, so that the row must be read
 */
record Lease(int worker, String owner, long start, long takenAt, long renewedAt, long bound, @Nullable String version) {
    static final Duration DURATION = Duration.ofSeconds(30);
    static final long TICKS = IdLayout.ticks(DURATION);
    /** The largest difference of the instances' clocks at which ids stay distinct even if rows are lost or set back. */
    static final long CLOCKS_DIFFER = IdLayout.ticks(Duration.ofMinutes(2));

    /** Returns the start tick of an owner that takes a number now. */
    static long startAfter(WorkerRow row, long now) {
        return Math.max(row.bound(), now + TICKS + CLOCKS_DIFFER) + 1;
    }

    /** @param row the row that was written to take the number */
    static Lease taken(WorkerRow row, long start, @Nullable String version) {
        return new Lease(row.worker(), row.owner(), start, row.renewedAt(), row.renewedAt(), row.bound(), version);
    }

    /** Returns the row to write for taking a number, which another owner may have had. */
    static WorkerRow taking(WorkerRow free, String owner, long now) {
        return new WorkerRow(free.worker(), owner, startAfter(free, now) + TICKS, now, free.version());
    }

    /**
     * Returns the latest tick that ids may have now. The ids start ahead of the clock. If one tick has too few ids for
     * the demand, they move on to later ticks, but only at nine tenths of the clock's speed, so the clock catches up.
     */
    long reach(long now) {
        return Math.max(now, start + Math.max(0, now - takenAt) * 9 / 10);
    }

    /** Whether the lease is too old to be renewed, because another process may soon take the number. */
    boolean hasLapsed(long now) {
        return now > renewedAt + TICKS;
    }

    /**
     * Returns the row to write for renewing the lease.
     *
     * @param lastTick the tick of the last id that this process has allocated; the bound is set no farther ahead than
     *     necessary
     */
    WorkerRow renewal(long now, long lastTick) {
        return new WorkerRow(worker, owner, Math.max(bound, Math.max(now, lastTick) + TICKS), now, version);
    }

    /** Returns this lease with the times of the written row. */
    Lease as(WorkerRow row, @Nullable String newVersion) {
        return new Lease(worker, owner, start, takenAt, row.renewedAt(), row.bound(), newVersion);
    }

    /** Returns this lease without a version, because a renewal got no answer. The renewal counts as not made. */
    Lease unsure() {
        return new Lease(worker, owner, start, takenAt, renewedAt, bound, null);
    }

    /** Whether a row is this owner's last write, or a renewal whose answer was lost. */
    boolean isIn(WorkerRow row) {
        return row.owner().equals(owner) && row.bound() >= bound;
    }
}
