package dev.numera.processes;

import dev.numera.fixtures.HostProcess;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The pace of callers: no pause between calls, except while a process starts, which needs the processors more.
 * Thread-safe.
 */
final class Pace {
    private static final Duration PAUSE = Duration.ofMillis(200);

    private volatile boolean isStarting;

    /** Starts a process while callers pause between calls. */
    HostProcess starting(Supplier<HostProcess> start) {
        isStarting = true;
        try {
            return start.get();
        } finally {
            isStarting = false;
        }
    }

    /** Pauses a caller after a call if a process is starting. */
    void pause() {
        if (isStarting) {
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }
}
