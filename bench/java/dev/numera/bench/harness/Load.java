package dev.numera.bench.harness;

/**
 * The number of concurrent callers. Each instance has the same number of callers. An instance is a process, or one of
 * several object graphs in a process.
 *
 * @param graphsEach instances in each process
 * @param callersEach callers of each instance
 * @param pauseMillis the mean pause of a caller between two calls, exponentially distributed; 0 for no pause
 */
public record Load(int processes, int graphsEach, int callersEach, long pauseMillis) {
    public Load(int processes, int callersEach) {
        this(processes, 1, callersEach, 0);
    }

    public Load pausing(long meanMillis) {
        return new Load(processes, graphsEach, callersEach, meanMillis);
    }

    public int instances() {
        return processes * graphsEach;
    }

    public int callers() {
        return instances() * callersEach;
    }

    @Override
    public String toString() {
        if (processes > 1) {
            return processes + " processes x " + callersEach;
        }
        return callersEach == 1 ? "1 caller" : callersEach + " callers";
    }
}
