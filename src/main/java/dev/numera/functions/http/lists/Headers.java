package dev.numera.functions.http.lists;

import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.sequences.lists.CellText;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The names in the header line of a CSV list. Names are found regardless of case and of blanks around them. */
record Headers(List<String> names) {
    private static final int SHOWN_UNITS = 200;

    Headers {
        names = List.copyOf(names);
    }

    boolean has(String name) {
        return all(name).findAny().isPresent();
    }

    /**
     * Returns the place of the column that a parameter names.
     *
     * @throws ProblemException {@code invalid-request} if no column or more than one has this name
     */
    int place(String parameter, String name) {
        int[] found = all(name).toArray();
        if (found.length != 1) {
            throw InvalidRequest.because(
                    parameter, "must be the name of exactly one column in the header line; " + shown());
        }
        return found[0];
    }

    /**
     * Returns the places of all columns that these values name. A value is the name of one column, or several names
     * separated by commas.
     *
     * @throws ProblemException {@code invalid-request} for a name that no column has
     */
    Set<Integer> places(String parameter, List<String> values) {
        Set<Integer> found = new TreeSet<>();
        for (String value : values) {
            for (String name : has(value) ? List.of(value) : List.of(value.split(",", -1))) {
                if (!has(name)) {
                    throw InvalidRequest.because(
                            parameter,
                            "must have names of columns only, separated by commas, and '" + name + "' is none; "
                                    + shown());
                }
                all(name).forEach(found::add);
            }
        }
        return found;
    }

    /** Lists the columns of the file, for a problem. */
    String shown() {
        String all = String.join(" | ", names);
        return "it has " + (names.size() == 1 ? "one column: " : names.size() + " columns: ")
                + (all.length() <= SHOWN_UNITS ? all : all.substring(0, SHOWN_UNITS) + "...");
    }

    /** Returns the places of the columns with this name, normally none or one. */
    IntStream all(String name) {
        String folded = CellText.folded(name);
        return IntStream.range(0, names.size())
                .filter(place -> CellText.folded(names.get(place)).equals(folded));
    }
}
