package dev.numera.client;

import java.time.Instant;

/** A status that was set. A string that does not apply is null. */
public record StatusChange(String status, Instant at, String reason, String actor, String actorId) {
    static StatusChange of(Fields fields) {
        return new StatusChange(
                fields.string("status"),
                fields.instant("at"),
                fields.string("reason"),
                fields.string("actor"),
                fields.string("actorId"));
    }
}
