package dev.numera.core.format;

/** A method that computes the check of a text from the characters that it covers. Immutable. */
interface CheckMethod {
    /** Returns the token without its braces, such as {@code check:luhn}. */
    String token();

    /** Returns the length of the check: 1 or 2 characters. */
    int length();

    /** Whether a character takes part in the check. The method ignores all other characters. */
    boolean covers(char character);

    /**
     * Returns the check of covered characters.
     *
     * @param covered only covered characters, at least one
     * @return empty if these characters have no check
     */
    String calculate(String covered);

    /** Returns the least number of characters that the standard of this method lets it cover. */
    default int leastCovered() {
        return 1;
    }

    /** Returns the greatest number of characters that the standard of this method lets it cover. */
    default int mostCovered() {
        return Integer.MAX_VALUE;
    }

    /** Whether versions before feature level 6 know this method. */
    default boolean isOfFirstVersions() {
        return false;
    }

    /** Returns the check of the covered characters from {@code start} to before {@code end}; empty if there is none. */
    default String of(CharSequence text, int start, int end) {
        StringBuilder covered = new StringBuilder(end - start);
        for (int i = start; i < end; i++) {
            if (covers(text.charAt(i))) {
                covered.append(text.charAt(i));
            }
        }
        return calculate(covered.toString());
    }
}
