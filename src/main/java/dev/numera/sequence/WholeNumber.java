package dev.numera.sequence;

import dev.numera.counter.Series;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import java.math.BigInteger;
import java.util.regex.Pattern;

/** A number of a series as callers write it. */
public final class WholeNumber {
    private static final Pattern DIGITS = Pattern.compile("-?[0-9]{1,19}");

    private WholeNumber() {}

    /**
     * @throws ProblemException {@code invalid-request} for that field if it is no whole number within 4*10^18 either
     *     way
     */
    public static long parse(String field, String value) {
        if (DIGITS.matcher(value).matches()) {
            BigInteger number = new BigInteger(value);
            if (number.abs().compareTo(BigInteger.valueOf(Series.LARGEST_VALUE)) <= 0) {
                return number.longValue();
            }
        }
        throw InvalidRequest.because(field, "must be a whole number within 4*10^18 either way");
    }
}
