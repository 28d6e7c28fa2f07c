package dev.numera.sequence;

import dev.numera.counter.SequenceName;
import dev.numera.counter.Timekeeper;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/** Texts back to numbers, by every format that the sequence ever had. Thread-safe; calls block where the definition is not known. */
public final class TextParser {
    private final Definitions definitions;
    private final Timekeeper time;
    private final int maxDaysAhead;

    // TODO: remove once Sequences passes Numera_MaxDaysAhead; this is its default.
    TextParser(Definitions definitions, Timekeeper time) {
        this(definitions, time, 400);
    }

    /** @param maxDaysAhead how many days from today the last date lies that a number may be asked for; from 0 */
    TextParser(Definitions definitions, Timekeeper time, int maxDaysAhead) {
        this.definitions = definitions;
        this.time = time;
        this.maxDaysAhead = maxDaysAhead;
    }

    /**
     * The number and period that a text was given for; the newest format that can have written it decides.
     *
     * @throws ProblemException {@code text-unreadable}, with what the newest format expected where
     */
    public ParsedText parse(SequenceName name, String text) {
        KnownDefinition known = definitions.get(name);
        List<String> formats = known.stored().formats();
        if (formats.isEmpty()) {
            return plain(known, text);
        }
        TextUnreadableException newest = null;
        for (int revision = formats.size(); revision > 0; revision--) {
            try {
                return Format.compile(formats.get(revision - 1)).parse(text, known.definition().formatContext(name), lastDate(known));
            } catch (TextUnreadableException e) {
                newest = newest == null ? e : newest;
            }
        }
        throw unreadable(newest.getMessage(), newest.position());
    }

    /** Without a format the text of a number is its digits. */
    private static ParsedText plain(KnownDefinition known, String text) {
        try {
            long number = Long.parseLong(text);
            if (Long.toString(number).equals(text) && known.definition().series().contains(number)) {
                return new ParsedText(number, Period.ALWAYS);
            }
        } catch (NumberFormatException e) {
            // Falls through: no number is as unreadable as one out of range.
        }
        throw unreadable("Expected a number from " + known.definition().minValue() + " to " + known.definition().maxValue()
                + ": the sequence has no format.", 1);
    }

    private static ProblemException unreadable(String why, int position) {
        return new ProblemException(ProblemType.TEXT_UNREADABLE, why, Map.of("position", position));
    }

    private LocalDate lastDate(KnownDefinition known) {
        return LocalDate.ofInstant(time.now(), known.definition().timeZone()).plusDays(maxDaysAhead);
    }
}
