package dev.numera.core.format;

import java.util.List;
import java.util.stream.Stream;

/**
 * What is certain of some texts of one length: for each UTF-16 unit the character itself, that it is a digit, or
 * nothing at all. Immutable.
 *
 * @param units {@link #DIGIT} and {@link #ANYTHING} mean themselves, everything else is the character
 */
public record Shape(String units) {
    /** A control character, as the other: no template holds one, so neither can be a character of a text. */
    private static final char DIGIT = '\u0001';

    private static final char ANYTHING = '\u0002';

    static String digits(int count) {
        return Character.toString(DIGIT).repeat(count);
    }

    static String anything(int count) {
        return Character.toString(ANYTHING).repeat(count);
    }

    /** The shapes of the texts that have this one and one of the others. */
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

    /** The shape of the texts that have both; the two must {@link #meets meet}. */
    private Shape and(Shape other) {
        StringBuilder both = new StringBuilder(units.length());
        for (int i = 0; i < units.length(); i++) {
            char one = units.charAt(i);
            boolean otherSaysMore = one == ANYTHING || one == DIGIT && other.units.charAt(i) != ANYTHING;
            both.append(otherSaysMore ? other.units.charAt(i) : one);
        }
        return new Shape(both.toString());
    }

    /** For people: {@code #} for a digit, {@code ?} for any character. */
    @Override
    public String toString() {
        return units.replace(DIGIT, '#').replace(ANYTHING, '?');
    }

    private static boolean meet(char one, char other) {
        return one == other
                || one == ANYTHING
                || other == ANYTHING
                || one == DIGIT && TextReader.isDigit(other)
                || other == DIGIT && TextReader.isDigit(one);
    }
}
