package dev.numera.core.counter;

/**
 * The largest number of rows and characters in one write. Table Storage accepts {@value #OPERATIONS} operations in a
 * transaction. An allocation takes one for the counter, one for the row in number order, one for each row by key and
 * one for each mark of a reserved key:
 *
 * <pre>{@code
 * 98 invoices with keys:                 1 counter + 1 row in number order + 98 rows by key      = 100
 * 96 imported numbers:                   1 counter + 1 row in number order + 96 rows by key
 *                                          + 1 mark on the definition + 1 change-log entry        = 100
 * 33 counters that are advanced together: 33 counters + 33 change-log entries + 33 ledger rows
 *                                          + 1 mark on the definition                             = 100
 * }</pre>
 */
public final class WriteLimits {
    /** The most operations that Table Storage accepts in one transaction. */
    public static final int OPERATIONS = 100;

    /**
     * The most rows by key in one write, with the marks of reserved keys. A mark on the definition takes one of them.
     */
    public static final int KEYS = OPERATIONS - 2;

    /**
     * The most imported numbers of one write, which also marks the definition and writes an entry of the change log.
     */
    public static final int IMPORTED = KEYS - 2;

    /** The most counters that move in one write, each with a change-log entry and a row of the numbers passed over. */
    public static final int MOVES = (OPERATIONS - 1) / 3;

    /** The most rows of numbers passed over that one write accepts as never used. A row can be cut into three. */
    static final int ACCEPTED = 30;

    /** The most text of the row in number order, in UTF-16 units. A property holds 32,768 of them. */
    static final int LEDGER_UNITS = 30_000;

    /**
     * The most rows by key in one request of another instance. With the row of the request itself, that is half of a
     * transaction; the other half is for the writer's own calls.
     */
    static final int PEER_KEYS = KEYS / 2 - 1;

    /** The most text of the row in number order for one request of another instance, in UTF-16 units. */
    static final int PEER_LEDGER_UNITS = LEDGER_UNITS / 2;

    /**
     * The most allocations in one request of another instance. Keeps the row and its answer small, although each text
     * can have 255 characters.
     */
    public static final int PEER_ALLOCATIONS = 97;

    private WriteLimits() {}
}
