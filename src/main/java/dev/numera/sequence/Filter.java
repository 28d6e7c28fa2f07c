package dev.numera.sequence;

import dev.numera.model.Definition;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import dev.numera.problem.Word;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What a person types to find a sequence: each word is in its scope and name, its description or its guarantee, in any
 * case. Immutable.
 *
 * @param words in lower case; every sequence has those of an empty list
 */
public record Filter(List<String> words) {
    static final int MAX_UNITS = 200;

    /**
     * @param text words between blanks
     * @throws ProblemException {@code invalid-request} for more than {@value #MAX_UNITS} UTF-16 units
     */
    public static Filter of(String text) {
        if (text.length() > MAX_UNITS) {
            throw InvalidRequest.because("filter", "must have at most " + MAX_UNITS + " characters");
        }
        return new Filter(Stream.of(lower(text).split("\\s+"))
                .filter(word -> !word.isEmpty())
                .toList());
    }

    /** Whether scope and name alone have every word. */
    boolean accepts(String scope, String name) {
        return isIn(scope + "/" + name);
    }

    boolean accepts(String scope, String name, Definition definition) {
        String guarantee = Word.of(definition.fixed().guarantee());
        String description = definition.description();
        return isIn(scope + "/" + name + "\n" + guarantee + "\n" + (description == null ? "" : description));
    }

    private boolean isIn(String text) {
        String searched = lower(text);
        return words.stream().allMatch(searched::contains);
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
