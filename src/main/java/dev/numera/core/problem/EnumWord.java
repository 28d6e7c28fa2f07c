package dev.numera.core.problem;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The external spelling of enum constants, in JSON, rows, settings, problem types and labels: lower case with hyphens.
 */
public final class EnumWord {
    private EnumWord() {}

    /**
     * Returns the name of the constant in lower case, with hyphens: {@code NUMBER_TAKEN} becomes {@code number-taken}.
     */
    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the words of all constants, separated by commas, for a message that lists the valid values. */
    public static String list(Class<? extends Enum<?>> constants) {
        return Arrays.stream(constants.getEnumConstants()).map(EnumWord::of).collect(Collectors.joining(", "));
    }

    /** Returns the constant with this word, if any. */
    public static <E extends Enum<E>> Optional<E> find(String word, Class<E> constants) {
        return Arrays.stream(constants.getEnumConstants())
                .filter(constant -> of(constant).equals(word))
                .findFirst();
    }
}
