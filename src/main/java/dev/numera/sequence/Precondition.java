package dev.numera.sequence;

import java.util.Set;

/** What must be true of a stored definition for a change to go ahead. */
public sealed interface Precondition {
    /** There is none, or it is retired ({@code If-None-Match: *}). */
    record Absent() implements Precondition {}

    /** There is one ({@code If-Match: *}). */
    record Present() implements Precondition {}

    /** It has one of these tags ({@code If-Match}). */
    record Tagged(Set<String> tags) implements Precondition {}
}
