package dev.numera.model;

import dev.numera.format.Format;
import dev.numera.format.FormatContext;
import dev.numera.format.Revision;
import dev.numera.format.RevisionTexts;
import dev.numera.format.Shape;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.List;
import java.util.Map;

/**
 * The rule by which no two numbers of a sequence have the same text, whatever formats it has had. Two revisions may
 * coexist
 *
 * <ul>
 *   <li>when no text can have a {@link Shape} of both: scope, name and literals are fixed, dates and numbers are
 *       digits, a number may have a minus sign where the range has negative ones, a check digit counts as any
 *       character, and numbers have the lengths that are possible within the range
 *   <li>or when they differ only in the width of the number and, with {@code {r}}, have the same maxValue.
 * </ul>
 *
 * Ranges are those that were declared: how far the sequence has come separates nothing, so nothing depends on what
 * other instances allocate meanwhile. The rule may refuse formats that would never share a text, such as those of two
 * different months, and it ignores which numbers the increment leads to. Pure functions.
 */
public final class Revisions {
    private Revisions() {}

    /**
     * Refuses a present revision that could write a number as the text of another number under another revision. The
     * others were compared with each other when they were the present one. A template allocates no numbers, so it has
     * nothing to refuse. Takes some milliseconds for 500 revisions.
     *
     * @param definition its resetEvery and fiscalYearStart
     * @param formats each revision with a format that {@link Format#requireFits fits}
     * @throws ProblemException {@code texts-could-repeat} with both {@code formats}, the older revision's first, and
     *     the {@code shape} that they share, with {@code #} for a digit and {@code ?} for any character
     */
    public static void requireDistinct(SequenceName name, Definition definition, FormatHistory formats) {
        if (name.isTemplate() || formats.current() == 0) {
            return;
        }
        FormatContext sequence = definition.formatContext(name);
        Revision present = formats.revision(formats.current());
        RevisionTexts texts = new RevisionTexts(present, sequence);
        int number = 0;
        for (Revision other : formats.revisions()) {
            boolean isOlder = ++number < formats.current();
            if (number != formats.current()) {
                new RevisionTexts(other, sequence).shapeInCommon(texts).ifPresent(shape -> {
                    throw isOlder ? alike(other, present, shape) : alike(present, other, shape);
                });
            }
        }
    }

    private static ProblemException alike(Revision older, Revision newer, Shape shape) {
        return new ProblemException(
                ProblemType.TEXTS_COULD_REPEAT,
                "Texts could repeat: they can have the shape '" + shape + "' under the format " + described(older)
                        + " and under " + described(newer)
                        + ". Give the format a fixed character that the other one never has at that place, such as"
                        + " another prefix; where the range was widened, leave it as it was.",
                Map.of(
                        "formats",
                        List.of(older.format().toString(), newer.format().toString()),
                        "shape",
                        shape.toString()));
    }

    private static String described(Revision revision) {
        return revision.format() + " (numbers " + revision.least() + " to " + revision.greatest() + ")";
    }
}
