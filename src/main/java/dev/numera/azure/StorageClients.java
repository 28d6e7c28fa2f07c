package dev.numera.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Creates the HTTP client and the threads that the clients of tables, queues and blobs share, and reports settings that
 * they cannot use. Thread-safe.
 *
 * <p>Decision: {@code docs/decisions/retries-of-the-storage-clients-are-off.md}. Decision:
 * {@code docs/decisions/the-jdk-http-client-instead-of-netty.md}.
 */
public final class StorageClients {
    private StorageClients() {}

    /**
     * Builds a client, and turns the exceptions of a bad setting into a problem.
     *
     * @throws ProblemException {@code misconfigured}, naming the setting
     */
    public static <T> T usable(String setting, Supplier<T> client) {
        try {
            return client.get();
        } catch (IllegalArgumentException | NullPointerException e) {
            // Drops the client's message, which can contain the setting's value and with it the account key.
            throw new ProblemException(
                    ProblemType.MISCONFIGURED,
                    "The setting " + setting
                            + " cannot be used: it is no connection string, account name or URI of a storage account.",
                    Map.of("setting", setting));
        }
    }

    public static HttpClient httpClient(Duration requestTimeout) {
        java.net.http.HttpClient.Builder jdk =
                java.net.http.HttpClient.newBuilder().version(java.net.http.HttpClient.Version.HTTP_1_1);
        return new JdkHttpClientBuilder(jdk)
                .executor(Executors.newCachedThreadPool(threads("numera-http")))
                .connectionTimeout(requestTimeout)
                .writeTimeout(requestTimeout)
                .responseTimeout(requestTimeout)
                .readTimeout(requestTimeout)
                .build();
    }

    public static ThreadFactory threads(String name) {
        AtomicInteger started = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + started.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
