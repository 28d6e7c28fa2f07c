package dev.numera.core.model;

import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The limits for dates of new numbers: the distance from today, the century, and, for sequences with ordered dates, the
 * last date used. Immutable.
 *
 * @param maxDaysAhead how far ahead a date may be, so that a typo does not open a period
 * @param maxDaysBack how far back a date may be in a period without numbers, so that no caller opens thousands of
 *     periods
 */
public record DateLimits(int maxDaysAhead, int maxDaysBack) {
    private static final int MOST_DAYS_RAISED = 1;

    /**
     * Returns the request with the date for its new numbers, or the refusal. Allocations and previews use the same
     * rule. A known key keeps its numbers even if its date would be refused.
     *
     * @param isOpening whether the period has no counter yet; called only for dates before the limit
     * @param last the date of the counter's last allocation; null if it has none, or if dates need no order
     * @param now determines tomorrow, the last accepted date of a sequence with ordered dates
     */
    public Result<NumberRequest> dated(
            Sequence known, NumberRequest requested, BooleanSupplier isOpening, @Nullable LocalDate last, Instant now) {
        if (requested.isUndated()) {
            return Result.of(requested);
        }
        NumberRequest request = raised(known, requested, last);
        return refusal(known, request, isOpening)
                .or(() -> outOfOrder(known, request.day(), last, now))
                .<Result<NumberRequest>>map(Result::refused)
                .orElseGet(() -> Result.of(request));
    }

    /**
     * Returns the refusal of a request for new numbers that does not depend on the order of dates: the date is too far
     * ahead, too far back to open a period, or in another century, or the request has too many characters.
     *
     * @param isOpening as for {@link #dated}
     */
    public Optional<ProblemException> refusal(Sequence known, NumberRequest request, BooleanSupplier isOpening) {
        return ofDate(known.fixed(), request, isOpening)
                .or(() -> known.texts().tooManyCharacters(request.count()))
                .or(() -> ofAnotherCentury(known, known.formatRevision(), request.day()));
    }

    /**
     * Whether any other instance may allocate the numbers too, even if it knows another definition, such as one whose
     * texts show two-digit years. Call only if the period has a counter.
     */
    public boolean allowsElsewhere(Sequence known, NumberRequest request) {
        return request.isUndated()
                || refusal(known, request, () -> false).isEmpty()
                        && ofAnotherCentury(known, request.day()).isEmpty();
    }

    /**
     * Returns the refusal of a date for an imported number. Imports may be any number of days back or ahead, except
     * where dates are in order: there a date after tomorrow would leave no date for new numbers. Refuses another
     * century if the format shows two-digit years.
     *
     * @param stated the date in the import; null for today
     * @param formatRevision the revision of the number's text
     */
    public static Optional<ProblemException> refusalOfImport(
            Sequence known, @Nullable LocalDate stated, int formatRevision, Instant now) {
        return ofAnotherCentury(known, formatRevision, known.fixed().day(stated, now))
                .or(() -> Optional.ofNullable(stated).flatMap(date -> afterTomorrow(known, date, now)));
    }

    /**
     * Moves a request without a date from the previous day to the last date used. Example: a request starts before
     * midnight, and another request gets a number of the new day first.
     */
    private static NumberRequest raised(Sequence known, NumberRequest request, @Nullable LocalDate last) {
        if (last == null || request.date() != null || !known.isDateOrdered()) {
            return request;
        }
        boolean wasTheDayBefore = request.day().isBefore(last)
                && !request.day().plusDays(MOST_DAYS_RAISED).isBefore(last);
        return wasTheDayBefore ? request.on(last) : request;
    }

    /**
     * Returns the refusal of a date that is earlier than the last date used, or later than tomorrow, if the sequence
     * has ordered dates.
     *
     * @param last as for {@link #dated}, as is now
     */
    public static Optional<ProblemException> outOfOrder(
            Sequence known, LocalDate date, @Nullable LocalDate last, Instant now) {
        if (!known.isDateOrdered()) {
            return Optional.empty();
        }
        if (last == null || !date.isBefore(last)) {
            return afterTomorrow(known, date, now);
        }
        return Optional.of(new ProblemException(
                ProblemType.DATE_ORDER,
                "The sequence " + known.counter(date)
                        + " allocates numbers in the order of dates. The last date used is " + last
                        + ", which is later than " + date + ". Send " + last + " or a later date.",
                Map.of("lastDate", last.toString())));
    }

    private static Optional<ProblemException> afterTomorrow(Sequence known, LocalDate date, Instant now) {
        if (!known.isDateOrdered()) {
            return Optional.empty();
        }
        LocalDate latest = known.fixed().lastDateInOrder(now);
        return date.isAfter(latest)
                ? Optional.of(InvalidRequest.because(
                        "date",
                        "must not be later than " + latest
                                + ", which is tomorrow: the sequence allocates numbers in the order of dates, so a later date"
                                + " would block all days before it"))
                : Optional.empty();
    }

    /** Returns the refusal of a date that is too far from today. A null date is today. */
    private Optional<ProblemException> ofDate(FixedFields fixed, NumberRequest request, BooleanSupplier isOpening) {
        LocalDate date = request.date();
        if (date == null) {
            return Optional.empty();
        }
        LocalDate today = Objects.requireNonNull(request.today(), "A request has its day once its sequence is known.");
        return tooLate(date, today)
                .or(() -> tooFarBack(fixed, date, today).filter(problem -> isOpening.getAsBoolean()));
    }

    private Optional<ProblemException> tooLate(LocalDate date, LocalDate today) {
        LocalDate last = today.plusDays(maxDaysAhead);
        if (!date.isAfter(last)) {
            return Optional.empty();
        }
        return Optional.of(InvalidRequest.because(
                "date",
                "must not be later than " + last + ", which is " + maxDaysAhead + " days ahead (Numera_MaxDaysAhead)"));
    }

    /**
     * Returns the refusal of a date that is too far back to open a period. A period that already has a counter
     * allocates numbers under such a date.
     */
    private Optional<ProblemException> tooFarBack(FixedFields fixed, LocalDate date, LocalDate today) {
        LocalDate first = today.minusDays(maxDaysBack);
        if (fixed.isNeverReset() || !date.isBefore(first)) {
            return Optional.empty();
        }
        return Optional.of(InvalidRequest.because(
                "date",
                "must not be before " + first + ", which is " + maxDaysBack
                        + " days back (Numera_MaxDaysBack), in a period that has no numbers yet. Numbers of older documents"
                        + " can be imported"));
    }

    /**
     * Returns the refusal of a date outside the 100 years that two digits can mean, if the revision of the format shows
     * two-digit years. Revision 0 has no texts and refuses no date.
     */
    private static Optional<ProblemException> ofAnotherCentury(Sequence known, int formatRevision, LocalDate day) {
        return known.texts().tellsYearByTwoDigits(formatRevision) ? ofAnotherCentury(known, day) : Optional.empty();
    }

    private static Optional<ProblemException> ofAnotherCentury(Sequence known, LocalDate day) {
        LocalDate first = known.texts().firstTwoDigitDate();
        LocalDate last = known.texts().lastTwoDigitDate();
        return day.isBefore(first) || day.isAfter(last)
                ? Optional.of(InvalidRequest.because(
                        "date",
                        "must be from " + first + " to " + last
                                + ": the texts show two-digit years, which can mean only these dates"))
                : Optional.empty();
    }
}
