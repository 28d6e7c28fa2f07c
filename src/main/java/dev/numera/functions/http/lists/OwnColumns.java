package dev.numera.functions.http.lists;

import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The columns of a list that the service added itself. A list has such columns if a user downloaded it, corrected it
 * and sent it again.
 *
 * @param isThere whether the cells were written by the service, with apostrophes before formulas
 * @param dropped the places of columns to leave out, because a result of the same kind gets new ones
 */
record OwnColumns(boolean isThere, Set<Integer> dropped) {
    static final List<String> OF_UPLOADS = List.of("number", "text", "problem");
    static final List<String> OF_REFUSED_ROWS = List.of("line", "outcome", "problem");
    private static final List<String> OF_STORED = List.of("stored_date", "stored_status", "stored_text");
    static final List<String> OF_IMPORTS =
            Stream.concat(OF_REFUSED_ROWS.stream(), OF_STORED.stream()).toList();
    /** No other program has both. */
    private static final List<String> OF_THE_LEDGER = List.of("kind", "allocatedAt");

    private static final String PREFIX = "numera_";

    /** A list that does not come from the service, so that its cells are read unchanged. */
    static final OwnColumns NONE = new OwnColumns(false, Set.of());

    /**
     * Returns the own columns of a list that gets numbers. All columns stay, because texts of one sequence may be the
     * keys of another one.
     */
    static OwnColumns ofUpload(Headers headers) {
        boolean isThere = Stream.of(OF_UPLOADS, OF_REFUSED_ROWS, OF_THE_LEDGER).anyMatch(own -> hasAll(headers, own));
        return isThere ? new OwnColumns(true, Set.of()) : NONE;
    }

    static OwnColumns ofImport(Headers headers) {
        if (!hasAll(headers, OF_REFUSED_ROWS)) {
            return ofUpload(headers);
        }
        Set<Integer> dropped = new TreeSet<>();
        OF_REFUSED_ROWS.forEach(own -> place(headers, own).ifPresent(dropped::add));
        // Refused rows have no stored values: one such column before these three is the user's own.
        int problem = place(headers, "problem").orElseThrow();
        boolean isWhole = hasAll(headers, OF_STORED);
        OF_STORED.forEach(own -> place(headers, own).stream()
                .filter(place -> isWhole || place > problem)
                .forEach(dropped::add));
        return new OwnColumns(true, dropped);
    }

    /** A name that the list has not taken already, in whatever case. */
    static String unlike(Collection<String> columns, String name) {
        Headers taken = new Headers(List.copyOf(columns));
        String other = name;
        while (taken.has(other)) {
            other = PREFIX + other;
        }
        return other;
    }

    private static boolean hasAll(Headers headers, List<String> names) {
        return names.stream().allMatch(name -> place(headers, name).isPresent());
    }

    /** Undoes {@link #unlike}. */
    private static OptionalInt place(Headers headers, String name) {
        String own = name;
        while (headers.has(PREFIX + own)) {
            own = PREFIX + own;
        }
        return headers.all(own).max();
    }
}
