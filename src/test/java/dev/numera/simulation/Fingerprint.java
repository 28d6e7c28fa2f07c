package dev.numera.simulation;

/**
 * A hash of 128 bits over a growing text, mixed so that no two of a million different texts should have the same hash.
 */
final class Fingerprint {
    /** The hash of the text so far. */
    record Bits(long high, long low) {}

    private static final long PRIME = 0x100000001b3L;
    private static final long ODD = 0x9e3779b97f4a7c15L;
    private static final int TURN = 27;

    private long high = 1;
    private long low = 1;

    Fingerprint add(String text) {
        for (int unit = 0; unit < text.length(); unit++) {
            add(text.charAt(unit));
        }
        return add(Character.MAX_VALUE);
    }

    private Fingerprint add(char unit) {
        high = (high ^ unit) * PRIME;
        high ^= high >>> TURN;
        low = Long.rotateLeft(low + unit * ODD, TURN) * ODD;
        return this;
    }

    Fingerprint add(Fingerprint other) {
        return add(other.high + " " + other.low);
    }

    Bits bits() {
        return new Bits(high, low);
    }
}
