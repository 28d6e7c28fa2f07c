package dev.numera.client;

/** The time, and a pause: a test has its own. */
interface Pauses {
    Pauses SYSTEM = new Pauses() {
        @Override
        public double now() {
            return System.nanoTime() / 1e9;
        }

        @Override
        public void sleep(double seconds) throws InterruptedException {
            Thread.sleep(Math.round(1000 * seconds));
        }
    };

    /** Seconds of a monotonic clock. */
    double now();

    void sleep(double seconds) throws InterruptedException;
}
