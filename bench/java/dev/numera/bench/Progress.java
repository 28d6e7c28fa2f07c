package dev.numera.bench;

/** Prints the progress of a run. */
final class Progress {
    private static final long BEGAN_NANOS = System.nanoTime();

    private Progress() {}

    static void say(String line) {
        System.out.printf("%4d s  %s%n", (System.nanoTime() - BEGAN_NANOS) / 1_000_000_000, line);
    }
}
