package dev.numera.core.format;

/** Numbers from 0 up, written with at least so many digits. Pure functions. */
final class ZeroPadded {
    /** All the digits that a 64-bit number can have. */
    static final int MAX_DIGITS = 19;

    private static final long[] POWERS_OF_TEN = powersOfTen();

    private ZeroPadded() {}

    /** Appends a number, with zeros before it up to the width: 1 to {@value #MAX_DIGITS}. It is never cut. */
    static void append(StringBuilder out, long number, int width) {
        for (int zeros = width - digits(number); zeros > 0; zeros--) {
            out.append('0');
        }
        out.append(number);
    }

    /** How many digits a number from 0 up has. */
    static int digits(long number) {
        int digits = 1;
        while (digits < MAX_DIGITS && number >= POWERS_OF_TEN[digits]) {
            digits++;
        }
        return digits;
    }

    private static long[] powersOfTen() {
        long[] powers = new long[MAX_DIGITS];
        powers[0] = 1;
        for (int i = 1; i < powers.length; i++) {
            powers[i] = 10 * powers[i - 1];
        }
        return powers;
    }
}
