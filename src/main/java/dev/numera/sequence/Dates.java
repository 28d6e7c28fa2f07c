package dev.numera.sequence;

import dev.numera.counter.CounterId;
import dev.numera.counter.FixedFields;
import dev.numera.counter.Timekeeper;
import dev.numera.definition.Definitions;
import dev.numera.definition.KnownDefinition;
import dev.numera.format.InvalidFieldException;
import dev.numera.format.Period;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import java.time.LocalDate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which day a call is for, in its sequence's time zone; which period's counter counts it; and which days get no
 * numbers. Immutable and thread-safe.
 */
final class Dates {
    private static final int YEARS_TOLD_BY_TWO_DIGITS = 99;

    private final Timekeeper time;
    private final int maxDaysAhead;

    Dates(Timekeeper time, int maxDaysAhead) {
        this.time = time;
        this.maxDaysAhead = maxDaysAhead;
    }

    /** The counter of a date's period; null is today. */
    CounterId counterId(KnownDefinition known, @Nullable LocalDate date) {
        FixedFields fixed = known.fixed();
        try {
            return new CounterId(
                    known.name(),
                    Period.of(day(known, date), fixed.resetEvery(), fixed.fiscalYearStart())
                            .id());
        } catch (InvalidFieldException e) {
            throw Definitions.invalid(e);
        }
    }

    /** Null is today. */
    LocalDate day(KnownDefinition known, @Nullable LocalDate date) {
        return date != null ? date : known.fixed().day(time.now());
    }

    /** Why a given date gets no new numbers: a typo must not open a period, and two digits must tell the year. */
    private Optional<ProblemException> problem(KnownDefinition known, @Nullable LocalDate date) {
        return problem(known, known.format().revision(), date);
    }

    /** As the other, for texts of another revision of the format; 0 for numbers without texts. */
    Optional<ProblemException> problem(KnownDefinition known, int formatRevision, @Nullable LocalDate date) {
        Optional<ProblemException> tooLate = tooLate(known, date);
        return tooLate.isPresent() || !known.tellsYearByTwoDigits(formatRevision)
                ? tooLate
                : ofAnotherCentury(known, date);
    }

    void require(KnownDefinition known, @Nullable LocalDate date) {
        problem(known, date).ifPresent(problem -> {
            throw problem;
        });
    }

    Optional<ProblemException> tooLate(KnownDefinition known, @Nullable LocalDate date) {
        if (date == null || !date.isAfter(lastDate(known))) {
            return Optional.empty();
        }
        return Optional.of(InvalidRequest.because(
                "date",
                "must not be later than " + lastDate(known) + ", which is " + maxDaysAhead
                        + " days ahead (Numera_MaxDaysAhead)"));
    }

    /** Only for texts that tell the year by two digits. */
    Optional<ProblemException> ofAnotherCentury(KnownDefinition known, @Nullable LocalDate date) {
        if (date == null) {
            return Optional.empty();
        }
        LocalDate first = lastDate(known).minusYears(YEARS_TOLD_BY_TWO_DIGITS);
        if (!date.isBefore(first)) {
            return Optional.empty();
        }
        return Optional.of(InvalidRequest.because(
                "date", "must not be before " + first + ": the texts tell the year by two digits"));
    }

    /** The last date that numbers may be asked for. */
    LocalDate lastDate(KnownDefinition known) {
        return known.fixed().day(time.now()).plusDays(maxDaysAhead);
    }
}
