package dev.numera.sequence;

import dev.numera.execution.Clock;
import dev.numera.format.Period;
import dev.numera.model.CounterId;
import dev.numera.model.FixedFields;
import dev.numera.model.Sequence;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which day a call is for, in its sequence's time zone; which period's counter counts it; and which days get no
 * numbers. Immutable and thread-safe.
 */
final class Dates {
    private final Clock time;
    private final int maxDaysAhead;
    private final int maxDaysBack;

    Dates(Clock time, int maxDaysAhead, int maxDaysBack) {
        this.time = time;
        this.maxDaysAhead = maxDaysAhead;
        this.maxDaysBack = maxDaysBack;
    }

    /** The counter of a date's period; null is today. */
    CounterId counterId(Sequence known, @Nullable LocalDate date) {
        FixedFields fixed = known.fixed();
        return new CounterId(
                known.name(),
                Period.of(day(known, date), fixed.resetEvery(), fixed.fiscalYearStart())
                        .id());
    }

    /** Null is today. */
    LocalDate day(Sequence known, @Nullable LocalDate date) {
        return date != null ? date : known.fixed().day(time.now());
    }

    /** Why a date gets no new numbers: a typo must not open a period, and two digits must identify the year. */
    private Optional<ProblemException> problem(Sequence known, @Nullable LocalDate date) {
        return problem(known, known.formatRevision(), date);
    }

    /** As the other, for texts of another revision of the format; 0 for numbers without texts. */
    Optional<ProblemException> problem(Sequence known, int formatRevision, @Nullable LocalDate date) {
        Optional<ProblemException> tooLate = tooLate(known, date, time.now());
        return tooLate.isPresent() || !known.tellsYearByTwoDigits(formatRevision)
                ? tooLate
                : ofAnotherCentury(known, day(known, date));
    }

    void require(Sequence known, @Nullable LocalDate date) {
        problem(known, date).ifPresent(problem -> {
            throw problem;
        });
    }

    /** @param sentAt the moment at which the request, message or upload was accepted */
    Optional<ProblemException> tooLate(Sequence known, @Nullable LocalDate date, Instant sentAt) {
        LocalDate last = known.fixed().day(sentAt).plusDays(maxDaysAhead);
        if (date == null || !date.isAfter(last)) {
            return Optional.empty();
        }
        return Optional.of(InvalidRequest.because(
                "date",
                "must not be later than " + last + ", which is " + maxDaysAhead + " days ahead (Numera_MaxDaysAhead)"));
    }

    /**
     * Why a date opens no period: only a period that has a counter gets numbers under a date that far back.
     *
     * @param sentAt the moment at which the request, message or upload was accepted
     */
    Optional<ProblemException> tooFarBack(Sequence known, @Nullable LocalDate date, Instant sentAt) {
        LocalDate first = known.fixed().day(sentAt).minusDays(maxDaysBack);
        if (date == null || known.fixed().isNeverReset() || !date.isBefore(first)) {
            return Optional.empty();
        }
        return Optional.of(InvalidRequest.because(
                "date",
                "must not be before " + first + ", which is " + maxDaysBack
                        + " days back (Numera_MaxDaysBack), in a period that has no numbers yet. Numbers of older documents"
                        + " can be imported"));
    }

    /** Only for texts that show the year by two digits. */
    Optional<ProblemException> ofAnotherCentury(Sequence known, LocalDate day) {
        LocalDate first = known.firstTwoDigitDate();
        LocalDate last = known.lastTwoDigitDate();
        return day.isBefore(first) || day.isAfter(last)
                ? Optional.of(InvalidRequest.because(
                        "date",
                        "must be from " + first + " to " + last
                                + ": the texts show the year by two digits, which mean these dates only"))
                : Optional.empty();
    }
}
