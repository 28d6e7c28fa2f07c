package dev.numera.counter;

import dev.numera.model.DateLimits;
import dev.numera.model.Sequence;
import dev.numera.model.Take;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Under which dates one write allocates numbers: where the definition wants it, none is before the last one that the
 * counter allocated any under. Belongs to the plan that is computed.
 */
final class DatedRequests {
    private final Sequence terms;
    private final Instant now;
    private @Nullable LocalDate last;

    /**
     * @param last under which the counter allocated numbers last; null where it allocated none, or their dates have no
     *     order
     */
    DatedRequests(Sequence terms, @Nullable LocalDate last, Instant now) {
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
     * Whether all of these get numbers under their own dates in this order: what has to be raised or refused for its
     * date, its own instance does.
     */
    boolean areAsSent(List<Take> requests) {
        if (!terms.isDateOrdered()) {
            return true;
        }
        List<LocalDate> dates = requests.stream().map(Take::day).toList();
        return dates.equals(dates.stream().sorted().toList())
                && dates.stream()
                        .allMatch(date ->
                                DateLimits.outOfOrder(terms, date, last, now).isEmpty());
    }

    void took(LocalDate date) {
        if (terms.isDateOrdered()) {
            last = date;
        }
    }
}
