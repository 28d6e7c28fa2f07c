package dev.numera.format;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The texts that one revision may have given to numbers of one sequence. Immutable. */
public final class RevisionTexts {
    /** So many numbers in a row have texts with every check digit, and more. */
    private static final int SAMPLES_IN_A_ROW = 50;

    private final Revision revision;
    private final Format format;
    private final FormatContext context;
    private final String layout;
    private final Shape before;
    private final Shape after;
    private final Map<Integer, List<Shape>> shapesByLength;

    public RevisionTexts(Revision revision, FormatContext sequence) {
        this.revision = revision;
        format = Format.compile(revision.format());
        context = sequence.within(revision.least(), revision.maxValue());
        layout = format.layout(context);
        before = format.before(context);
        after = format.after(context);
        shapesByLength = format.shapes(context, revision.least(), revision.greatest()).stream()
                .collect(Collectors.groupingBy(Shape::length));
    }

    public Revision revision() {
        return revision;
    }

    /**
     * Whether the two are one but for the width of the number: then equal texts hold equal numbers, as within one
     * format.
     */
    public boolean differsInWidthOnly(RevisionTexts other) {
        return layout.equals(other.layout)
                && (!format.isReversed() || revision.maxValue() == other.revision.maxValue());
    }

    /**
     * The shapes of all texts that could be of both. Most formats are told apart by how they begin or end: that is
     * looked at first.
     */
    public List<Shape> shapesInCommon(RevisionTexts other) {
        if (!before.meetsFromTheStart(other.before) || !after.meetsFromTheEnd(other.after)) {
            return List.of();
        }
        return shapesByLength.entrySet().stream()
                .flatMap(entry -> entry.getValue().stream()
                        .flatMap(shape -> other.shapesMeeting(shape).map(shape::and)))
                .toList();
    }

    /** The number and period that a text stands for under this revision; empty when no number of its range has it. */
    public Optional<ParsedText> read(String text, LocalDate lastDate) {
        try {
            return Optional.of(format.parse(text, context, lastDate))
                    .filter(parsed -> parsed.number() <= revision.greatest());
        } catch (TextUnreadableException notOfThisRevision) {
            return Optional.empty();
        }
    }

    /** Some texts of a length, of numbers that begin with every count of digits. */
    public Stream<String> samples(int length, LocalDate date) {
        return starts().flatMap(start -> LongStream.range(start, start + SAMPLES_IN_A_ROW))
                .filter(number -> number >= revision.least() && number <= revision.greatest())
                .mapToObj(number -> format.text(context, date, number))
                .filter(text -> text.length() == length);
    }

    private LongStream starts() {
        LongStream powers = LongStream.iterate(1, power -> power * 10)
                .limit(ZeroPadded.MAX_DIGITS)
                .flatMap(power -> LongStream.of(power, -power));
        return LongStream.concat(LongStream.of(revision.least(), 0, revision.greatest()), powers);
    }

    private Stream<Shape> shapesMeeting(Shape shape) {
        return shapesByLength.getOrDefault(shape.length(), List.of()).stream().filter(shape::meets);
    }
}
