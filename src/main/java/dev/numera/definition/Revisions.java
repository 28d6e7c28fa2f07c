package dev.numera.definition;

import dev.numera.counter.SequenceName;
import dev.numera.format.Format;
import dev.numera.format.FormatContext;
import dev.numera.format.ParsedText;
import dev.numera.format.Period;
import dev.numera.format.Revision;
import dev.numera.format.RevisionTexts;
import dev.numera.format.Shape;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The rule by which no two numbers of a sequence share a text, whatever formats it has had. Two revisions may stand
 * together
 *
 * <ul>
 *   <li>when no text can have a {@link Shape} of both: scope, name and literals are fixed, dates and numbers are
 *       digits, a minus sign stands before a number below zero, a check digit counts as any character, and numbers are
 *       as long as those of the range can be
 *   <li>or when they differ in nothing but the width of the number and, with {@code {r}}, have the same maxValue.
 * </ul>
 *
 * So it may refuse formats that would never give a common text, such as those of two different months. Which numbers
 * the increment leads to is not looked at. Pure functions.
 */
public final class Revisions {
    private Revisions() {}

    /**
     * Refuses revisions of which two could give two numbers of a sequence the same text. A template gives no numbers of
     * its own, so there is nothing to refuse. Takes well under a second for 500 revisions: for definitions, not for
     * allocations.
     *
     * @param definition what tells periods apart: resetEvery and fiscalYearStart
     * @param revisions the oldest first, the present or wanted one last; each with a format that
     *     {@link Format#requireFits fits}
     * @param today the examples are of this date where that makes a difference
     * @throws ProblemException {@code texts-could-repeat} with two examples, the older revision's first:
     *     {@code format}, {@code text}, and {@code number} and {@code period} where a common text was found; else the
     *     text is a shape, with {@code #} for a digit and {@code ?} for any character
     */
    public static void requireDistinct(
            SequenceName name, Definition definition, List<Revision> revisions, LocalDate today) {
        if (name.isTemplate()) {
            return;
        }
        FormatContext sequence = definition.formatContext(name);
        List<RevisionTexts> all = revisions.stream()
                .map(revision -> new RevisionTexts(revision, sequence))
                .toList();
        for (int newer = all.size() - 1; newer > 0; newer--) {
            for (RevisionTexts older : all.subList(0, newer)) {
                requireDistinct(older, all.get(newer), today);
            }
        }
    }

    private static void requireDistinct(RevisionTexts older, RevisionTexts newer, LocalDate today) {
        List<Shape> shapes = older.differsInWidthOnly(newer) ? List.of() : older.shapesInCommon(newer);
        if (!shapes.isEmpty()) {
            throw shapes.stream()
                    .flatMap(shape -> repetitions(older, newer, shape, today))
                    .findFirst()
                    .orElseGet(() -> alike(
                            older.revision(), newer.revision(), shapes.get(0).toString()));
        }
    }

    private static Stream<ProblemException> repetitions(
            RevisionTexts older, RevisionTexts newer, Shape shape, LocalDate today) {
        return Stream.concat(older.samples(shape.length(), today), newer.samples(shape.length(), today))
                .map(shape::filledFrom)
                .flatMap(text -> repetition(older, newer, text, today).stream());
    }

    private static Optional<ProblemException> repetition(
            RevisionTexts older, RevisionTexts newer, String text, LocalDate today) {
        Optional<ParsedText> first = older.read(text, today);
        Optional<ParsedText> second = newer.read(text, today);
        if (first.isEmpty() || second.isEmpty() || first.equals(second)) {
            return Optional.empty();
        }
        String what =
                "number " + first.get().number() + " is '" + text + "' under the format " + described(older.revision())
                        + ", and number " + second.get().number() + " is so under " + described(newer.revision());
        return Optional.of(problem(
                what, example(older.revision(), text, first.get()), example(newer.revision(), text, second.get())));
    }

    private static ProblemException alike(Revision older, Revision newer, String shape) {
        String what = "texts can look like '" + shape + "' under the format " + described(older) + " and under "
                + described(newer);
        return problem(
                what, Map.of("format", older.format(), "text", shape), Map.of("format", newer.format(), "text", shape));
    }

    private static ProblemException problem(String what, Map<String, Object> first, Map<String, Object> second) {
        return new ProblemException(
                ProblemType.TEXTS_COULD_REPEAT,
                "Texts could repeat: " + what
                        + ". Give the format something fixed that the other one never has at that place, such as"
                        + " another prefix; where the range was widened, leave it as it was.",
                Map.of("examples", List.of(first, second)));
    }

    private static String described(Revision revision) {
        return revision.format() + " (numbers " + revision.least() + " to " + revision.greatest() + ")";
    }

    private static Map<String, Object> example(Revision revision, String text, ParsedText parsed) {
        Map<String, Object> known =
                new HashMap<>(Map.of("format", revision.format(), "text", text, "number", parsed.number()));
        if (!parsed.period().equals(Period.ALWAYS)) {
            known.put("period", parsed.period().id());
        }
        return Map.copyOf(known);
    }
}
