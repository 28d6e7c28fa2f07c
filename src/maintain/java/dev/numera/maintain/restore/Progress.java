package dev.numera.maintain.restore;

import dev.numera.core.retry.Clock;
import java.time.Duration;
import java.util.function.Consumer;

/** Reports from time to time how much of a long task is done, and how long the rest will take. Thread-safe. */
final class Progress {
    private static final Duration EVERY = Duration.ofSeconds(5);
    /** The fewest items for an estimate of the time left. The first items can take as long as many others. */
    private static final long ENOUGH_FOR_ESTIMATE = 1_000;

    /** The share of all items that is enough for an estimate, even if it is fewer items. */
    private static final double ENOUGH_SHARE = 0.2;

    private final String what;
    private final long total;
    private final Clock time;
    private final Consumer<String> lines;
    private final long startedNanos;
    private final long doneBefore;
    private long reportedNanos;
    private long done;

    /**
     * @param what the plural noun for the counted items, such as "rows"
     * @param total the count of all items, exact or approximate
     * @param doneBefore the count of items that an earlier, interrupted run has completed
     */
    Progress(String what, long total, long doneBefore, Clock time, Consumer<String> lines) {
        this.what = what;
        this.total = total;
        this.time = time;
        this.lines = lines;
        this.doneBefore = doneBefore;
        this.done = doneBefore;
        this.startedNanos = time.nanoTime();
        this.reportedNanos = startedNanos;
    }

    /** Adds completed items. Reports the progress if the last report is at least {@link #EVERY} old. */
    synchronized void add(long more) {
        done += more;
        long now = time.nanoTime();
        if (now - reportedNanos >= EVERY.toNanos()) {
            reportedNanos = now;
            lines.accept(text(now));
        }
    }

    private String text(long now) {
        String counted = String.format("%,d of %,d %s", done, Math.max(total, done), what);
        long doneNow = done - doneBefore;
        boolean isEnough = doneNow > 0 && doneNow >= Math.min(ENOUGH_FOR_ESTIMATE, ENOUGH_SHARE * (total - doneBefore));
        if (!isEnough || done >= total) {
            return counted + ".";
        }
        Duration left = Duration.ofNanos((long) ((double) (now - startedNanos) / doneNow * (total - done)));
        return counted + ", about "
                + (left.toMinutes() > 1 ? left.toMinutes() + " minutes" : left.toSeconds() + " seconds") + " left.";
    }
}
