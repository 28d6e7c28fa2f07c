package dev.numera.client;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;

/**
 * The numbers of one request: {@code first}, {@code first + increment} and so on to {@code last}. A string, date or
 * instant that does not apply is null.
 *
 * @param texts the numbers as the sequence's format prints them; empty if it has no format
 * @param actor the person or program that allocated, as the caller stated
 * @param status issued, reserved or void; set at {@code statusAt} by {@code statusActor}
 * @param replayed whether an earlier request with the same key got these numbers: also an earlier attempt of this call
 *     whose answer was lost. {@code attempts} is more than 1 then
 * @param attempts how often this call was sent; 0 in a list
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
        String actor,
        String actorId,
        String status,
        String reason,
        Instant statusAt,
        String statusActor,
        String statusActorId,
        boolean replayed,
        int attempts,
        boolean created) {
    static Allocation of(Answer answer) {
        return of(answer.fields(), answer.attempts());
    }

    static Allocation of(Fields fields) {
        return of(fields, 0);
    }

    private static Allocation of(Fields fields, int attempts) {
        return new Allocation(
                fields.string("key"),
                fields.number("first"),
                fields.number("last"),
                fields.count(),
                fields.number("increment"),
                fields.texts(),
                fields.date("date"),
                fields.string("period"),
                fields.string("actor"),
                fields.string("actorId"),
                fields.status(),
                fields.string("reason"),
                fields.instant("statusAt"),
                fields.string("statusActor"),
                fields.string("statusActorId"),
                fields.is("replayed"),
                attempts,
                fields.is("created"));
    }

    /** Returns the first number in its printed form. */
    public String text() {
        return texts.isEmpty() ? Long.toString(first) : texts.get(0);
    }
}
