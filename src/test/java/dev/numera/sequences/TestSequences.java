package dev.numera.sequences;

import dev.numera.azure.StorageAccount;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.contract.MemoryWorkerStore;
import dev.numera.core.counter.CounterStore;
import dev.numera.core.counter.PeerRequests;
import dev.numera.core.retry.Clock;
import dev.numera.core.snowflake.WorkerStore;
import dev.numera.fixtures.TestAccount;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import dev.numera.sequences.access.AutoCreate;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.ledger.LedgerStore;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Starts an instance of the app without its HTTP layer, wired as in the app, over any stores. By default, it creates
 * missing sequences, and uses the system clock and its own threads.
 *
 * <pre>{@code
 * Sequences sequences = TestSequences.over(table).with(clock).with(AutoCreate.NEVER).start();
 * }</pre>
 */
public final class TestSequences {
    private CounterStore counters;
    private final PeerRequests peers;
    private DefinitionStore definitions;
    private LedgerStore ledgers;
    private Supplier<WorkerStore> workers;
    private TestLimits limits;
    private AutoCreate autoCreate = AutoCreate.ALWAYS;
    private Clock time = Clock.SYSTEM;
    private OpenTelemetry openTelemetry = GlobalOpenTelemetry.get();
    private DoubleSupplier random;
    private Executor leaders;

    private TestSequences(SequenceStores stores, TestLimits limits) {
        this.counters = stores.counters();
        this.peers = stores.peers();
        this.definitions = stores.definitions();
        this.ledgers = stores.ledgers();
        this.workers = stores.workers();
        this.limits = limits;
    }

    /** Starts over one table in memory with small limits. */
    public static TestSequences over(MemoryCounterStore table) {
        return new TestSequences(
                new SequenceStores(table, table, table, table, MemoryWorkerStore::new), TestLimits.SMALL);
    }

    /** Starts over an account, and creates its tables. */
    public static TestSequences over(String connectionString) {
        return over(TestAccount.withTables(connectionString));
    }

    /** Starts over an account without creating tables. */
    public static TestSequences over(StorageAccount account) {
        return over(account.stores());
    }

    public static TestSequences over(SequenceStores stores) {
        return new TestSequences(stores, TestLimits.DEFAULT);
    }

    public TestSequences with(CounterStore store) {
        this.counters = store;
        return this;
    }

    public TestSequences with(DefinitionStore store) {
        this.definitions = store;
        return this;
    }

    public TestSequences with(LedgerStore store) {
        this.ledgers = store;
        return this;
    }

    public TestSequences with(WorkerStore store) {
        this.workers = () -> store;
        return this;
    }

    public TestSequences with(TestLimits bounds) {
        this.limits = bounds;
        return this;
    }

    public TestSequences with(AutoCreate policy) {
        this.autoCreate = policy;
        return this;
    }

    public TestSequences with(Clock clock) {
        this.time = clock;
        return this;
    }

    public TestSequences with(OpenTelemetry telemetry) {
        this.openTelemetry = telemetry;
        return this;
    }

    /**
     * Uses the given randomness and threads, so that a seed repeats the run. Draws the name of the process as well,
     * because it orders the rows of peer requests.
     */
    public TestSequences with(DoubleSupplier randomness, Executor threads) {
        this.random = randomness;
        this.leaders = threads;
        return this;
    }

    public Sequences start() {
        return Sequences.over(
                new SequenceStores(counters, peers, definitions, ledgers, workers),
                autoCreate,
                limits.limits(),
                machinery());
    }

    private Sequences.Machinery machinery() {
        if (random != null) {
            return new Sequences.Machinery(time, random, leaders, drawnProcess(), openTelemetry);
        }
        Sequences.Machinery system = Sequences.Machinery.by(time, openTelemetry);
        // This clock waits for no other thread. It passes the whole timeout if a result is not there at once.
        return time instanceof TestClock test && test.isAlone()
                ? new Sequences.Machinery(time, system.random(), Runnable::run, system.process(), openTelemetry)
                : system;
    }

    private String drawnProcess() {
        long drawn = Double.doubleToLongBits(random.getAsDouble());
        return new UUID(drawn << Integer.SIZE, drawn).toString();
    }
}
