package dev.numera.format;

import java.util.List;
import java.util.Optional;

/** What the texts of one revision can look like, for one sequence. Immutable. */
public final class RevisionTexts {
    private final Revision revision;
    private final boolean isReversed;
    private final String layout;
    private final List<Shape> shapes;

    public RevisionTexts(Revision revision, FormatContext sequence) {
        this.revision = revision;
        Format format = revision.format();
        FormatContext context = sequence.within(revision.least(), revision.maxValue());
        isReversed = format.isReversed();
        layout = format.layout(context);
        shapes = format.shapes(context, revision.least(), revision.greatest());
    }

    /**
     * A shape that texts of both can have, so that two numbers could have one text; empty where the two may coexist.
     */
    public Optional<Shape> shapeInCommon(RevisionTexts other) {
        return differsInWidthOnly(other)
                ? Optional.empty()
                : shapes.stream()
                        .flatMap(shape -> shape.sharedWith(other.shapes))
                        .findFirst();
    }

    /** Then equal texts hold equal numbers, as within one format. */
    private boolean differsInWidthOnly(RevisionTexts other) {
        return layout.equals(other.layout) && (!isReversed || revision.maxValue() == other.revision.maxValue());
    }
}
