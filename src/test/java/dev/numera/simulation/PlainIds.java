package dev.numera.simulation;

import java.util.HashMap;
import java.util.Map;

/**
 * Names for the random ids of a run, the same in each run: the process that first sent the id, and how many ids it had
 * sent before.
 */
final class PlainIds {
    private static final String SHAPE = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    private static final int FIRST_HYPHEN = SHAPE.indexOf('-');

    private final Map<String, String> names = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();

    /** Returns the text with each random id replaced by its name. */
    String plain(String process, String text) {
        StringBuilder plain = null;
        int copied = 0;
        int hyphen = text.indexOf('-');
        while (hyphen >= 0) {
            int start = hyphen - FIRST_HYPHEN;
            if (start >= copied && isId(text, start)) {
                plain = plain == null ? new StringBuilder(text.length()) : plain;
                plain.append(text, copied, start);
                copied = start + SHAPE.length();
                plain.append(names.computeIfAbsent(text.substring(start, copied), id -> next(process)));
            }
            hyphen = text.indexOf('-', Math.max(hyphen + 1, copied));
        }
        return plain == null ? text : plain.append(text, copied, text.length()).toString();
    }

    private static boolean isId(String text, int start) {
        if (start + SHAPE.length() > text.length()) {
            return false;
        }
        for (int at = 0; at < SHAPE.length(); at++) {
            char unit = text.charAt(start + at);
            boolean isHyphen = SHAPE.charAt(at) == '-';
            if (isHyphen ? unit != '-' : Character.digit(unit, 16) < 0) {
                return false;
            }
        }
        return true;
    }

    private String next(String process) {
        return process + "#" + counts.merge(process, 1, Integer::sum);
    }
}
