package dev.numera.format;

/**
 * What is certain of some texts of one length: for each UTF-16 unit the character itself, that it is a digit, or
 * nothing at all. Immutable.
 *
 * @param units {@link #DIGIT} and {@link #ANYTHING} stand for themselves, everything else is the character
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

    public int length() {
        return units.length();
    }

    /** Whether one text can have both shapes. */
    boolean meets(Shape other) {
        return length() == other.length() && meets(other, 0, 0, length());
    }

    /** Whether one text can begin as both shapes do, as far as the shorter of them goes. */
    boolean meetsFromTheStart(Shape other) {
        return meets(other, 0, 0, Math.min(length(), other.length()));
    }

    /** Whether one text can end as both shapes do, as far as the shorter of them goes. */
    boolean meetsFromTheEnd(Shape other) {
        int count = Math.min(length(), other.length());
        return meets(other, length() - count, other.length() - count, count);
    }

    /** The shape of the texts that have both; the two must {@link #meets meet}. */
    Shape and(Shape other) {
        StringBuilder both = new StringBuilder(length());
        for (int i = 0; i < length(); i++) {
            char one = units.charAt(i);
            boolean otherSaysMore = one == ANYTHING || one == DIGIT && other.units.charAt(i) != ANYTHING;
            both.append(otherSaysMore ? other.units.charAt(i) : one);
        }
        return new Shape(both.toString());
    }

    /** A text of this shape that takes what the shape leaves open from another text of the same length. */
    public String filledFrom(String text) {
        StringBuilder filled = new StringBuilder(units);
        for (int i = 0; i < length(); i++) {
            if (isOpen(units.charAt(i))) {
                filled.setCharAt(i, text.charAt(i));
            }
        }
        return filled.toString();
    }

    /** For people: {@code #} for a digit, {@code ?} for any character. */
    @Override
    public String toString() {
        return units.replace(DIGIT, '#').replace(ANYTHING, '?');
    }

    private boolean meets(Shape other, int from, int otherFrom, int count) {
        for (int i = 0; i < count; i++) {
            if (!meet(units.charAt(from + i), other.units.charAt(otherFrom + i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean meet(char one, char other) {
        return one == other
                || one == ANYTHING
                || other == ANYTHING
                || one == DIGIT && TextReader.isDigit(other)
                || other == DIGIT && TextReader.isDigit(one);
    }

    private static boolean isOpen(char unit) {
        return unit == DIGIT || unit == ANYTHING;
    }
}
