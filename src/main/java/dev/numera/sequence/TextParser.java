package dev.numera.sequence;

import dev.numera.format.Format;
import dev.numera.format.ParsedText;
import dev.numera.format.Period;
import dev.numera.format.Revision;
import dev.numera.model.FormatHistory;
import dev.numera.model.KnownDefinition;
import dev.numera.model.SequenceName;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Texts back to numbers, by every format that the sequence ever had. Thread-safe; calls block where the definition is
 * not known.
 */
public final class TextParser {
    private final SequenceAccess access;

    TextParser(SequenceAccess access) {
        this.access = access;
    }

    /**
     * The number and period that a text was given for; the newest format that can have written it decides.
     *
     * @throws ProblemException {@code text-unreadable}, with what the newest format expected where
     */
    public ParsedText parse(SequenceName name, String text) {
        name.requireNoTemplate();
        return access.at(name, visit -> parse(visit.definition(), text));
    }

    /** As the other, of a definition that is known. */
    ParsedText parse(KnownDefinition known, String text) {
        return read(known, text).parsed();
    }

    /** @param formatRevision by which it was read; 0 where the sequence never had a format */
    record ReadText(ParsedText parsed, int formatRevision) {}

    /** As {@link #parse(KnownDefinition, String)}, with the revision of the format. */
    ReadText read(KnownDefinition known, String text) {
        FormatHistory formats = known.stored().formats();
        ProblemException newest = null;
        for (int number : newestFirst(formats)) {
            Revision revision = formats.revision(number);
            try {
                return new ReadText(
                        Format.compile(revision.format())
                                .parse(text, known.context(revision), known.lastTwoDigitDate()),
                        number);
            } catch (ProblemException e) {
                newest = newest == null ? e : newest;
            }
        }
        if (newest == null) {
            return new ReadText(plain(known, text), 0);
        }
        throw newest;
    }

    /** The present format first, which may be an earlier one that was chosen again. */
    private static List<Integer> newestFirst(FormatHistory formats) {
        IntStream all = IntStream.iterate(formats.revisions().size(), number -> number > 0, number -> number - 1);
        return IntStream.concat(IntStream.of(formats.current()), all)
                .filter(number -> number > 0)
                .distinct()
                .boxed()
                .toList();
    }

    /** Without a format the text of a number is its digits. */
    private static ParsedText plain(KnownDefinition known, String text) {
        try {
            long number = Long.parseLong(text);
            if (Long.toString(number).equals(text) && known.series().contains(number)) {
                return new ParsedText(number, Period.ALWAYS);
            }
        } catch (NumberFormatException e) {
            // Falls through: no number is as unreadable as one out of range.
        }
        throw new ProblemException(
                ProblemType.TEXT_UNREADABLE,
                "Expected a number from " + known.definition().minValue() + " to "
                        + known.definition().maxValue() + ": the sequence has no format.",
                Map.of("position", 1));
    }
}
