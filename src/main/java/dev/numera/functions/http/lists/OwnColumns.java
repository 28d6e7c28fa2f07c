package dev.numera.functions.http.lists;

import dev.numera.sequences.lists.CellText;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The columns of an uploaded list that this service added to an earlier download. A user downloads a result, corrects
 * it and uploads it again.
 *
 * @param isThere whether the service wrote the list, with apostrophes before formulas
 * @param dropped the places of columns to leave out, because the next result gets new ones
 */
record OwnColumns(boolean isThere, Set<Integer> dropped) {
    private static final List<String> OF_UPLOADS = List.of("number", "text", "problem");
    private static final String STORED_DATE = "stored_date";
    /** The columns of the results of uploads. Results of earlier versions have no date. */
    static final List<String> WRITTEN_FOR_UPLOADS =
            Stream.concat(OF_UPLOADS.stream(), Stream.of(STORED_DATE)).toList();

    static final List<String> OF_REFUSED_ROWS = List.of("line", "outcome", "problem");
    private static final List<String> OF_STORED = List.of(STORED_DATE, "stored_status", "stored_text");
    static final List<String> OF_IMPORTS =
            Stream.concat(OF_REFUSED_ROWS.stream(), OF_STORED.stream()).toList();
    /** Columns of a ledger's download. No other program uses both names. */
    private static final List<String> OF_THE_LEDGER = List.of("kind", "allocatedAt");

    private static final String PREFIX = "numera_";

    /** A list that this service did not write. Its cells are read unchanged. */
    static final OwnColumns NONE = new OwnColumns(false, Set.of());

    /**
     * Returns the own columns of a list of keys. Only the stored date is left out, because the texts of one sequence
     * may be the keys of another.
     */
    static OwnColumns ofUpload(Headers headers) {
        if (hasAll(headers, OF_UPLOADS)) {
            return new OwnColumns(true, ownDate(headers));
        }
        boolean isThere = Stream.of(OF_REFUSED_ROWS, OF_THE_LEDGER).anyMatch(own -> hasAll(headers, own));
        return isThere ? new OwnColumns(true, Set.of()) : NONE;
    }

    /** Returns the place of the stored date. A column of this name before the other own columns is the user's. */
    private static Set<Integer> ownDate(Headers headers) {
        int problem = place(headers, "problem").orElseThrow();
        return place(headers, STORED_DATE).stream()
                .filter(place -> place > problem)
                .boxed()
                .collect(Collectors.toUnmodifiableSet());
    }

    static OwnColumns ofImport(Headers headers) {
        if (!hasAll(headers, OF_REFUSED_ROWS)) {
            return ofUpload(headers);
        }
        Set<Integer> dropped = new TreeSet<>();
        OF_REFUSED_ROWS.forEach(own -> place(headers, own).ifPresent(dropped::add));
        // A download of refused rows has no stored columns. A column of such a name before the other own columns is
        // the user's.
        int problem = place(headers, "problem").orElseThrow();
        boolean isWhole = hasAll(headers, OF_STORED);
        OF_STORED.forEach(own -> place(headers, own).stream()
                .filter(place -> isWhole || place > problem)
                .forEach(dropped::add));
        return new OwnColumns(true, dropped);
    }

    /**
     * Returns these columns without those that the caller names, for example the stored date of a result whose texts
     * become the keys of another sequence.
     */
    OwnColumns unnamed(Headers headers, List<String> named) {
        Set<Integer> unnamed = new TreeSet<>(dropped);
        named.stream()
                .map(name -> headers.all(name).boxed().toList())
                .filter(places -> places.size() == 1)
                .forEach(unnamed::removeAll);
        return new OwnColumns(isThere, unnamed);
    }

    /** Returns this name, or a longer one if the list already has such a column, in whatever case. */
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

    /**
     * Returns the place of an own column: the last one whose name {@link #unlike} chooses after the columns before it.
     * In "numera_line,line" only the second one can be an own column, because "line" was free before the first one.
     */
    private static OptionalInt place(Headers headers, String name) {
        List<String> names = headers.names().stream().map(CellText::folded).toList();
        String folded = CellText.folded(name);
        return IntStream.iterate(names.size() - 1, place -> place >= 0, place -> place - 1)
                .filter(place -> names.get(place).endsWith(folded))
                .filter(place -> names.get(place).equals(unlike(names.subList(0, place), folded)))
                .findFirst();
    }
}
