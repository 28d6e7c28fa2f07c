package dev.numera.counter;

import dev.numera.model.CounterId;
import dev.numera.model.Sequence;
import dev.numera.model.Take;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Under which dates one write allocates numbers: where the definition wants it, none is before the last one that the
 * counter allocated any under. Belongs to the plan that is computed.
 */
final class DatedRequests {
    private static final int MOST_DAYS_RAISED = 1;

    private final CounterId id;
    private final Sequence terms;
    private final Instant now;
    private @Nullable LocalDate last;

    /**
     * @param last under which the counter allocated numbers last; null where it allocated none, or their dates have no
     *     order
     */
    DatedRequests(CounterId id, Sequence terms, @Nullable LocalDate last, Instant now) {
        this.id = id;
        this.terms = terms;
        this.last = last;
        this.now = now;
    }

    @Nullable
    LocalDate last() {
        return last;
    }

    /** As they are to be served: those of one date in the order in which they came. */
    List<Call.Slot> inOrder(List<Call.Slot> slots) {
        return terms.isDateOrdered()
                ? slots.stream()
                        .sorted(Comparator.comparing(DatedRequests::date))
                        .toList()
                : slots;
    }

    private static LocalDate date(Call.Slot slot) {
        return ((Take) slot.request).day();
    }

    /**
     * The request under the date that it can have: who chose none, and comes late at midnight, has the one that is
     * reached.
     */
    Take raised(Take request) {
        LocalDate since = last;
        if (since == null || request.date() != null || !terms.isDateOrdered()) {
            return request;
        }
        boolean wasTheDayBefore = request.day().isBefore(since)
                && !request.day().plusDays(MOST_DAYS_RAISED).isBefore(since);
        return wasTheDayBefore ? request.on(since) : request;
    }

    /** Why there are no numbers under a date. */
    Optional<ProblemException> refusal(LocalDate date) {
        if (!terms.isDateOrdered()) {
            return Optional.empty();
        }
        if (last != null && date.isBefore(last)) {
            return Optional.of(new ProblemException(
                    ProblemType.DATE_ORDER,
                    "The sequence " + id + " allocates numbers in the order of dates. The last date used is " + last
                            + ", so none is allocated under " + date + ". Send " + last + " or a later date.",
                    Map.of("lastDate", last.toString())));
        }
        LocalDate latest = terms.lastDateInOrder(now);
        return date.isAfter(latest)
                ? Optional.of(InvalidRequest.because(
                        "date",
                        "must not be later than " + latest
                                + ", which is tomorrow: the sequence allocates numbers in the order of dates, and none"
                                + " would be left before this one"))
                : Optional.empty();
    }

    /**
     * Whether all of these get numbers under their own dates in this order: what has to be raised or refused for its
     * date, its own instance does.
     */
    boolean areAsSent(List<Take> requests) {
        if (!terms.isDateOrdered()) {
            return true;
        }
        List<LocalDate> dates = requests.stream().map(Take::day).toList();
        return dates.equals(dates.stream().sorted().toList())
                && dates.stream().allMatch(date -> refusal(date).isEmpty());
    }

    void took(LocalDate date) {
        if (terms.isDateOrdered()) {
            last = date;
        }
    }
}
