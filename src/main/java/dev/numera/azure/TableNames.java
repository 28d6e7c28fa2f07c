package dev.numera.azure;

import java.util.List;

/**
 * Names the three tables of the app: the index of sequences; definitions, counters and ledgers; and uploads. Use the
 * names only in lower case: for Azurite, the same name in another case is another table.
 */
public final class TableNames {
    public static final String SEQUENCES = "numerasequences";
    public static final String COUNTERS = "numeracounters";
    public static final String BATCHES = "numerabatches";
    public static final List<String> ALL = List.of(SEQUENCES, COUNTERS, BATCHES);

    private TableNames() {}
}
