package dev.numera.azure;

import java.util.List;

/** The tables, always in lower case: a name used in another case is another table to Azurite. */
public final class TableNames {
    public static final String SEQUENCES = "numerasequences";
    public static final String COUNTERS = "numeracounters";
    public static final String BATCHES = "numerabatches";
    public static final List<String> ALL = List.of(SEQUENCES, COUNTERS, BATCHES);

    private TableNames() {}
}
