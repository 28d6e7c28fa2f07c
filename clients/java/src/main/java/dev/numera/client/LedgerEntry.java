package dev.numera.client;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;

/**
 * Numbers that were allocated under a key or imported, or a range that an advance skipped. A string, date or instant
 * that does not apply is null.
 *
 * @param kind allocation, import or advance
 * @param actor the person or program that allocated, imported or advanced, as the caller stated
 * @param count how many numbers; 0 for an advance
 * @param status issued, reserved or void
 * @param history each status that was set; only if the filter has a key, and empty otherwise
 */
public record LedgerEntry(
        String kind,
        String key,
        long first,
        long last,
        int count,
        List<String> texts,
        String period,
        LocalDate date,
        Instant allocatedAt,
        String actor,
        String actorId,
        String status,
        String reason,
        Instant statusAt,
        String statusActor,
        String statusActorId,
        List<StatusChange> history) {
    static LedgerEntry of(Fields fields) {
        return new LedgerEntry(
                fields.string("kind"),
                fields.string("key"),
                fields.number("first"),
                fields.number("last"),
                fields.count(),
                fields.texts(),
                fields.string("period"),
                fields.date("date"),
                fields.instant("allocatedAt"),
                fields.string("actor"),
                fields.string("actorId"),
                fields.status(),
                fields.string("reason"),
                fields.instant("statusAt"),
                fields.string("statusActor"),
                fields.string("statusActorId"),
                fields.history());
    }
}
