package dev.numera.bench.strategy;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobContainerClientBuilder;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueClientBuilder;
import dev.numera.azure.StorageAccount;
import dev.numera.azure.StorageConnection;
import dev.numera.azure.TableNames;
import dev.numera.sequences.SequenceStores;
import java.time.Duration;
import java.util.Set;
import reactor.core.publisher.Mono;

/** The clients for all stores in one process. They share one HTTP client and count their requests. Thread-safe. */
public final class Connections {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);
    private static final Set<Integer> CONFLICTS = Set.of(409, 412);
    private static final String CONTAINER = "benchmarks";

    /**
     * The addresses of the stores.
     *
     * @param postgresUrl the URL of PostgreSQL for JDBC; null if it did not start
     * @param redisPort the port of Redis; 0 if it did not start
     */
    public record Addresses(String storage, String postgresUrl, int redisPort) {}

    private final Addresses addresses;
    private final Traffic traffic = new Traffic();
    private final HttpClient http = new JdkHttpClientBuilder(
                    java.net.http.HttpClient.newBuilder().version(java.net.http.HttpClient.Version.HTTP_1_1))
            .build();
    private final SequenceStores stores;

    public Connections(Addresses addresses) {
        this.addresses = addresses;
        SequenceStores real = new StorageAccount(
                        new StorageConnection.ConnectionString(addresses.storage()), REQUEST_TIMEOUT)
                .stores();
        CountingStore counting = new CountingStore(real.counters(), real.peers(), traffic);
        this.stores = new SequenceStores(counting, counting, real.definitions(), real.ledgers(), real.workers());
    }

    public Addresses addresses() {
        return addresses;
    }

    public Traffic traffic() {
        return traffic;
    }

    /** Returns the app's own storage classes. */
    SequenceStores stores() {
        return stores;
    }

    /** Returns a plain client for the table of the app's counters, as another program would use it. */
    TableClient table() {
        return new TableClientBuilder()
                .connectionString(addresses.storage())
                .tableName(TableNames.COUNTERS)
                .httpClient(http)
                .addPolicy(new Counting(() -> traffic.table(1)))
                .buildClient();
    }

    BlobContainerClient blobs() {
        return new BlobContainerClientBuilder()
                .connectionString(addresses.storage())
                .containerName(CONTAINER)
                .httpClient(http)
                .addPolicy(new Counting(traffic::blob))
                .buildClient();
    }

    QueueClient queue(String name) {
        return new QueueClientBuilder()
                .connectionString(addresses.storage())
                .queueName(name)
                .httpClient(http)
                .addPolicy(new Counting(traffic::queue))
                .buildClient();
    }

    /** Counts every request and every conflict in an answer, and counts retries too. */
    private final class Counting implements HttpPipelinePolicy {
        private final Runnable request;

        Counting(Runnable request) {
            this.request = request;
        }

        @Override
        public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
            request.run();
            return next.process().doOnNext(this::look);
        }

        @Override
        public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
            request.run();
            HttpResponse response = next.processSync();
            look(response);
            return response;
        }

        private void look(HttpResponse response) {
            if (CONFLICTS.contains(response.getStatusCode())) {
                traffic.conflict();
            }
        }
    }
}
