package dev.numera.model;

import dev.numera.problem.Answer;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Which dates new numbers may have: how far from today, in which century, and where dates are in order, after which
 * one. Immutable.
 *
 * @param maxDaysAhead a typo must not open a period
 * @param maxDaysBack in a period that has no numbers yet: no caller opens thousands
 */
public record DateLimits(int maxDaysAhead, int maxDaysBack) {
    private static final int MOST_DAYS_RAISED = 1;

    /**
     * A request under the date that it gets new numbers under now, or why it gets none: for allocations and for all
     * that foresees them. A known key has its numbers all the same.
     *
     * @param isOpening whether its period has no counter yet; looked at for few dates only
     * @param last under which the counter allocated numbers last; null where it allocated none, or their dates have no
     *     order
     * @param now decides which day is tomorrow, the last one where dates are in order
     */
    public Answer<Take> dated(
            Sequence known, Take requested, BooleanSupplier isOpening, @Nullable LocalDate last, Instant now) {
        if (requested.isUndated()) {
            return Answer.of(requested);
        }
        return Answer.of(raised(known, requested, last))
                .unless(take -> refusal(known, take, isOpening).or(() -> outOfOrder(known, take.day(), last, now)));
    }

    /**
     * Why there are no new numbers for a request, in whatever order it comes: what is wrong with it in any state of its
     * counter, and that its date opens no period.
     *
     * @param isOpening as for {@link #dated}
     */
    public Optional<ProblemException> refusal(Sequence known, Take take, BooleanSupplier isOpening) {
        LocalDate today = take.requireToday();
        return tooLate(take.date(), today)
                .or(() -> tooFarBack(known.fixed(), take.date(), today).filter(problem -> isOpening.getAsBoolean()))
                .or(() -> known.tooManyCharacters(take.count()))
                .or(() -> ofAnotherCentury(known, known.formatRevision(), take.day()));
    }

    /**
     * Whether any instance may allocate the numbers, whichever definition it knows: also one whose texts show the year
     * by two digits. Only where the period has a counter.
     */
    public boolean allowsElsewhere(Sequence known, Take take) {
        return take.isUndated()
                || refusal(known, take, () -> false).isEmpty()
                        && ofAnotherCentury(known, take.day()).isEmpty();
    }

    /**
     * Why a number of an earlier system cannot be imported under a date, however far from today that is.
     *
     * @param stated in the import; null for today
     * @param formatRevision of its text
     */
    public static Optional<ProblemException> refusalOfImport(
            Sequence known, @Nullable LocalDate stated, int formatRevision, Instant now) {
        return ofAnotherCentury(known, formatRevision, known.fixed().day(stated, now))
                .or(() -> Optional.ofNullable(stated).flatMap(date -> afterTomorrow(known, date, now)));
    }

    /** Who chose no date, and comes late at midnight, has the one that is reached. */
    private static Take raised(Sequence known, Take request, @Nullable LocalDate last) {
        if (last == null || request.date() != null || !known.isDateOrdered()) {
            return request;
        }
        boolean wasTheDayBefore = request.day().isBefore(last)
                && !request.day().plusDays(MOST_DAYS_RAISED).isBefore(last);
        return wasTheDayBefore ? request.on(last) : request;
    }

    /**
     * Why there are no numbers under a date after those under the last one.
     *
     * @param last as for {@link #dated}, as is now
     */
    public static Optional<ProblemException> outOfOrder(
            Sequence known, LocalDate date, @Nullable LocalDate last, Instant now) {
        if (last == null || !known.isDateOrdered() || !date.isBefore(last)) {
            return afterTomorrow(known, date, now);
        }
        return Optional.of(new ProblemException(
                ProblemType.DATE_ORDER,
                "The sequence " + known.counter(date)
                        + " allocates numbers in the order of dates. The last date used is " + last
                        + ", so none is allocated under " + date + ". Send " + last + " or a later date.",
                Map.of("lastDate", last.toString())));
    }

    private static Optional<ProblemException> afterTomorrow(Sequence known, LocalDate date, Instant now) {
        LocalDate latest = known.lastDateInOrder(now);
        return known.isDateOrdered() && date.isAfter(latest)
                ? Optional.of(InvalidRequest.because(
                        "date",
                        "must not be later than " + latest
                                + ", which is tomorrow: the sequence allocates numbers in the order of dates, and none"
                                + " would be left before this one"))
                : Optional.empty();
    }

    /** Only a date that was chosen is too late; null is today. */
    private Optional<ProblemException> tooLate(@Nullable LocalDate date, LocalDate today) {
        LocalDate last = today.plusDays(maxDaysAhead);
        if (date == null || !date.isAfter(last)) {
            return Optional.empty();
        }
        return Optional.of(InvalidRequest.because(
                "date",
                "must not be later than " + last + ", which is " + maxDaysAhead + " days ahead (Numera_MaxDaysAhead)"));
    }

    /** Why a date opens no period: only a period that has a counter gets numbers under a date that far back. */
    private Optional<ProblemException> tooFarBack(FixedFields fixed, @Nullable LocalDate date, LocalDate today) {
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
    private static Optional<ProblemException> ofAnotherCentury(Sequence known, int formatRevision, LocalDate day) {
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
