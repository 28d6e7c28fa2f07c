package dev.numera.core.problem;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How the constants of an enum are written wherever others read them: in JSON, rows, settings, problem types and
 * labels.
 */
public final class EnumWord {
    private EnumWord() {}

    /** In lower case, with hyphens. */
    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** All of them, for people who have to choose. */
    public static String list(Class<? extends Enum<?>> constants) {
        return Arrays.stream(constants.getEnumConstants()).map(EnumWord::of).collect(Collectors.joining(", "));
    }

    /** The constant that is written so, if there is one. */
    public static <E extends Enum<E>> Optional<E> find(String word, Class<E> constants) {
        return Arrays.stream(constants.getEnumConstants())
                .filter(constant -> of(constant).equals(word))
                .findFirst();
    }
}
