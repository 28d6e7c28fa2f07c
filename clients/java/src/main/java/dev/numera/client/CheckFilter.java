package dev.numera.client;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.Map;

/** Selects the numbers to check. Immutable. Start with {@link #ALL}. */
public final class CheckFilter {
    /** All numbers. */
    public static final CheckFilter ALL = new CheckFilter(Map.of(), null);

    private final Map<String, Object> query;
    private final Duration tryFor;

    private CheckFilter(Map<String, Object> query, Duration tryFor) {
        this.query = query;
        this.tryFor = tryFor;
    }

    /** Returns this filter from a number on. */
    public CheckFilter withFrom(long number) {
        return with("from", number);
    }

    /** Returns this filter up to a number. */
    public CheckFilter withTo(long number) {
        return with("to", number);
    }

    /** Returns this filter for the period of a date. */
    public CheckFilter withDate(LocalDate date) {
        return with("date", date);
    }

    /** Returns this filter for documents of this date or later. */
    public CheckFilter withDateFrom(LocalDate date) {
        return with("dateFrom", date);
    }

    /** Returns this filter for documents of this date or earlier. */
    public CheckFilter withDateTo(LocalDate date) {
        return with("dateTo", date);
    }

    /** Returns this filter, so that it counts only numbers reserved before an instant as reserved. */
    public CheckFilter withReservedBefore(Instant instant) {
        return with("reservedBefore", instant);
    }

    /** Returns this filter with a total time for which each request is retried. */
    public CheckFilter withTryFor(Duration time) {
        return new CheckFilter(query, time);
    }

    Map<String, Object> query() {
        return query;
    }

    Duration tryFor() {
        return tryFor;
    }

    private CheckFilter with(String name, Object value) {
        Map<String, Object> all = new LinkedHashMap<>(query);
        all.put(name, value);
        return new CheckFilter(all, tryFor);
    }
}
