package dev.numera.client;

import java.time.Instant;
import java.time.LocalDate;

/**
 * The state of a sequence, or of one of its periods. A string, date or instant that does not apply is null.
 *
 * @param used the share of the range that is used, from 0 to 1
 */
public record State(
        String period,
        long next,
        String nextText,
        long allocated,
        long left,
        double used,
        LocalDate lastDate,
        Instant firstAllocatedAt,
        Instant changedAt,
        Instant suspendedAt,
        Instant retiredAt) {
    static State of(Fields fields) {
        return new State(
                fields.string("period"),
                fields.number("next"),
                fields.string("nextText"),
                fields.number("allocated"),
                fields.number("left"),
                ((Number) fields.values().get("used")).doubleValue(),
                fields.date("lastDate"),
                fields.instant("firstAllocatedAt"),
                fields.instant("changedAt"),
                fields.instant("suspendedAt"),
                fields.instant("retiredAt"));
    }
}
