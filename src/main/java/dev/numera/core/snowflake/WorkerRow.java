package dev.numera.core.snowflake;

import org.jspecify.annotations.Nullable;

/**
 * What storage holds of a worker number.
 *
 * @param owner made at random each time the number is taken
 * @param bound no id of the owner has a later tick
 * @param renewedAt the tick of the owner's clock when it wrote this
 * @param version for the next conditional write; null where there is no row yet
 */
public record WorkerRow(int worker, String owner, long bound, long renewedAt, @Nullable String version) {
    public static final int WORKERS = IdLayout.WORKERS;
    public static final long LAST_TICK = IdLayout.LAST_TICK;

    /** Of a row that cannot be read: no owner may take its number, since it is unknown which one has it. */
    public static WorkerRow unreadable(int worker, String version) {
        return new WorkerRow(worker, "", LAST_TICK, LAST_TICK, version);
    }

    /** Of a number that no owner had, or whose row was lost: these cannot be distinguished. */
    static WorkerRow absent(int worker) {
        return new WorkerRow(worker, "", -1, -1, null);
    }

    /** Whether its owner has surely let it lapse, by any clock. */
    boolean isFree(long now) {
        return version == null || renewedAt + Lease.TICKS + Lease.CLOCKS_DIFFER < now;
    }
}
