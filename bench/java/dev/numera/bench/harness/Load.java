package dev.numera.bench.harness;

/**
 * How many call at once: so many callers at each of so many instances, which are processes, or several object graphs in
 * each process.
 *
 * @param graphsEach instances in each process
 * @param callersEach callers of each instance
 * @param pauseMillis how long a caller pauses between two calls on average, exponentially distributed; 0 for not at all
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
