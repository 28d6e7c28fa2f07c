package dev.numera.core.format;

import dev.numera.core.problem.ProblemException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A format that a sequence has or had, with the widest range that was declared while the format was in use. Earlier
 * versions stored a narrower range: the numbers that may have been allocated under the format. Immutable.
 *
 * @param least the least number, at least -{@value FormatContext#LIMIT}
 * @param greatest the greatest number, from least to maxValue
 * @param maxValue the definition's maxValue at the time, from which {@code {r}} subtracts; at most
 *     {@value FormatContext#LIMIT}
 */
public record Revision(Format format, long least, long greatest, long maxValue) {
    /** @throws IllegalArgumentException if the range is empty or out of bounds */
    public Revision {
        if (least < -FormatContext.LIMIT || least > greatest || greatest > maxValue || maxValue > FormatContext.LIMIT) {
            throw new IllegalArgumentException("Format " + format + " cannot have the range " + least + " to "
                    + greatest + " with maxValue " + maxValue + ".");
        }
    }

    /** @throws ProblemException as {@link Format#compile} */
    public Revision(String template, long least, long greatest, long maxValue) {
        this(Format.compile(template), least, greatest, maxValue);
    }

    /** Whether a number may have been allocated under this revision. */
    public boolean holds(long number) {
        return least <= number && number <= greatest;
    }

    /**
     * Returns a function that compares another revision with this one. The function returns a shape that texts of both
     * can have, so that two numbers could have the same text; empty if the two revisions may coexist. Computes the
     * shapes of this revision only once for all comparisons.
     */
    public Function<Revision, Optional<Shape>> shapeInCommon(FormatContext sequence) {
        String layout = layout(sequence);
        List<Shape> shapes = shapes(sequence);
        return other -> {
            // If only the width differs, equal texts contain equal numbers, as within one format.
            boolean differsInWidthOnly =
                    layout.equals(other.layout(sequence)) && (!format.isReversed() || maxValue == other.maxValue);
            return differsInWidthOnly
                    ? Optional.empty()
                    : other.shapes(sequence).stream()
                            .flatMap(shape -> shape.sharedWith(shapes))
                            .findFirst();
        };
    }

    private String layout(FormatContext sequence) {
        return format.layout(sequence.within(least, maxValue));
    }

    private List<Shape> shapes(FormatContext sequence) {
        return format.shapes(sequence.within(least, maxValue), least, greatest);
    }
}
