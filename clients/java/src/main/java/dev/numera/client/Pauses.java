package dev.numera.client;

/** A clock that can pause. Tests replace it. */
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

    /** Returns the seconds of a monotonic clock. */
    double now();

    void sleep(double seconds) throws InterruptedException;
}
