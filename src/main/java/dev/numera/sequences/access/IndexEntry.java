package dev.numera.sequences.access;

import dev.numera.core.problem.ProblemException;
import org.jspecify.annotations.Nullable;

/**
 * A row of the index of sequences.
 *
 * @param scope as the index has it, as the name: where a row cannot be read they may be the names of no sequence
 * @param problem why the row cannot be read; null where it can
 * @param mayBeUnused whether its definition has to be read before it is shown, since it may be one that was retired
 *     without use
 */
public record IndexEntry(String scope, String name, @Nullable ProblemException problem, boolean mayBeUnused) {
    /** No key of a table contains it. */
    private static final char SEPARATOR = '/';

    /** A row that cannot be read because of a problem; a row of a sequence in use where the problem is null. */
    public static IndexEntry of(String scope, String name, @Nullable ProblemException problem) {
        return new IndexEntry(scope, name, problem, false);
    }

    /** A row that can be read. */
    public static IndexEntry listed(String scope, String name, boolean mayBeUnused) {
        return new IndexEntry(scope, name, null, mayBeUnused);
    }

    /** The entry that a page ends with, by its {@link #position}; another text has names of no sequence. */
    public static IndexEntry at(String position) {
        int end = position.indexOf(SEPARATOR);
        return end < 0 ? of("", "", null) : of(position.substring(0, end), position.substring(end + 1), null);
    }

    /** The continuation of a page that ends with it: a token of storage's own cannot be checked. */
    public String position() {
        return scope + SEPARATOR + name;
    }
}
