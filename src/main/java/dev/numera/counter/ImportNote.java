package dev.numera.counter;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which import brings numbers. Immutable.
 *
 * @param id of its own
 * @param sentAt when it was sent, by the clock of the process that took it
 * @param actor who sent it, by the caller's word; null where nobody said it
 */
public record ImportNote(String id, Instant sentAt, @Nullable String actor) {}
