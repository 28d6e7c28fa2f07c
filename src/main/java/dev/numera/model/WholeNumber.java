package dev.numera.model;

import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** A number of a series as callers write it. */
public final class WholeNumber {
    /** What matches fits 64 bits; nineteen digits that begin with 9 are too many anyway. */
    private static final Pattern DIGITS = Pattern.compile("-?[0-8]?[0-9]{1,18}");

    private WholeNumber() {}

    /**
     * @throws ProblemException {@code invalid-request} for that field if it is no whole number within 4*10^18 either
     *     way
     */
    public static long parse(String field, String value) {
        boolean isWhole = DIGITS.matcher(value).matches();
        return require(field, isWhole ? OptionalLong.of(Long.parseLong(value)) : OptionalLong.empty());
    }

    /** As the other, of what was read already: nothing where it is no whole number of 64 bits. */
    public static long require(String field, OptionalLong number) {
        if (number.isPresent() && Series.isBounded(number.getAsLong())) {
            return number.getAsLong();
        }
        throw InvalidRequest.because(field, "must be a whole number within 4*10^18 either way");
    }
}
