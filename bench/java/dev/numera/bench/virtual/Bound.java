package dev.numera.bench.virtual;

/**
 * What no scheme that keeps the order of numbers can beat, in round trips of the median: docs/benchmarks.md derives it.
 * One write of a sequence is under way at a time, and carries at most 98 keys.
 */
record Bound(Scene scene) {
    private static final double KEYS_A_WRITE = 98;
    private static final double HALF_A_ROUND_TRIP = 0.5;
    /** Of a normal distribution: 99 of 100 values are below. */
    private static final double DEVIATIONS_OF_P99 = 2.326;

    private static final double MILLIS_A_SECOND = 1_000;

    /** How long a call takes: its own write, and the rest of the one that is under way when it comes. */
    double p50Rtt() {
        return Math.max(1 + HALF_A_ROUND_TRIP * busyShare(), scene.callers() / callsAWrite());
    }

    /** Of the slowest of a hundred: that of its own write. */
    double p99Rtt() {
        return Math.exp(DEVIATIONS_OF_P99 * scene.storage().sigma());
    }

    /** Numbers in a round trip, as a part of one for each caller. */
    double ofCallersPerRtt() {
        return 1 / p50Rtt();
    }

    /** How likely a write is under way when a call comes. The callers of one instance come when it ends. */
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
