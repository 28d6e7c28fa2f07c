package dev.numera.client;

import java.io.Serializable;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A sequence has another definition than the program declares. Nothing was changed. */
public final class NumeraDifference extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * The values of one field.
     *
     * @param stored null if the sequence does not have the field
     */
    public record Values(String stored, String wanted) implements Serializable {}

    private final TreeMap<String, Values> differences;

    NumeraDifference(String sequence, SortedMap<String, Values> differences) {
        super(sequence + " is defined otherwise: "
                + differences.entrySet().stream()
                        .map(each -> each.getKey() + " is " + each.getValue().stored() + ", not "
                                + each.getValue().wanted())
                        .collect(Collectors.joining("; "))
                + ". Nothing was changed.");
        this.differences = new TreeMap<>(differences);
    }

    /** The fields that differ, with their values as JSON. */
    public SortedMap<String, Values> differences() {
        return Collections.unmodifiableSortedMap(differences);
    }
}
