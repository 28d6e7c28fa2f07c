package dev.numera.client;

import java.time.Duration;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.Map;

/** Selects entries of the ledger. Immutable. Start with {@link #NONE}. */
public final class LedgerFilter {
    /** All entries of today's period. */
    public static final LedgerFilter NONE = new LedgerFilter(Map.of(), null);

    private final Map<String, Object> query;
    private final Duration tryFor;

    private LedgerFilter(Map<String, Object> query, Duration tryFor) {
        this.query = query;
        this.tryFor = tryFor;
    }

    /** Returns this filter for entries that reach a number or beyond. */
    public LedgerFilter withFrom(long number) {
        return with("from", number);
    }

    /** Returns this filter for entries that start at a number or before. */
    public LedgerFilter withTo(long number) {
        return with("to", number);
    }

    /** Returns this filter for the entry with a text. */
    public LedgerFilter withText(String text) {
        return with("text", Call.text("text", text));
    }

    /** Returns this filter for the entry of a key. Only this one reads the history. */
    public LedgerFilter withKey(String key) {
        return with("key", Call.text("key", key));
    }

    /** Returns this filter for keys that start with a text. */
    public LedgerFilter withKeyPrefix(String start) {
        return with("keyPrefix", Call.text("start of the key", start));
    }

    /** Returns this filter for the period of a date. */
    public LedgerFilter withDate(LocalDate date) {
        return with("date", date);
    }

    /** Returns this filter for documents of this date or later. */
    public LedgerFilter withDateFrom(LocalDate date) {
        return with("dateFrom", date);
    }

    /** Returns this filter for documents of this date or earlier. */
    public LedgerFilter withDateTo(LocalDate date) {
        return with("dateTo", date);
    }

    /** Returns this filter for {@code reserved} or {@code void} numbers. */
    public LedgerFilter withStatus(String status) {
        return with("status", status);
    }

    /** Returns this filter for actors whose name has this part, in any case. */
    public LedgerFilter withActor(String part) {
        return with("actor", Call.text("actor", part));
    }

    /**
     * Returns this filter for reasons that have this part, in any case. Only void and skipped numbers have a reason.
     */
    public LedgerFilter withReason(String part) {
        return with("reason", Call.text("reason", part));
    }

    /** Returns this filter, so that the newest entries come first. */
    public LedgerFilter withNewestFirst() {
        return with("order", "desc");
    }

    /** Returns this filter with a size of pages; 1000 by default. */
    public LedgerFilter withLimit(int entries) {
        return with("limit", entries);
    }

    /** Returns this filter with a total time for which each request is retried. */
    public LedgerFilter withTryFor(Duration time) {
        return new LedgerFilter(query, time);
    }

    Map<String, Object> query() {
        return query;
    }

    Duration tryFor() {
        return tryFor;
    }

    private LedgerFilter with(String name, Object value) {
        Map<String, Object> all = new LinkedHashMap<>(query);
        all.put(name, value);
        return new LedgerFilter(all, tryFor);
    }
}
