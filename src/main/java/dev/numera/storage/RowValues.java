package dev.numera.storage;

import dev.numera.format.Format;
import dev.numera.format.Period;
import dev.numera.json.Checked;
import dev.numera.model.Ask;
import dev.numera.model.FormatHistory;
import dev.numera.model.KeyStatus;
import dev.numera.model.Series;
import dev.numera.problem.PrintableText;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What several kinds of row have in common, with the bounds that the app keeps when it writes. */
final class RowValues {
    /** The next number may lie beyond the range, by one increment at most. */
    static final long LARGEST_NEXT = Series.LARGEST_VALUE + Series.LARGEST_INCREMENT;
    /** For random ids, names of processes and fingerprints, which other versions may make longer. */
    static final int MAX_ID_UNITS = 1_000;

    private static final int MAX_NOTE_UNITS = 1_000;

    private RowValues() {}

    static String key(Checked value) {
        return printable(value, PrintableText.KEY.maxUnits());
    }

    /** As long as a reason, or longer where the app itself writes one. */
    static String note(Checked value) {
        return printable(value, MAX_NOTE_UNITS);
    }

    static String printable(Checked value, int maxUnits) {
        String text = value.string(1, maxUnits);
        if (PrintableText.flaw(text, maxUnits).isPresent()) {
            throw value.refused("must be printable, without a blank at either end");
        }
        return text;
    }

    static String id(Checked value) {
        return value.string(1, MAX_ID_UNITS);
    }

    static long number(Checked value) {
        return value.int64(-Series.LARGEST_VALUE, Series.LARGEST_VALUE);
    }

    /** Of one allocation; the block of a cached sequence may be larger. */
    static int count(Checked value) {
        return value.int32(1, Ask.MAX_COUNT);
    }

    static String period(Checked value) {
        String id = value.string(0, "2026-11-21".length());
        try {
            return new Period(id).id();
        } catch (IllegalArgumentException e) {
            throw value.refused("must be a period: empty, a year, a month or a day");
        }
    }

    /** Of a format that a sequence can have; whether it had it is known to its definition. */
    static int revision(Checked value) {
        return value.int32(0, FormatHistory.MAX_REVISIONS);
    }

    static String text(Checked value) {
        return value.string(1, Format.MAX_TEXT_LENGTH);
    }

    /**
     * Refuses numbers that no increment leads through: the last one is the first one and (count - 1) increments more.
     * All of them are within 4·10^18 either way, so nothing here overflows.
     *
     * @param last of which the refusal names the place
     */
    static void requireSeries(long first, Checked last, int count) {
        long distance = number(last) - first;
        boolean isSeries =
                count == 1 ? distance == 0 : distance % (count - 1) == 0 && Series.isIncrement(distance / (count - 1));
        if (!isSeries) {
            throw last.refused("must be " + (count - 1) + " increments from " + first);
        }
    }

    /** What is said of numbers: nothing without a status; with it the time, and where they are void the reason. */
    static KeyStatus status(Optional<Checked> status, Checked statusAt, Checked reason, @Nullable String actor) {
        if (status.isEmpty()) {
            return KeyStatus.SIMPLY_ISSUED;
        }
        KeyStatus.Status said = StoredRow.word(status.get(), KeyStatus.Status.class);
        Instant at = statusAt.instant();
        return new KeyStatus(said, said == KeyStatus.Status.VOID ? note(reason) : null, actor, at);
    }
}
