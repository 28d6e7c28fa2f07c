package dev.numera.bench.virtual;

/**
 * One measurement: a load on one sequence.
 *
 * @param pauseMillis the mean pause of each caller between two calls, exponentially distributed; 0 for none
 * @param turnMillis if not 0, the instances take turns, and one of them is called once in this time
 * @param withKeys whether each call has a key
 */
public record Scene(
        int instances, int callersEach, int pauseMillis, int turnMillis, boolean withKeys, Storage storage) {
    Scene(int instances, int callersEach, Storage storage) {
        this(instances, callersEach, 0, 0, false, storage);
    }

    Scene pausing(int meanMillis) {
        return new Scene(instances, callersEach, meanMillis, turnMillis, withKeys, storage);
    }

    Scene inTurns(int everyMillis) {
        return new Scene(instances, callersEach, pauseMillis, everyMillis, withKeys, storage);
    }

    Scene keyed() {
        return new Scene(instances, callersEach, pauseMillis, turnMillis, true, storage);
    }

    Scene on(Storage other) {
        return new Scene(instances, callersEach, pauseMillis, turnMillis, withKeys, other);
    }

    int callers() {
        return instances * callersEach;
    }

    /** Whether callers call again as soon as they are answered. */
    boolean isBusy() {
        return pauseMillis == 0 && turnMillis == 0;
    }

    /** The name of this scene in tables. */
    public String title() {
        return instances + " x " + callersEach
                + (pauseMillis == 0 ? "" : ", pausing " + pauseMillis + " ms")
                + (turnMillis == 0 ? "" : ", in turns each " + turnMillis + " ms")
                + (withKeys ? ", with keys" : "")
                + (storage.entitiesPerSecond() == 0 ? "" : ", " + storage.entitiesPerSecond() + " entities/s")
                + (storage.stalls() ? ", stalls" : "");
    }
}
