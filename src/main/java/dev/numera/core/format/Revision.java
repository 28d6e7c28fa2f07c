package dev.numera.core.format;

import dev.numera.core.problem.ProblemException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A format that a sequence has or had, with the widest range that was declared while it was the present one. Earlier
 * versions kept a narrower range, of the numbers that may have been allocated under it. Immutable.
 *
 * @param format its format
 * @param least the least number, at least -{@value FormatContext#LIMIT}
 * @param greatest the greatest one, from least to maxValue
 * @param maxValue that of the definition at the time, at most {@value FormatContext#LIMIT}: {@code {r}} counts from it
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

    /** Whether a number may have been allocated under it. */
    public boolean holds(long number) {
        return least <= number && number <= greatest;
    }

    /**
     * Compares other revisions with this one, whose own shapes are made once for all of them: a shape that texts of
     * both can have, so that two numbers could have one text; empty where the two may coexist.
     */
    public Function<Revision, Optional<Shape>> shapeInCommon(FormatContext sequence) {
        String layout = layout(sequence);
        List<Shape> shapes = shapes(sequence);
        return other -> {
            // Then equal texts hold equal numbers, as within one format.
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
