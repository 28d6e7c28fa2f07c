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

/** How the rows of a sequence's partition are named: a public contract, described in docs/tables.md. */
public final class RowKeys {
    public static final String DEFINITION = "definition";
    static final String COUNTER = "counter";
    static final String PEER = "peer";
    private static final String KEYS = "key:";
    private static final String MARKS = "mark:";
    private static final String CHANGES = "change:";
    /** Nine digits of the second: text order is the order of time. */
    private static final DateTimeFormatter CHANGED_AT = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    /**
     * Adding this to a number within 4·10^18 either way makes a positive one of 19 digits: text order is number order.
     */
    private static final long NUMBER_OFFSET = 5_000_000_000_000_000_000L;

    /** Of no sequence: their partitions have a colon. */
    public static final String WORKERS = "~workers";

    private static final String WORKER = "worker:";

    private RowKeys() {}

    static String worker(int worker) {
        return String.format(Locale.ROOT, "%s%03d", WORKER, worker);
    }

    /** The worker number after which a row is named; empty where it is named after none. */
    static OptionalInt workerOf(String workerRow) {
        return IntStream.range(0, WorkerRow.WORKERS)
                .filter(worker -> worker(worker).equals(workerRow))
                .findFirst();
    }

    static String partition(SequenceName sequence) {
        return sequence.scope() + ":" + sequence.name();
    }

    static String counter(CounterId id) {
        return id.period().isEmpty() ? COUNTER : COUNTER + ":" + id.period();
    }

    /** Whether a row of a sequence's partition is a counter. */
    public static boolean isCounter(String row) {
        return row.equals(COUNTER) || row.startsWith(COUNTER + ":");
    }

    /** The period of a counter's row. */
    static String period(String counterRow) {
        return counterRow.equals(COUNTER) ? "" : counterRow.substring(COUNTER.length() + 1);
    }

    /** The filter for the counters of a sequence from one on, in the order of periods: ';' is what follows ':'. */
    static String countersFrom(CounterId first) {
        return rows(first.sequence(), counter(first), COUNTER + ";");
    }

    static String peer(CounterId id, String process) {
        return peers(id) + process;
    }

    /** The counter of a process whose peer request a row holds. */
    static String process(String peerRow) {
        return peerRow.substring(peerRow.lastIndexOf(':') + 1);
    }

    /** The filter for the peer requests of a counter: ';' is what follows ':'. */
    static String peersOf(CounterId id) {
        return rows(id.sequence(), peers(id), PEER + ":" + id.period() + ";");
    }

    private static String peers(CounterId id) {
        return PEER + ":" + id.period() + ":";
    }

    static String key(String key) {
        return KEYS + Sha256.hex(key);
    }

    /** The filter for the keys of a sequence: ';' is what follows ':'. */
    static String keys(SequenceName name) {
        return rows(name, KEYS, "key;");
    }

    static String rowIs(SequenceName name, String row) {
        return Table.partitionIs(partition(name)) + " and RowKey eq " + Table.quoted(row);
    }

    public static boolean isKey(String row) {
        return row.startsWith(KEYS);
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

    /** The filter for the marks of a counter on allocations whose highest number is one of these. */
    static String marks(CounterId id, long from, long to) {
        return Table.partitionIs(partition(id.sequence())) + " and RowKey ge '" + mark(id.period(), from)
                + "' and RowKey le '" + mark(id.period(), to) + "'";
    }

    /** The filter for the marks of a sequence, all or from a position on, in the order of periods and numbers. */
    static String marksFrom(SequenceName name, @Nullable LedgerPosition position) {
        String first = position == null ? MARKS : mark(position.period(), position.number());
        return rows(name, first, "mark;");
    }

    static String change(Change.Position position) {
        return CHANGES + CHANGED_AT.format(position.at()) + ":" + position.id();
    }

    /** Empty where the name is none that {@link #change} makes. */
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

    /** The filter for the changes of a sequence, all or from one on, in the order of time. */
    static String changesFrom(SequenceName name, Change.@Nullable Position position) {
        String first = position == null ? CHANGES : change(position);
        return rows(name, first, "change;");
    }

    /** The filter for the groups of a period that reach a number: ';' is what follows ':'. */
    static String numbersFrom(CounterId id, long number) {
        return rows(id.sequence(), number(id.period(), number), "number:" + id.period() + ";");
    }

    private static String rows(SequenceName name, String first, String before) {
        return Table.rowsAre(partition(name), first, before);
    }
}
