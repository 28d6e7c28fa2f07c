package dev.numera.bench.virtual;

/**
 * The theoretical bound for any scheme that keeps the order of numbers, in round trips of the median.
 * docs/benchmarks.md derives it. A sequence has one write in progress at a time, which carries at most 98 keys.
 */
record Bound(Scene scene) {
    private static final double KEYS_A_WRITE = 98;
    private static final double HALF_A_ROUND_TRIP = 0.5;
    /** The z-score of the 99th percentile: 99 of 100 values of a normal distribution are below it. */
    private static final double DEVIATIONS_OF_P99 = 2.326;

    private static final double MILLIS_A_SECOND = 1_000;

    /** The time of a call: its own write, plus the rest of the write that was in progress when the call arrived. */
    double p50Rtt() {
        return Math.max(1 + HALF_A_ROUND_TRIP * busyShare(), scene.callers() / callsAWrite());
    }

    /** The time of the slowest in a hundred calls: the time of its own write. */
    double p99Rtt() {
        return Math.exp(DEVIATIONS_OF_P99 * scene.storage().sigma());
    }

    /** The numbers per round trip, divided by the number of callers. */
    double ofCallersPerRtt() {
        return 1 / p50Rtt();
    }

    /**
     * Returns the probability that a write is in progress when a call arrives. With one busy instance it is 0, because
     * its callers call again exactly when the write ends.
     */
    private double busyShare() {
        if (scene.isBusy()) {
            return scene.instances() == 1 ? 0 : 1;
        }
        double callsPerRtt = scene.turnMillis() > 0
                ? scene.storage().medianMillis() / scene.turnMillis()
                : (scene.callers() - 1)
                        * scene.storage().medianMillis()
                        / (scene.pauseMillis() + scene.storage().medianMillis());
        return Math.min(1, callsPerRtt);
    }

    private double callsAWrite() {
        double byKeys = scene.withKeys() ? KEYS_A_WRITE : scene.callers();
        double served = scene.storage().entitiesPerSecond() * scene.storage().medianMillis() / MILLIS_A_SECOND;
        return served > 0 && scene.withKeys() ? Math.min(byKeys, served) : byKeys;
    }
}
