package dev.numera.functions.http;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a header whose value is a list (RFC 9110, section 5.6.1) at the commas outside double quotes. The elements
 * have no blanks around them. Empty elements are left out, as the RFC demands. Takes time in proportion to the length.
 */
final class HeaderList {
    private HeaderList() {}

    /** Returns the elements of a list of entity tags. A backslash in a tag does not escape the next character. */
    static List<String> ofTags(String value) {
        return split(value, ',', false);
    }

    /** Returns the elements of a list. In a quoted string, a backslash escapes the next character. */
    static List<String> of(String value) {
        return split(value, ',', true);
    }

    /** Returns the parts of an element: its value, then its parameters. */
    static List<String> parameters(String element) {
        return split(element, ';', true);
    }

    private static List<String> split(String value, char separator, boolean hasEscapes) {
        List<String> elements = new ArrayList<>();
        boolean isQuoted = false;
        int from = 0;
        for (int at = 0; at < value.length(); at++) {
            char unit = value.charAt(at);
            if (unit == '"') {
                isQuoted = !isQuoted;
            } else if (unit == '\\' && isQuoted && hasEscapes) {
                at++;
            } else if (unit == separator && !isQuoted) {
                addUnlessEmpty(elements, value.substring(from, at));
                from = at + 1;
            }
        }
        addUnlessEmpty(elements, value.substring(from));
        return elements;
    }

    private static void addUnlessEmpty(List<String> elements, String element) {
        String stripped = element.strip();
        if (!stripped.isEmpty()) {
            elements.add(stripped);
        }
    }
}
