package dev.numera.core.counter;

import dev.numera.core.model.DateLimits;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The dates under which one write allocates numbers. If the definition requires ascending dates, no number gets an
 * earlier date than the number before it, in this write or in the counter. Used by one plan; not thread-safe.
 */
final class AscendingDates {
    private final Sequence definition;
    private final Instant now;
    private final boolean isOrdered;
    private @Nullable LocalDate last;

    /**
     * @param last the date of the counter's last allocation; null if the counter has allocated no number, or its dates
     *     need no order
     */
    AscendingDates(Sequence definition, @Nullable LocalDate last, Instant now) {
        this.definition = definition;
        this.last = last;
        this.now = now;
        this.isOrdered = definition.isDateOrdered();
    }

    @Nullable
    LocalDate last() {
        return last;
    }

    /**
     * Returns the requests in the order of allocation: sorted by date, except that the requests of one call keep their
     * order. A request with an earlier date than a previous request of the same call is therefore refused. Example: one
     * call requests 1, 3 and 2 November, another one 2 November. The order is 1, 2 (of the other call), 3, 2.
     */
    List<WaitingCall.Slot> inOrder(List<WaitingCall.Slot> slots) {
        if (!isOrdered) {
            return slots;
        }
        Map<WaitingCall.Slot, LocalDate> due = new HashMap<>();
        Map<WaitingCall, LocalDate> reached = new HashMap<>();
        LocalDate latest = definition.fixed().lastDateInOrder(now);
        for (WaitingCall.Slot slot : slots) {
            LocalDate date = day(slot);
            // A request that is refused as too late does not delay the requests behind it.
            LocalDate counted = date.isAfter(latest) ? LocalDate.MIN : date;
            due.put(slot, reached.merge(slot.call, counted, (a, b) -> a.isAfter(b) ? a : b));
        }
        return slots.stream().sorted(Comparator.comparing(due::get)).toList();
    }

    /**
     * Returns the leading requests, in the order of allocation, but only those before the first request with an earlier
     * date than its predecessor. Only the instance that received that request may refuse it.
     */
    List<WaitingCall.Slot> ascending(List<WaitingCall.Slot> slots) {
        List<WaitingCall.Slot> inOrder = inOrder(slots);
        int end = isOrdered ? Math.min(1, inOrder.size()) : inOrder.size();
        while (end < inOrder.size() && !day(inOrder.get(end)).isBefore(day(inOrder.get(end - 1)))) {
            end++;
        }
        return inOrder.subList(0, end);
    }

    private static LocalDate day(WaitingCall.Slot slot) {
        return ((NumberRequest) slot.request).day();
    }

    /**
     * Whether a request is refused because another request, ahead in the same write, has a later date. That write may
     * be lost, so the refusal is not final.
     *
     * @param reached the date of the counter's last number; null for none
     */
    static boolean isRefusedBeside(ProblemException refusal, @Nullable LocalDate reached) {
        return refusal.type() == ProblemType.DATE_ORDER
                && !String.valueOf(reached).equals(refusal.members().get("lastDate"));
    }

    /**
     * Whether a peer's requests can get numbers under their own dates in this order. If not, a date must be raised or
     * refused, and only the peer's own instance does that.
     */
    boolean areAsSent(List<NumberRequest> requests) {
        if (!isOrdered) {
            return true;
        }
        List<LocalDate> dates = requests.stream().map(NumberRequest::day).toList();
        return dates.equals(dates.stream().sorted().toList())
                && dates.stream().allMatch(date -> DateLimits.outOfOrder(definition, date, last, now)
                        .isEmpty());
    }

    void took(LocalDate date) {
        if (isOrdered) {
            last = date;
        }
    }
}
