package dev.numera.core.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The groups of a number's printed digits, such as {@code 3/4/3} for {@code 090/9337/554}. A number with more digits
 * makes the first group longer. Immutable.
 *
 * @param sizes the digits of each group, from the left; at most {@value ZeroPadded#MAX_DIGITS} together
 * @param separators the character after each group but the last: a blank, {@code .}, {@code /} or {@code -}
 */
record Grouping(List<Integer> sizes, String separators) {
    private static final String SEPARATORS = " ./-";

    Grouping {
        sizes = List.copyOf(sizes);
    }

    /** Returns a single group, so that digits are printed without separators. */
    static Grouping none(int width) {
        return new Grouping(List.of(width), "");
    }

    static boolean isSeparator(char character) {
        return SEPARATORS.indexOf(character) >= 0;
    }

    /** Returns the groups that an argument such as {@code 3/4/3} describes; empty if it describes none. */
    static Optional<Grouping> of(String argument) {
        List<Integer> sizes = new ArrayList<>();
        StringBuilder separators = new StringBuilder();
        int size = 0;
        for (char character : (argument + SEPARATORS.charAt(0)).toCharArray()) {
            if (ZeroPadded.isDigit(character) && (size > 0 || character != '0')) {
                size = Math.min(10 * size + character - '0', ZeroPadded.MAX_DIGITS + 1);
            } else if (isSeparator(character) && size > 0) {
                sizes.add(size);
                separators.append(character);
                size = 0;
            } else {
                return Optional.empty();
            }
        }
        Grouping grouping = new Grouping(sizes, separators.substring(0, separators.length() - 1));
        return grouping.width() <= ZeroPadded.MAX_DIGITS ? Optional.of(grouping) : Optional.empty();
    }

    /** Whether an argument is meant as groups: it has a separator between two digits. */
    static boolean isMeantBy(String argument) {
        for (int i = 1; i + 1 < argument.length(); i++) {
            if (isSeparator(argument.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    /** Returns the least number of digits. */
    int width() {
        int width = 0;
        for (int size : sizes) {
            width += size;
        }
        return width;
    }

    /** Returns digits, at least {@link #width}, with the separators between their groups. */
    String print(String digits) {
        StringBuilder text = new StringBuilder(digits);
        int at = digits.length();
        for (int group = separators.length(); group > 0; group--) {
            at -= sizes.get(group);
            text.insert(at, separators.charAt(group - 1));
        }
        return text.toString();
    }

    /** Returns these groups as a person may type them: without blanks, and without separators if the text has none. */
    Grouping asTyped(String text) {
        boolean hasSeparator =
                separators.chars().anyMatch(separator -> separator != ' ' && text.indexOf(separator) > 0);
        return hasSeparator ? withoutBlanks() : none(width());
    }

    private Grouping withoutBlanks() {
        List<Integer> joined = new ArrayList<>(List.of(sizes.get(0)));
        StringBuilder kept = new StringBuilder();
        for (int group = 1; group < sizes.size(); group++) {
            if (separators.charAt(group - 1) == ' ') {
                joined.set(joined.size() - 1, joined.get(joined.size() - 1) + sizes.get(group));
            } else {
                joined.add(sizes.get(group));
                kept.append(separators.charAt(group - 1));
            }
        }
        return new Grouping(joined, kept.toString());
    }

    @Override
    public String toString() {
        StringBuilder argument = new StringBuilder().append(sizes.get(0));
        for (int group = 1; group < sizes.size(); group++) {
            argument.append(separators.charAt(group - 1)).append(sizes.get(group));
        }
        return argument.toString();
    }
}
