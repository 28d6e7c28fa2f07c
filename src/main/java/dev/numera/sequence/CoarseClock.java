package dev.numera.sequence;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Nanoseconds that may lag behind by about {@value #TICK_MILLIS} ms, for the price of a field: {@link System#nanoTime} costs more than a
 * number from a block does. The thread that moves it starts with the first reading.
 */
public final class CoarseClock implements LongSupplier {
    private static final long TICK_MILLIS = 50;

    private volatile long nanos;
    private volatile boolean isRunning;

    @Override
    public long getAsLong() {
        if (!isRunning) {
            start();
        }
        return nanos;
    }

    private synchronized void start() {
        if (isRunning) {
            return;
        }
        nanos = System.nanoTime();
        Thread ticking = new Thread(this::tick, "numera-coarse-clock");
        ticking.setDaemon(true);
        ticking.start();
        isRunning = true;
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
