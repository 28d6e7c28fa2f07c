package dev.numera.model;

import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which dates new numbers may have: how far from today, and in which century. Immutable.
 *
 * @param maxDaysAhead a typo must not open a period
 * @param maxDaysBack in a period that has no numbers yet: no caller opens thousands
 */
public record DateLimits(int maxDaysAhead, int maxDaysBack) {
    /**
     * Why there are no new numbers for a request, in whatever state its counter is; a known key has its numbers all the
     * same.
     *
     * @param isOpening whether its period has no counter yet
     */
    public Optional<ProblemException> refusal(Sequence known, Take take, boolean isOpening) {
        if (take.isUndated()) {
            return Optional.empty();
        }
        LocalDate today = take.requireToday();
        return tooLate(take.date(), today)
                .or(() -> isOpening ? tooFarBack(known.fixed(), take.date(), today) : Optional.empty())
                .or(() -> known.tooManyCharacters(take.count()))
                .or(() -> ofAnotherCentury(known, known.formatRevision(), take.day()));
    }

    /**
     * Whether any instance may allocate the numbers, whichever definition it knows: also one whose texts show the year
     * by two digits. Only where the period has a counter.
     */
    public boolean allowsElsewhere(Sequence known, Take take) {
        return take.isUndated()
                || refusal(known, take, false).isEmpty()
                        && ofAnotherCentury(known, take.day()).isEmpty();
    }

    /**
     * Why a date gets no new numbers.
     *
     * @param date that was chosen; null is today
     * @param today the day on which the request, message or upload was accepted
     */
    public Optional<ProblemException> tooLate(@Nullable LocalDate date, LocalDate today) {
        LocalDate last = today.plusDays(maxDaysAhead);
        if (date == null || !date.isAfter(last)) {
            return Optional.empty();
        }
        return Optional.of(InvalidRequest.because(
                "date",
                "must not be later than " + last + ", which is " + maxDaysAhead + " days ahead (Numera_MaxDaysAhead)"));
    }

    /**
     * Refuses a date that gets no new numbers, in whatever period: it is too far ahead, or two digits do not identify
     * its year.
     *
     * @param date as for {@link #tooLate}
     * @throws ProblemException {@code invalid-request}
     */
    public void require(Sequence known, @Nullable LocalDate date, Instant now) {
        tooLate(date, known.fixed().day(now))
                .or(() -> ofAnotherCentury(
                        known, known.formatRevision(), known.fixed().day(date, now)))
                .ifPresent(problem -> {
                    throw problem;
                });
    }

    /**
     * Why a date opens no period: only a period that has a counter gets numbers under a date that far back.
     *
     * @param date as for {@link #tooLate}, as is today
     */
    public Optional<ProblemException> tooFarBack(FixedFields fixed, @Nullable LocalDate date, LocalDate today) {
        LocalDate first = today.minusDays(maxDaysBack);
        if (date == null || fixed.isNeverReset() || !date.isBefore(first)) {
            return Optional.empty();
        }
        return Optional.of(InvalidRequest.because(
                "date",
                "must not be before " + first + ", which is " + maxDaysBack
                        + " days back (Numera_MaxDaysBack), in a period that has no numbers yet. Numbers of older documents"
                        + " can be imported"));
    }

    /** Why a date gets no texts of a revision of the format that shows the year by two digits; 0 for no texts. */
    public static Optional<ProblemException> ofAnotherCentury(Sequence known, int formatRevision, LocalDate day) {
        return known.tellsYearByTwoDigits(formatRevision) ? ofAnotherCentury(known, day) : Optional.empty();
    }

    private static Optional<ProblemException> ofAnotherCentury(Sequence known, LocalDate day) {
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
