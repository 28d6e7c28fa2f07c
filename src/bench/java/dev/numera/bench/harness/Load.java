package dev.numera.bench.harness;

/** How many ask at once: so many callers in each of so many processes. */
public record Load(int processes, int callersEach) {
    public int callers() {
        return processes * callersEach;
    }

    @Override
    public String toString() {
        if (processes > 1) {
            return processes + " processes x " + callersEach;
        }
        return callersEach == 1 ? "1 caller" : callersEach + " callers";
    }
}
