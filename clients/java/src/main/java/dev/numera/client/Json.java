package dev.numera.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads and writes JSON as maps, lists, strings, booleans, null and numbers. A whole number that fits is a
 * {@code Long}, any other number a {@code Double}.
 */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /**
     * Reads one value.
     *
     * @throws IllegalArgumentException the text is not JSON
     */
    static Object read(String text) {
        try {
            Json json = new Json(text);
            Object value = json.value();
            json.skipBlanks();
            if (json.at < text.length()) {
                throw json.unexpected();
            }
            return value;
        } catch (StringIndexOutOfBoundsException e) {
            throw new IllegalArgumentException("The JSON ends too early.", e);
        }
    }

    /**
     * Writes maps in the order of their names and without null values, collections, and everything else as a string.
     * The order matters because a repeated list must be the same text, and {@code Map.of} has a different order in each
     * process.
     */
    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            out.append('{');
            Map<String, Object> inOrder = new TreeMap<>();
            map.forEach((name, each) -> inOrder.put(name.toString(), each));
            inOrder.forEach((name, each) -> {
                if (each != null) {
                    separate(out, '{');
                    quote(name, out);
                    out.append(':');
                    write(each, out);
                }
            });
            out.append('}');
        } else if (value instanceof Collection<?> list) {
            out.append('[');
            for (Object each : list) {
                separate(out, '[');
                write(each, out);
            }
            out.append(']');
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            quote(value.toString(), out);
        }
    }

    private static void separate(StringBuilder out, char opening) {
        if (out.charAt(out.length() - 1) != opening) {
            out.append(',');
        }
    }

    /** Escapes also U+FFFD, which the service takes for a sign of bytes that are not UTF-8. */
    private static void quote(String string, StringBuilder out) {
        out.append('"');
        for (char c : string.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c == '\uFFFD') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private Object value() {
        skipBlanks();
        return switch (text.charAt(at)) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        at++;
        if (skip('}')) {
            return object;
        }
        do {
            skipBlanks();
            String name = string();
            expect(':');
            object.put(name, value());
        } while (skip(','));
        expect('}');
        return object;
    }

    private List<Object> array() {
        List<Object> array = new ArrayList<>();
        at++;
        if (skip(']')) {
            return array;
        }
        do {
            array.add(value());
        } while (skip(','));
        expect(']');
        return array;
    }

    private String string() {
        if (text.charAt(at) != '"') {
            throw unexpected();
        }
        StringBuilder string = new StringBuilder();
        for (at++; text.charAt(at) != '"'; at++) {
            char c = text.charAt(at);
            string.append(c == '\\' ? escaped() : c);
        }
        at++;
        return string.toString();
    }

    private char escaped() {
        at++;
        return switch (text.charAt(at)) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                at += 4;
                yield (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
            }
            default -> text.charAt(at);
        };
    }

    private Object number() {
        int start = at;
        while (at < text.length() && "+-.0123456789Ee".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String number = text.substring(start, at);
        if (number.isEmpty()) {
            throw unexpected();
        }
        try {
            return Long.valueOf(number);
        } catch (NumberFormatException e) {
            return Double.valueOf(number);
        }
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw unexpected();
        }
        at += word.length();
        return value;
    }

    /** Skips the next character if it is this one, and returns whether it was. */
    private boolean skip(char c) {
        skipBlanks();
        boolean isThere = text.charAt(at) == c;
        at += isThere ? 1 : 0;
        return isThere;
    }

    private void expect(char c) {
        if (!skip(c)) {
            throw unexpected();
        }
    }

    private void skipBlanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private IllegalArgumentException unexpected() {
        return new IllegalArgumentException("The JSON is wrong at position " + at + ".");
    }
}
