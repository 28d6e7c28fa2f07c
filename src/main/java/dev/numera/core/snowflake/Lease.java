package dev.numera.core.snowflake;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A worker number that this process has. Times are ticks of its own clock. Immutable.
 *
 * <p>Why no id is allocated twice: the owners of a number follow one another by conditional writes of its row, each
 * begins beyond the bound that was there, and none allocates an id beyond a bound that it knows to be there. That needs
 * no clock. The clocks are for rows that were lost or set back: an owner also begins beyond any bound that another one
 * can have had whose clock differs by less than {@link #CLOCKS_DIFFER}, and had caught up with its ids. See
 * {@code docs/decisions/snowflake-ids-use-leased-worker-numbers.md}.
 *
 * @param start no id has an earlier tick; ahead of the clock when the number was taken
 * @param takenAt when it was taken
 * @param renewedAt when the last write that surely was won was computed
 * @param bound no id has a later tick, whatever the clock says
 * @param version of the row; null where the answer to a write was lost, so that it must be read
 */
record Lease(int worker, String owner, long start, long takenAt, long renewedAt, long bound, @Nullable String version) {
    static final Duration DURATION = Duration.ofSeconds(30);
    static final long TICKS = IdLayout.ticks(DURATION);
    /** Clocks of the instances must differ by less, where rows are lost or set back. */
    static final long CLOCKS_DIFFER = IdLayout.ticks(Duration.ofMinutes(2));

    /** The start of an owner that takes a number now. */
    static long startAfter(WorkerRow row, long now) {
        return Math.max(row.bound(), now + TICKS + CLOCKS_DIFFER) + 1;
    }

    /** @param row as it was written to take the number */
    static Lease taken(WorkerRow row, long start, @Nullable String version) {
        return new Lease(row.worker(), row.owner(), start, row.renewedAt(), row.renewedAt(), row.bound(), version);
    }

    /** What is written to take a number, which another owner may have had. */
    static WorkerRow taking(WorkerRow free, String owner, long now) {
        return new WorkerRow(free.worker(), owner, startAfter(free, now) + TICKS, now, free.version());
    }

    /**
     * The latest tick that ids may have now. Where so many are requested that their time runs on from the start, it
     * runs slower than the clock, which so catches up.
     */
    long reach(long now) {
        return Math.max(now, start + Math.max(0, now - takenAt) * 9 / 10);
    }

    /** Whether it is not to be renewed any more: another process may soon take the number. */
    boolean hasLapsed(long now) {
        return now > renewedAt + TICKS;
    }

    /**
     * What is written to renew it.
     *
     * @param lastTick of any id that this process has allocated: the bound is no farther ahead than it must be
     */
    WorkerRow renewal(long now, long lastTick) {
        return new WorkerRow(worker, owner, Math.max(bound, Math.max(now, lastTick) + TICKS), now, version);
    }

    /** This lease, as its row has it. */
    Lease as(WorkerRow row, @Nullable String newVersion) {
        return new Lease(worker, owner, start, takenAt, row.renewedAt(), row.bound(), newVersion);
    }

    /** A renewal without an answer counts as not made. */
    Lease unsure() {
        return new Lease(worker, owner, start, takenAt, renewedAt, bound, null);
    }

    /** Whether a row is what this owner wrote last, or a renewal whose answer was lost. */
    boolean isIn(WorkerRow row) {
        return row.owner().equals(owner) && row.bound() >= bound;
    }
}
