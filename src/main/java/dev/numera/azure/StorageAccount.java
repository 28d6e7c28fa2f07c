package dev.numera.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.storage.queue.QueueServiceClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import dev.numera.azure.StorageConnection.Service;
import dev.numera.core.counter.PeerRequests;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.StoreFailure;
import dev.numera.sequences.SequenceStores;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.lists.UploadStore;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * The storage account with all tables and queues of the app. All clients share one HTTP client. Their own retries are
 * off, because a retry after a lost reply would report a conflict for a write that was committed. Thread-safe; meant to
 * live as long as the process.
 */
public final class StorageAccount {
    private static final RetryOptions NO_RETRIES = new RetryOptions(new FixedDelayOptions(0, Duration.ofMillis(1)));

    private final TableServiceClient tables;
    private final QueueServiceClient queues;
    private final ParallelReads reads;
    private final TableCounterStore counters;
    private final PeerRequests peers;
    private final DefinitionStore definitions;

    /**
     * @param requestTimeout how long one storage request may take
     * @throws ProblemException {@code misconfigured} if the connection cannot be used; names the setting
     */
    public StorageAccount(StorageConnection connection, Duration requestTimeout) {
        this(connection, requestTimeout, StorageClients.httpClient(requestTimeout));
    }

    /** Connects with the caller's own HTTP client, which must enforce the timeout. */
    public StorageAccount(StorageConnection connection, Duration requestTimeout, HttpClient http) {
        this.tables = StorageClients.usable(connection.setting(Service.TABLES), () -> connection
                .connect(Service.TABLES, new TableServiceClientBuilder())
                .httpClient(http)
                .retryOptions(NO_RETRIES)
                .addPolicy(new DeadlinePolicy(requestTimeout))
                .addPolicy(new RawResponse.Policy())
                .buildClient());
        this.queues = StorageClients.usable(connection.setting(Service.QUEUES), () -> connection
                .connect(Service.QUEUES, new QueueServiceClientBuilder())
                .httpClient(http)
                .retryOptions(NO_RETRIES)
                .buildClient());
        this.reads = new ParallelReads(Executors.newCachedThreadPool(StorageClients.threads("numera-look-up")));
        this.counters = new TableCounterStore(table(TableNames.COUNTERS), reads);
        this.peers = new TablePeerRequests(table(TableNames.COUNTERS));
        this.definitions = new TableDefinitionStore(
                table(TableNames.SEQUENCES),
                table(TableNames.COUNTERS),
                new MaintenanceMarks(TableNames.ALL.stream().map(this::table).toList(), reads, new Supplier<>() {
                    // An anonymous class, because a lambda would load MarkBlobs and the blob clients at every start.
                    @Override
                    public MarkBlobs get() {
                        return new MarkBlobs(connection);
                    }
                }));
    }

    public SequenceStores stores() {
        return new SequenceStores(
                counters, peers, definitions, counters, () -> new TableWorkerStore(table(TableNames.COUNTERS)));
    }

    public UploadStore uploads() {
        return new TableUploadStore(table(TableNames.BATCHES), reads);
    }

    public MessageQueue queue(String name) {
        return new MessageQueue(queues.getQueueClient(name));
    }

    /** Creates the missing tables. */
    public void createTables() {
        TableNames.ALL.forEach(name -> table(name).create());
    }

    /** Creates the table of the index if it is missing. */
    public void createIndex() {
        table(TableNames.SEQUENCES).create();
    }

    /**
     * Reads from every table.
     *
     * @throws StoreFailure a table cannot be read; the message names it
     */
    public void check() {
        TableNames.ALL.forEach(name -> table(name).find("~health", "~"));
    }

    private Table table(String name) {
        return new Table(tables.getTableClient(name));
    }
}
