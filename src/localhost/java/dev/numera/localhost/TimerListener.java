package dev.numera.localhost;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Runs a function by its schedule, in UTC. Skips times that pass while a run is in progress or while the host is down.
 * Thread-safe.
 */
final class TimerListener implements AutoCloseable {
    /** The fields of the real host's input that a function can use. */
    private static final String TIMER = "{\"Schedule\":{\"AdjustForDST\":true},\"IsPastDue\":false}";

    private static final Logger LOG = Logger.getLogger("Host.Timer");

    private final Function function;
    private final CronSchedule schedule;
    private final ScheduledThreadPoolExecutor thread =
            new ScheduledThreadPoolExecutor(1, task -> new DaemonThread(task, "timer"));

    private TimerListener(Function function, CronSchedule schedule) {
        this.function = function;
        this.schedule = schedule;
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** @throws StartRefused the schedule is missing, or is not an NCRONTAB expression */
    static TimerListener start(Function function, AppSettings settings) {
        String schedule = settings.resolve(function.trigger().get("schedule").getAsString());
        try {
            TimerListener listener = new TimerListener(function, CronSchedule.parse(schedule));
            listener.awaitNext();
            return listener;
        } catch (IllegalArgumentException e) {
            throw new StartRefused(
                    "Its schedule '" + schedule + "' is not an NCRONTAB expression such as 0 0 2 * * *.", e);
        }
    }

    /** Starts no further run, and waits up to {@value LocalHost#STOP_TIMEOUT_MILLIS} ms for one in progress. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            thread.awaitTermination(LocalHost.STOP_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitNext() {
        LocalDateTime now = LocalDateTime.now(ZoneOffset.UTC);
        schedule.after(now)
                .ifPresent(next ->
                        thread.schedule(this::run, Duration.between(now, next).toNanos(), TimeUnit.NANOSECONDS));
    }

    private void run() {
        try {
            function.invoke(Message.typedIn(TIMER));
        } catch (Function.Failed e) {
            LOG.log(Level.SEVERE, e.getMessage(), e.getCause());
        }
        try {
            awaitNext();
        } catch (RejectedExecutionException closed) {
            // The usual end: close() was called during the run.
        }
    }
}
