package dev.numera.azure;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Sha256;
import dev.numera.core.snowflake.WorkerRow;
import dev.numera.sequences.ledger.LedgerPosition;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Names the rows of a sequence's partition, and builds the filters that find them. The names are a public contract,
 * described in docs/tables.md.
 */
public final class RowKeys {
    public static final String DEFINITION = "definition";
    static final String COUNTER = "counter";
    static final String PEER = "peer";
    private static final String KEYS = "key:";
    private static final String MARKS = "mark:";
    private static final String CHANGES = "change:";
    /** Always nine fractional digits, so that text order is the order of time. */
    private static final DateTimeFormatter CHANGED_AT = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    /**
     * Added to a number of at most 4·10^18 either way. The sum is positive with 19 digits, so that text order is the
     * order of numbers.
     */
    private static final long NUMBER_OFFSET = 5_000_000_000_000_000_000L;

    /** The partition of the leases of worker numbers. It cannot be a sequence's, because those contain a colon. */
    public static final String WORKERS = "~workers";

    private static final String WORKER = "worker:";

    private RowKeys() {}

    static String worker(int worker) {
        return String.format(Locale.ROOT, "%s%03d", WORKER, worker);
    }

    /** Returns the worker number in the name of a row; empty if the name contains none. */
    static OptionalInt workerOf(String workerRow) {
        return IntStream.range(0, WorkerRow.WORKERS)
                .filter(worker -> worker(worker).equals(workerRow))
                .findFirst();
    }

    static String partition(SequenceName sequence) {
        return sequence.scope() + ":" + sequence.name();
    }

    /** Returns the sequence of a partition, whose name must contain a colon. */
    public static SequenceName sequence(String partition) {
        int colon = partition.indexOf(':');
        return new SequenceName(partition.substring(0, colon), partition.substring(colon + 1));
    }

    static String counter(CounterId id) {
        String period = id.period();
        return period.isEmpty() ? COUNTER : COUNTER + ":" + period;
    }

    /** Whether a row of a sequence's partition is a counter. */
    public static boolean isCounter(String row) {
        return row.equals(COUNTER) || row.startsWith(COUNTER + ":");
    }

    /** Returns the period in the name of a counter's row. */
    static String period(String counterRow) {
        return counterRow.equals(COUNTER) ? "" : counterRow.substring(COUNTER.length() + 1);
    }

    /**
     * Returns the filter for the counters of a sequence from a first one, in the order of periods. The character after
     * ':' is ';', so the end of the range excludes every other row.
     */
    static String countersFrom(CounterId first) {
        return rows(first.sequence(), counter(first), COUNTER + ";");
    }

    static String peer(CounterId id, String counterName) {
        return peers(id) + counterName;
    }

    /** Returns the name of the counter whose peer request a row contains. */
    static String counterName(String peerRow) {
        return peerRow.substring(peerRow.lastIndexOf(':') + 1);
    }

    /** Returns the filter for the peer requests of a counter. */
    static String peersOf(CounterId id) {
        return rows(id.sequence(), peers(id), PEER + ":" + id.period() + ";");
    }

    private static String peers(CounterId id) {
        return PEER + ":" + id.period() + ":";
    }

    static String key(String key) {
        return KEYS + Sha256.hex(key);
    }

    /** Returns the filter for the rows by key of a sequence. */
    static String keys(SequenceName name) {
        return rows(name, KEYS, "key;");
    }

    static String rowIs(SequenceName name, String row) {
        return Table.partitionIs(partition(name)) + " and RowKey eq " + Table.quoted(row);
    }

    public static boolean isKey(String row) {
        return row.startsWith(KEYS);
    }

    /** Whether an advance may write a row of this name: the counter, a change, or the numbers that it passed over. */
    public static boolean isOfAdvance(String row) {
        return isCounter(row) || row.startsWith(CHANGES) || row.startsWith("number:");
    }

    static String number(String period, long number) {
        return "number:" + period + ":" + (number + NUMBER_OFFSET);
    }

    static String mark(Allocation allocation) {
        return mark(allocation.period(), allocation.highest());
    }

    private static String mark(String period, long number) {
        return MARKS + period + ":" + (number + NUMBER_OFFSET);
    }

    /** Returns the filter for a counter's marks of allocations whose highest number is in this range. */
    static String marks(CounterId id, long from, long to) {
        return between(id, mark(id.period(), from), mark(id.period(), to));
    }

    /** Returns the filter for the marks of a sequence, all or from a position, in the order of periods and numbers. */
    static String marksFrom(SequenceName name, @Nullable LedgerPosition position) {
        String first = position == null ? MARKS : mark(position.period(), position.number());
        return rows(name, first, "mark;");
    }

    static String change(Change.Position position) {
        return CHANGES + CHANGED_AT.format(position.at()) + ":" + position.id();
    }

    /** Parses the name of a change's row; empty if {@link #change} does not create such names. */
    static Optional<Change.Position> changePosition(String changeRow) {
        int end = changeRow.lastIndexOf(':');
        try {
            Instant at = CHANGED_AT.parse(
                    changeRow.substring(CHANGES.length(), Math.max(CHANGES.length(), end)), Instant::from);
            return Optional.of(new Change.Position(at, changeRow.substring(end + 1)));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Returns the filter for the changes of a sequence, all or from a position, in the order of time. */
    static String changesFrom(SequenceName name, Change.@Nullable Position position) {
        String first = position == null ? CHANGES : change(position);
        return rows(name, first, "change;");
    }

    /** Returns the filter for the rows in number order of a period whose highest number is at least this one. */
    static String numbersFrom(CounterId id, long number) {
        return rows(id.sequence(), number(id.period(), number), "number:" + id.period() + ";");
    }

    /** Returns the filter for the rows in number order of a period whose highest number is in this range. */
    static String numbers(CounterId id, long from, long to) {
        return between(id, number(id.period(), from), number(id.period(), to));
    }

    /** Returns the filter for the rows from one name to another one, both included. */
    private static String between(CounterId id, String first, String last) {
        return Table.partitionIs(partition(id.sequence())) + " and RowKey ge '" + first + "' and RowKey le '" + last
                + "'";
    }

    private static String rows(SequenceName name, String first, String before) {
        return Table.rowsAre(partition(name), first, before);
    }
}
