package dev.numera.client;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;

/**
 * A recorded closing. One that cannot be read has only a problem.
 *
 * @param sha256 the hash of the numbers; it stays the same while none of them changes
 */
public record Closing(
        String id,
        Instant closedAt,
        String actor,
        LocalDate dateFrom,
        LocalDate dateTo,
        long allocated,
        long voided,
        long reserved,
        long gapCount,
        String sha256,
        Optional<NumeraProblem> problem) {
    static Closing of(Fields fields) {
        return new Closing(
                fields.string("id"),
                fields.instant("closedAt"),
                fields.string("actor"),
                fields.date("dateFrom"),
                fields.date("dateTo"),
                fields.numberOrZero("allocated"),
                fields.numberOrZero("void"),
                fields.numberOrZero("reserved"),
                fields.numberOrZero("gapCount"),
                fields.string("sha256"),
                fields.problem());
    }
}
