package dev.numera.counter;

import java.time.Duration;

/**
 * How long an instance may go on writing without a read. One that keeps the version from its last write can always write again before
 * those that must read first, and would starve them. So once it has seen a rival it writes in bursts, and after each it pauses for
 * about as long, so that another instance gets its turn. When nobody used the pause, the rival is gone.
 *
 * <p>Belongs to the leader of the line.
 */
final class Turn {
    private final long burstNanos;
    private boolean hasRival;
    private boolean isUnderWay;
    private long beganNanos;

    Turn(Duration burst) {
        this.burstNanos = burst.toNanos();
    }

    void sawRival() {
        hasRival = true;
        isUnderWay = false;
    }

    void sawNobody() {
        hasRival = false;
    }

    void wrote(long nowNanos) {
        if (!isUnderWay) {
            isUnderWay = true;
            beganNanos = nowNanos;
        }
    }

    boolean isOver(long nowNanos) {
        return hasRival && isUnderWay && nowNanos - beganNanos >= burstNanos;
    }

    /** Ends the turn. Returns how long to let the others write; the jitter keeps two instances from alternating in step. */
    Duration end(double random) {
        isUnderWay = false;
        return Duration.ofNanos((long) (burstNanos * (0.5 + random)));
    }
}
