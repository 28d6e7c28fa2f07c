package dev.numera.core.format;

/** Writes numbers from 0 up with leading zeros, and knows digits. Pure functions. */
final class ZeroPadded {
    /** The most digits of a 64-bit number. */
    static final int MAX_DIGITS = 19;

    private static final long[] POWERS_OF_TEN = powersOfTen();

    private ZeroPadded() {}

    /**
     * Appends a number with leading zeros up to the width, which is 1 to {@value #MAX_DIGITS}. Longer numbers are not
     * cut.
     */
    static void append(StringBuilder out, long number, int width) {
        for (int zeros = width - digits(number); zeros > 0; zeros--) {
            out.append('0');
        }
        out.append(number);
    }

    /** Returns digits with as many leading zeros as the width needs, and no others. */
    static String padded(String digits, int width) {
        int first = 0;
        while (first < digits.length() - 1 && digits.charAt(first) == '0') {
            first++;
        }
        return "0".repeat(Math.max(0, width - digits.length() + first)) + digits.substring(first);
    }

    /** Whether a character is one of the digits 0 to 9, not a digit of another script. */
    static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }

    /** Returns the number of digits of a number from 0 up. */
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
