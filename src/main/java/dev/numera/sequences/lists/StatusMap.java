package dev.numera.sequences.lists;

import dev.numera.core.model.Status;
import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.Excerpt;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Maps the words of another program's file to statuses. Words are compared without case and outer blanks.
 *
 * @param kinds the status of each word, by the folded form of the word
 */
public record StatusMap(Map<String, Status.Kind> kinds) {
    public static final StatusMap NONE = new StatusMap(Map.of());

    private static final String PARAMETER = "statusMap";
    private static final char ESCAPE = '\\';

    public StatusMap {
        kinds = Map.copyOf(kinds);
    }

    /**
     * Parses pairs such as {@code ja=void,nein=issued}. A backslash makes the next character a part of the word.
     *
     * @throws ProblemException {@code invalid-request} for a text that is no pair, and for a word that occurs twice
     */
    public static StatusMap parse(String pairs) {
        Map<String, Status.Kind> kinds = new HashMap<>();
        for (String pair : split(pairs, ',')) {
            List<String> parts = split(pair, '=');
            String word = CellText.folded(unescaped(parts.get(0)));
            Status.Kind kind = parts.size() == 2 ? kind(parts.get(1)).orElse(null) : null;
            if (word.isEmpty() || kind == null) {
                throw InvalidRequest.because(
                        PARAMETER,
                        "must have pairs such as ja=void,nein=issued, each of a word and issued, reserved or void, but '"
                                + Excerpt.of(pair) + "' is none. Put a backslash before a comma, an equals sign or a"
                                + " backslash of a word");
            }
            if (kinds.put(word, kind) != null) {
                throw InvalidRequest.because(PARAMETER, "must have the word '" + Excerpt.of(word) + "' only once");
            }
        }
        return new StatusMap(kinds);
    }

    /** Returns the status that a cell states: the status of its word, or its own name; empty for any other cell. */
    public Optional<Status.Kind> kindOf(String cell) {
        Status.Kind mapped = kinds.get(CellText.folded(cell));
        return mapped == null ? kind(cell) : Optional.of(mapped);
    }

    private static Optional<Status.Kind> kind(String name) {
        return EnumWord.find(CellText.folded(name), Status.Kind.class);
    }

    /** Splits a text at each separator that no backslash precedes. */
    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        int start = 0;
        for (int at = 0; at < text.length(); at++) {
            if (text.charAt(at) == ESCAPE) {
                at++;
            } else if (text.charAt(at) == separator) {
                parts.add(text.substring(start, at));
                start = at + 1;
            }
        }
        parts.add(text.substring(start));
        return parts;
    }

    private static String unescaped(String word) {
        StringBuilder plain = new StringBuilder(word.length());
        for (int at = 0; at < word.length(); at++) {
            if (word.charAt(at) == ESCAPE && at + 1 < word.length()) {
                at++;
            }
            plain.append(word.charAt(at));
        }
        return plain.toString();
    }
}
