package dev.numera.client;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;

/**
 * The numbers of one request: {@code first}, {@code first + increment} and so on to {@code last}. A string, date or
 * instant that does not apply is null.
 *
 * @param texts the numbers as the sequence's format prints them; empty if it has no format
 * @param status issued, reserved or void; set at {@code statusAt}
 * @param replayed whether an earlier request with the same key got these numbers
 * @param created whether this call created the sequence
 */
public record Allocation(
        String key,
        long first,
        long last,
        int count,
        long increment,
        List<String> texts,
        LocalDate date,
        String period,
        String status,
        String reason,
        Instant statusAt,
        boolean replayed,
        boolean created) {
    static Allocation of(Fields fields) {
        return new Allocation(
                fields.string("key"),
                fields.number("first"),
                fields.number("last"),
                fields.count(),
                fields.number("increment"),
                fields.texts(),
                fields.date(),
                fields.string("period"),
                fields.has("status") ? fields.string("status") : "issued",
                fields.string("reason"),
                fields.instant("statusAt"),
                fields.is("replayed"),
                fields.is("created"));
    }

    /** Returns the first number in its printed form. */
    public String text() {
        return texts.isEmpty() ? Long.toString(first) : texts.get(0);
    }
}
