package dev.numera.core.model;

import dev.numera.core.format.Format;
import dev.numera.core.format.Revision;
import dev.numera.core.format.Shape;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Every format that a sequence has had since its first number, each with the widest range that was declared while the
 * format was in use. Immutable.
 *
 * <p>No two numbers of a sequence have the same text, even in different formats. To ensure this, two revisions may
 * coexist only if
 *
 * <ul>
 *   <li>no text can have a {@link Shape} of both. Scope, name and literals are fixed characters; dates and numbers are
 *       digits; a number may have a minus sign if the range contains negative numbers, and has any length that is
 *       possible within the range; a check digit counts as any character
 *   <li>or the two differ only in the width of the number and, with {@code {r}}, have the same maxValue.
 * </ul>
 *
 * The rule compares declared ranges, not the numbers allocated so far, so the result does not depend on concurrent
 * allocations of other instances. It may refuse formats that would never share a text: formats that are used in
 * different months, or whose common texts would belong to numbers that the increment never reaches.
 *
 * <p>Decision: {@code docs/decisions/formats-are-compared-by-shape.md}.
 *
 * @param revisions the oldest first: revision 1 is at index 0
 * @param current the present revision, counted from 1; 0 if numbers have no text
 */
public record FormatHistory(List<Revision> revisions, int current) {
    /** The most revisions that fit the definition's row in storage if each has the longest template. */
    public static final int MAX_REVISIONS = 500;

    public FormatHistory {
        revisions = List.copyOf(revisions);
    }

    /** Returns the history of a definition that is not in use. */
    static FormatHistory of(Definition definition) {
        String template = definition.textTemplate();
        return template == null
                ? new FormatHistory(List.of(), 0)
                : new FormatHistory(List.of(declared(definition, Format.compile(template))), 1);
    }

    /**
     * Returns the history of another definition that is not in use either. Does not compile a template again that stays
     * the same.
     */
    FormatHistory replacedBy(Definition definition) {
        String template = definition.textTemplate();
        return template == null
                ? new FormatHistory(List.of(), 0)
                : new FormatHistory(List.of(declared(definition, compiled(template))), 1);
    }

    private Format compiled(String template) {
        if (current > 0 && revision(current).format().toString().equals(template)) {
            return revision(current).format();
        }
        return Format.compile(template);
    }

    /** Returns the feature level that a program needs to read every format of this history. */
    int needs() {
        boolean isOfFirstVersions =
                revisions.stream().allMatch(revision -> revision.format().isOfFirstVersions());
        return isOfFirstVersions ? Definition.PLAIN_FEATURES : Definition.REFERENCE_AND_QUARTER_FEATURES;
    }

    public Revision revision(int number) {
        return revisions.get(number - 1);
    }

    /**
     * Returns the history after a change of a definition in use; this history if neither the format nor the range has
     * changed.
     *
     * @throws ProblemException {@code too-many-formats}
     */
    FormatHistory changedTo(Definition before, Definition after) {
        String template = after.textTemplate();
        boolean isSameFormat = Objects.equals(template, before.textTemplate());
        if (template == null) {
            return isSameFormat ? this : new FormatHistory(revisions, 0);
        }
        if (!isSameFormat) {
            return opened(declared(after, compiled(template)));
        }
        return before.hasRangeOf(after) ? this : widened(current, declared(after, compiled(template)));
    }

    /**
     * Refuses the present revision if it could write a text that another revision could write for another number. Does
     * not compare the other revisions with each other, because each was checked when it was the present one. Accepts
     * every template sequence ({@code ~}), because it allocates no numbers. Takes some milliseconds for 500 revisions.
     *
     * @param definition with resetEvery and fiscalYearStart that each revision's format {@link Format#requireFits fits}
     * @throws ProblemException {@code texts-could-repeat} with both {@code formats}, the older revision's first, and
     *     the {@code shape} that they share, with {@code #} for a digit and {@code ?} for any character
     */
    public void requireDistinctTexts(SequenceName name, Definition definition) {
        if (name.isTemplate() || current == 0) {
            return;
        }
        Revision present = revision(current);
        Function<Revision, Optional<Shape>> shapeInCommon = present.shapeInCommon(definition.formatContext(name));
        int number = 0;
        for (Revision other : revisions) {
            boolean isOlder = ++number < current;
            if (number != current) {
                shapeInCommon.apply(other).ifPresent(shape -> {
                    throw isOlder ? alike(other, present, shape) : alike(present, other, shape);
                });
            }
        }
    }

    private FormatHistory opened(Revision begun) {
        for (int number = 1; number <= revisions.size(); number++) {
            Revision earlier = revision(number);
            if (earlier.format().equals(begun.format()) && earlier.maxValue() == begun.maxValue()) {
                return widened(number, begun);
            }
        }
        if (revisions.size() == MAX_REVISIONS) {
            throw new ProblemException(
                    ProblemType.TOO_MANY_FORMATS,
                    "The sequence had " + MAX_REVISIONS + " formats since its first number,"
                            + " and keeps them all, so that old texts can be read. Use one of them again, or define"
                            + " another sequence.");
        }
        List<Revision> all = new ArrayList<>(revisions);
        all.add(begun);
        return new FormatHistory(all, all.size());
    }

    private FormatHistory widened(int number, Revision declared) {
        Revision earlier = revision(number);
        List<Revision> all = new ArrayList<>(revisions);
        all.set(
                number - 1,
                new Revision(
                        earlier.format(),
                        Math.min(earlier.least(), declared.least()),
                        Math.max(earlier.greatest(), declared.greatest()),
                        Math.max(earlier.maxValue(), declared.maxValue())));
        return new FormatHistory(all, number);
    }

    private static Revision declared(Definition definition, Format format) {
        return new Revision(format, definition.minValue(), definition.maxValue(), definition.maxValue());
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
