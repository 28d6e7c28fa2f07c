package dev.numera.counter;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Nanoseconds that may lag behind by about {@value #TICK_MILLIS} ms, for the price of a field: {@link System#nanoTime}
 * costs more than a number from a block does. The thread that moves it starts with the first reading.
 */
public final class CoarseClock implements LongSupplier {
    private static final long TICK_MILLIS = 50;

    private static final long NOT_STARTED = 0;

    private volatile long nanos = NOT_STARTED;

    @Override
    public long getAsLong() {
        long now = nanos;
        return now == NOT_STARTED ? start() : now;
    }

    private synchronized long start() {
        if (nanos == NOT_STARTED) {
            nanos = System.nanoTime();
            Thread ticking = new Thread(this::tick, "numera-coarse-clock");
            ticking.setDaemon(true);
            ticking.start();
        }
        return nanos;
    }

    private void tick() {
        try {
            while (true) {
                nanos = System.nanoTime();
                TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
            }
        } catch (InterruptedException e) {
            // Only the end of the process interrupts it.
            Thread.currentThread().interrupt();
        }
    }
}
