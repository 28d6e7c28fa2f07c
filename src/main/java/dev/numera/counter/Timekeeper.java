package dev.numera.counter;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** The clock, and waiting by it. Tests bring their own. */
public interface Timekeeper {
    Timekeeper SYSTEM = new Timekeeper() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.now();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(duration.toNanos());
        }
    };

    /** A time that only serves to measure, in nanoseconds. */
    long nanoTime();

    Instant now();

    /** Blocks the calling thread. */
    void sleep(Duration duration) throws InterruptedException;
}
