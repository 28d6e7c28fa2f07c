package dev.numera.bench.strategy;

import dev.numera.bench.harness.Window;
import dev.numera.core.model.Guarantee;
import java.util.List;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;

/** The measured strategies and their promises. */
public enum Catalogue {
    MERGE_LOOP(
            "Blog article: read, add 1, merge, at once again",
            Store.AZURE,
            true,
            Gaps.UNDER_WAY,
            (at, name, process, backoff) -> new MergeLoop(at.table(), name, MergeLoop.AT_ONCE)),
    MERGE_LOOP_BACKOFF(
            "The same with the partitioning article's backoff",
            Store.AZURE,
            true,
            Gaps.UNDER_WAY,
            (at, name, process, backoff) -> new MergeLoop(at.table(), name, MergeLoop.ARTICLE)),
    LAST_WRITER_WINS(
            "Read, add 1, write with If-Match: *",
            Store.AZURE,
            false,
            Gaps.UNDER_WAY,
            (at, name, process, backoff) -> new LastWriterWins(at.table(), name)),
    BLOB_LEASE(
            "Blob lease around the increment",
            Store.AZURE,
            true,
            "none, but no caller gets a number for up to 15 s",
            (at, name, process, backoff) -> new BlobLease(at.blobs(), name, new LastWriterWins(at.table(), name))),
    QUEUE(
            "Queue filled with numbers",
            Store.AZURE,
            false,
            Gaps.UNDER_WAY,
            (at, name, process, backoff) -> new QueueOfNumbers(at.queue(name))),
    MAX_PLUS_ONE(
            "Max + 1 under a unique key",
            Store.AZURE,
            true,
            Gaps.UNDER_WAY,
            (at, name, process, backoff) -> new MaxPlusOne(at.table(), name)),
    BLOCKS(
            "Blocks of 100, as SnowMaker",
            Store.AZURE,
            false,
            Gaps.BLOCK,
            (at, name, process, backoff) -> new Blocks(at.table(), name, Catalogue.BLOCK_SIZE)),
    COSID_CHAIN(
            "CosId SegmentChainId, segments of 100",
            Store.AZURE,
            false,
            "the rest of each instance's segments",
            (at, name, process, backoff) -> new CosIdChain(at.stores(), OpenCounter.id(name), Catalogue.BLOCK_SIZE)),
    SNOWFLAKE(
            "CosId snowflake ids",
            Store.NONE,
            false,
            "no sequence: ids of 19 digits with gaps everywhere",
            (at, name, process, backoff) -> Catalogue.snowflake(process)),
    STRICT(
            "Numera strict",
            Store.AZURE,
            true,
            "the group under way",
            (at, name, process, backoff) -> new Numera(at, name, Guarantee.STRICT, false, process, backoff)),
    STRICT_KEYS(
            "Numera strict with keys",
            Store.AZURE,
            true,
            "none: the same key gets its number again",
            (at, name, process, backoff) -> new Numera(at, name, Guarantee.STRICT, true, process, backoff)),
    GAPLESS(
            "Numera gapless",
            Store.AZURE,
            true,
            "none: every number is in the ledger",
            (at, name, process, backoff) -> new Numera(at, name, Guarantee.GAPLESS, true, process, backoff)),
    CACHED(
            "Numera cached, blocks of 100",
            Store.AZURE,
            false,
            Gaps.BLOCK,
            (at, name, process, backoff) -> new Numera(at, name, Guarantee.CACHED, false, process, backoff)),
    POSTGRES_SEQUENCE(
            "PostgreSQL nextval",
            Store.POSTGRES,
            true,
            "what was under way, and up to 32 numbers when the server crashes",
            (at, name, process, backoff) -> new PostgresStatement(
                    at, List.of("create sequence " + name), "select nextval('" + name + "')", process)),
    POSTGRES_ROW(
            "PostgreSQL counter row, update … returning",
            Store.POSTGRES,
            true,
            Gaps.UNDER_WAY,
            (at, name, process, backoff) -> new PostgresStatement(
                    at,
                    Catalogue.counterRow(name),
                    "update " + name + " set next = next + 1 returning next - 1",
                    process)),
    POSTGRES_LEDGER(
            "PostgreSQL counter row with a ledger row",
            Store.POSTGRES,
            true,
            "none: every number is in the ledger",
            (at, name, process, backoff) -> new PostgresStatement(
                    at,
                    Catalogue.counterRow(name),
                    "with taken as (update " + name + " set next = next + 1 returning next - 1 as number)"
                            + " insert into " + name
                            + "_ledger (key, number) select ?, number from taken returning number",
                    process)),
    REDIS(
            "Redis INCR",
            Store.REDIS,
            true,
            "numbers go back to the last snapshot: duplicates",
            (at, name, process, backoff) -> new RedisIncrement(at, name)),
    /** The yardstick of the speed table. */
    RAW(
            "Conditional replaces, one caller, no sequence",
            Store.AZURE,
            true,
            "",
            (at, name, process, backoff) -> new RawReplace(at.stores(), OpenCounter.id(name), 0)),
    /** The yardstick of gapless: the same rows in full transactions. */
    RAW_LEDGER(
            "Full ledger transactions, one caller, no sequence",
            Store.AZURE,
            true,
            "",
            (at, name, process, backoff) ->
                    new RawReplace(at.stores(), OpenCounter.id(name), Catalogue.FULL_TRANSACTION_KEYS));

    /** The store that contains the numbers. */
    public enum Store {
        AZURE,
        POSTGRES,
        REDIS,
        NONE
    }

    /** The numbers that are lost when a process dies, as texts that several strategies share. */
    private static final class Gaps {
        static final String UNDER_WAY = "what was under way";
        static final String BLOCK = "the rest of each instance's block";
    }

    private interface Factory {
        Strategy open(Connections connections, String sequence, int process, BackoffChoice backoff);
    }

    private static final int BLOCK_SIZE = 100;
    private static final int FULL_TRANSACTION_KEYS = 98;
    /**
     * The rate for filling the queue. It is as low as possible, because Azurite scans the whole queue for each request
     * and a longer queue would be even slower.
     */
    private static final double QUEUE_NUMBERS_PER_MILLI = 0.6;

    private final String title;
    private final Store store;
    private final boolean isOrdered;
    private final String gapsOnCrash;
    private final Factory factory;

    Catalogue(String title, Store store, boolean isOrdered, String gapsOnCrash, Factory factory) {
        this.title = title;
        this.store = store;
        this.isOrdered = isOrdered;
        this.gapsOnCrash = gapsOnCrash;
        this.factory = factory;
    }

    public Strategy open(Connections connections, String sequence, int process, BackoffChoice backoff) {
        return factory.open(connections, sequence, process, backoff);
    }

    public String title() {
        return title;
    }

    /** Returns the title for the end of a line: without the text after the last comma. */
    public String shortTitle() {
        return title.replaceFirst(",[^,]*$", "");
    }

    public Store store() {
        return store;
    }

    /** Whether a number that was requested after another one was answered is always greater, across all processes. */
    public boolean isOrdered() {
        return isOrdered;
    }

    public String gapsOnCrash() {
        return gapsOnCrash;
    }

    /** Returns how many numbers to prepare per millisecond; 0 for a strategy that prepares none. */
    public double numbersPerMilliAtMost() {
        return this == QUEUE ? QUEUE_NUMBERS_PER_MILLI : 0;
    }

    private static Strategy snowflake(int machine) {
        MillisecondSnowflakeId ids = new MillisecondSnowflakeId(machine);
        return (Window window) -> ids.generate();
    }

    private static List<String> counterRow(String name) {
        return List.of(
                "create table " + name + " (next bigint not null)",
                "insert into " + name + " values (1)",
                "create table " + name + "_ledger (key text primary key, number bigint not null unique)");
    }
}
