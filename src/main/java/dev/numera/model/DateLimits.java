package dev.numera.model;

import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import java.time.LocalDate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How far from today the dates of new numbers may be.
 *
 * @param maxDaysAhead a typo must not open a period
 * @param maxDaysBack in a period that has no numbers yet: no caller opens thousands
 */
public record DateLimits(int maxDaysAhead, int maxDaysBack) {
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
}
