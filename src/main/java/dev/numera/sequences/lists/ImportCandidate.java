package dev.numera.sequences.lists;

import dev.numera.core.format.Revision;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.DateLimits;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.ReadText;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Series;
import dev.numera.core.model.Status;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Objects;

/**
 * A row of an import for the ledger of a sequence. Checks the number, the text and the date against the definition
 * only. The counter decides later, in the write, whether the number is free. Immutable.
 *
 * @param change the import
 */
record ImportCandidate(Sequence known, ImportedNumber stated, Change change, Instant now) {
    /**
     * Returns the allocation as the ledger will store it.
     *
     * @throws ProblemException {@code invalid-request} for a number, text or date that the sequence cannot have
     */
    Allocation allocation() {
        ReadText read = stated.text() == null ? null : known.texts().read(stated.text());
        long number = read == null
                ? Objects.requireNonNull(stated.number(), "What has no text has a number.")
                : read.parsed().number();
        int revision = read == null ? known.formatRevision() : read.formatRevision();
        requireOfSeries(number);
        requireOfFormat(revision, number);
        LocalDate date = date(revision);
        String text = known.texts().text(revision, date, number);
        if (stated.text() != null && text != null && !text.equals(stated.text())) {
            throw InvalidRequest.because(
                    "date",
                    "must be a date of the text: under " + date + " the number " + number + " has the text " + text
                            + ", not " + stated.text());
        }
        return new Allocation(
                stated.key(),
                number,
                number,
                1,
                known.counter(date).period(),
                date,
                text,
                revision,
                now,
                false,
                status(),
                change.position().id(),
                null,
                change.note().actor());
    }

    private void requireOfSeries(long number) {
        Series series = known.series();
        if (!series.contains(number)) {
            throw InvalidRequest.because(
                    "number",
                    "must be from " + series.minValue() + " to " + series.maxValue()
                            + ": the owner can widen the range");
        }
        if (!series.isMember(number)) {
            throw InvalidRequest.because(
                    "number",
                    "must be " + series.start() + " and whole increments of " + series.increment()
                            + " before or after it");
        }
    }

    /**
     * Refuses a number outside the range that its format is reserved for. An earlier version may have reserved less
     * than the range of the sequence.
     */
    private void requireOfFormat(int formatRevision, long number) {
        if (formatRevision > 0 && !known.formats().revision(formatRevision).holds(number)) {
            Revision revision = known.formats().revision(formatRevision);
            throw InvalidRequest.because(
                    "number",
                    "must be from " + revision.least() + " to " + revision.greatest()
                            + ": an earlier version of the app"
                            + " reserved the format " + revision.format()
                            + " for these numbers only. To reserve it for all, the owner sets another format and then this one again");
        }
    }

    /**
     * Returns the date of the number; without a date in the row, the day of the upload. The row must state the date if
     * the sequence restarts in each period or shows it in its texts, because it cannot be guessed then.
     */
    private LocalDate date(int formatRevision) {
        LocalDate date = stated.date();
        if (date == null && (!known.fixed().isNeverReset() || known.texts().showsDate(formatRevision))) {
            throw InvalidRequest.because(
                    "date",
                    "is required: the sequence " + known.name()
                            + (known.fixed().isNeverReset() ? " shows it in its texts" : " restarts in each period")
                            + ". In CSV, send it in the column date or in the column that dateColumn names");
        }
        DateLimits.refusalOfImport(known, date, formatRevision, now).ifPresent(problem -> {
            throw problem;
        });
        return known.fixed().day(date, change.position().at());
    }

    private Status status() {
        return stated.status() == Status.Kind.ISSUED
                ? Status.SIMPLY_ISSUED
                : new Status(
                        stated.status(),
                        stated.reason(),
                        change.note().actor(),
                        change.position().at());
    }
}
