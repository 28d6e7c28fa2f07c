package dev.numera.core.model;

/**
 * The import that passed over a range of numbers. Immutable.
 *
 * @param id of the import
 * @param isBefore whether the range precedes the first number that the import touched, so that the import left none of
 *     these numbers out
 */
public record PassingImport(String id, boolean isBefore) {
    /** The reason for numbers before the first imported number. */
    private static final String BEFORE = "before the import";

    private static final String LEFT_OUT = "import ";

    /** The reason that the ledger shows with the range. */
    public String reason() {
        return isBefore ? BEFORE : LEFT_OUT + id;
    }

    /**
     * Returns the id of the import that a reason contains; empty if it contains none. Rows of earlier releases have the
     * id only in the reason.
     */
    public static String idOf(String reason) {
        return reason.startsWith(LEFT_OUT) ? reason.substring(LEFT_OUT.length()) : "";
    }
}
