package dev.numera.core.snowflake;

import org.jspecify.annotations.Nullable;

/**
 * The stored row of a worker number.
 *
 * @param owner a random name, new each time the number is taken
 * @param bound the latest tick of the owner's ids
 * @param renewedAt the tick of the owner's clock when it wrote this row
 * @param version the version for the next conditional write; null if no row exists yet
 */
public record WorkerRow(int worker, String owner, long bound, long renewedAt, @Nullable String version) {
    public static final int WORKERS = IdLayout.WORKERS;
    public static final long LAST_TICK = IdLayout.LAST_TICK;

    /**
     * Creates a row in place of one that cannot be read. No owner may take its number, because the present owner is
     * unknown.
     */
    public static WorkerRow unreadable(int worker, String version) {
        return new WorkerRow(worker, "", LAST_TICK, LAST_TICK, version);
    }

    /**
     * Creates a row for a number without a stored row. Either no owner ever had the number, or its row was lost: these
     * two cases look the same.
     */
    static WorkerRow absent(int worker) {
        return new WorkerRow(worker, "", -1, -1, null);
    }

    /** Whether the owner's lease has surely lapsed, by the clock of any instance. */
    boolean isFree(long now) {
        return version == null || renewedAt + Lease.TICKS + Lease.CLOCKS_DIFFER < now;
    }
}
