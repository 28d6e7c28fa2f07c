package dev.numera.sequences.access;

import dev.numera.core.problem.ProblemException;
import org.jspecify.annotations.Nullable;

/**
 * A row of the index of sequences.
 *
 * @param scope as stored in the index, like {@code name}; if the row cannot be read, they may not be valid names
 * @param problem why the row cannot be read; null if it can
 * @param mayBeUnused whether a list must read the definition first, because the sequence may have been retired without
 *     use
 */
public record IndexEntry(String scope, String name, @Nullable ProblemException problem, boolean mayBeUnused) {
    /** Separates scope and name in a position. The keys of a table cannot contain this character. */
    private static final char SEPARATOR = '/';

    /** Returns the entry of a row that cannot be read, or of a sequence in use if the problem is null. */
    public static IndexEntry of(String scope, String name, @Nullable ProblemException problem) {
        return new IndexEntry(scope, name, problem, false);
    }

    /** Returns the entry of a row that can be read. */
    public static IndexEntry listed(String scope, String name, boolean mayBeUnused) {
        return new IndexEntry(scope, name, null, mayBeUnused);
    }

    /** Parses a {@link #position}. Returns an entry with empty names for any other string. */
    public static IndexEntry at(String position) {
        int end = position.indexOf(SEPARATOR);
        return end < 0 ? of("", "", null) : of(position.substring(0, end), position.substring(end + 1), null);
    }

    /**
     * Returns the continuation of a page that ends with this entry. The tokens of storage are not used, because they
     * cannot be validated.
     */
    public String position() {
        return scope + SEPARATOR + name;
    }
}
