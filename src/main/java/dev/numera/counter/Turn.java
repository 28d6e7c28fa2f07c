package dev.numera.counter;

import java.time.Duration;

/**
 * How long an instance may go on writing without a read. One that keeps the version from its last write can always
 * write again before those that must read first, and would starve them. So it writes in turns, and after each it
 * pauses, so that another instance gets its turn.
 *
 * <p>It cannot rely on seeing its rivals: one that loses every time leaves no trace. So turns end even while no rival
 * is known. They are bursts once a rival was seen, and grow by a burst each time that nobody used the pause, because
 * rivals that are slow miss some. They end at {@link #LONGEST}, so that an instance that is alone spends only a small
 * part of its time waiting. One that had nothing to write for the length of a burst has given the others their chance
 * already.
 *
 * <p>Belongs to the leader of the line.
 */
final class Turn {
    /** An instance that comes new to a busy counter waits for about so long, before it is seen. */
    static final Duration LONGEST = Duration.ofSeconds(1);
    /** The pause after a long turn: long enough for a rival's backoff to end within it. */
    private static final int PAUSES_A_TURN = 16;

    private final long burstNanos;
    private long lengthNanos = LONGEST.toNanos();
    private boolean isUnderWay;
    private long beganNanos;
    private long lastWroteNanos;

    Turn(Duration burst) {
        this.burstNanos = burst.toNanos();
    }

    void sawRival() {
        lengthNanos = burstNanos;
        isUnderWay = false;
    }

    /** Nobody used the pause. */
    void sawNobody() {
        lengthNanos = Math.min(lengthNanos + burstNanos, LONGEST.toNanos());
    }

    void wrote(long nowNanos) {
        if (!isUnderWay) {
            isUnderWay = true;
            beganNanos = nowNanos;
        }
        lastWroteNanos = nowNanos;
    }

    /** To be asked before each attempt. */
    boolean isOver(long nowNanos) {
        if (nowNanos - lastWroteNanos >= burstNanos) {
            // It rested: whoever wanted to write could.
            isUnderWay = false;
        }
        return isUnderWay && nowNanos - beganNanos >= lengthNanos;
    }

    /**
     * Ends the turn. Returns how long to let the others write; the jitter keeps two instances from alternating in step.
     */
    Duration end(double random) {
        isUnderWay = false;
        return Duration.ofNanos((long) (Math.max(burstNanos, lengthNanos / PAUSES_A_TURN) * (0.5 + random)));
    }
}
