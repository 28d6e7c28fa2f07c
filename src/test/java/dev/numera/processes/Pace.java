package dev.numera.processes;

import dev.numera.fixtures.HostProcess;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * How callers follow each other's calls: at once, but with pauses while a process starts, which needs the processors
 * more than they do. Thread-safe.
 */
final class Pace {
    private static final Duration PAUSE = Duration.ofMillis(200);

    private volatile boolean isStarting;

    /** A process that is started while callers pause between calls. */
    HostProcess starting(Supplier<HostProcess> start) {
        isStarting = true;
        try {
            return start.get();
        } finally {
            isStarting = false;
        }
    }

    /** Of a caller after a call. */
    void pause() {
        if (isStarting) {
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }
}
