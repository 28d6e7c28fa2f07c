package dev.numera.core.format;

import java.util.List;
import java.util.stream.Stream;

/**
 * A pattern that texts of one length have in common: each UTF-16 unit is a certain character, any digit, or any
 * character. Immutable.
 *
 * @param units for each position {@link #DIGIT}, {@link #ANYTHING}, or the character itself
 */
public record Shape(String units) {
    /**
     * The unit for any digit. Both markers are control characters, which templates and therefore texts never contain.
     */
    private static final char DIGIT = '\u0001';

    private static final char ANYTHING = '\u0002';

    static String digits(int count) {
        return Character.toString(DIGIT).repeat(count);
    }

    static String anything(int count) {
        return Character.toString(ANYTHING).repeat(count);
    }

    /** Returns the shapes of the texts that match both this shape and one of the others. */
    Stream<Shape> sharedWith(List<Shape> others) {
        return others.stream().filter(this::meets).map(this::and);
    }

    /** Whether one text can have both shapes. */
    private boolean meets(Shape other) {
        if (units.length() != other.units.length()) {
            return false;
        }
        for (int i = 0; i < units.length(); i++) {
            if (!meet(units.charAt(i), other.units.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** Returns the shape of the texts that match both shapes. Call only if the two {@link #meets meet}. */
    private Shape and(Shape other) {
        StringBuilder both = new StringBuilder(units.length());
        for (int i = 0; i < units.length(); i++) {
            char one = units.charAt(i);
            boolean otherSaysMore = one == ANYTHING || one == DIGIT && other.units.charAt(i) != ANYTHING;
            both.append(otherSaysMore ? other.units.charAt(i) : one);
        }
        return new Shape(both.toString());
    }

    /** Returns this shape for people, with {@code #} for a digit and {@code ?} for any character. */
    @Override
    public String toString() {
        return units.replace(DIGIT, '#').replace(ANYTHING, '?');
    }

    private static boolean meet(char one, char other) {
        return one == other
                || one == ANYTHING
                || other == ANYTHING
                || one == DIGIT && ZeroPadded.isDigit(other)
                || other == DIGIT && ZeroPadded.isDigit(one);
    }
}
