package dev.numera.azure;

import com.azure.core.http.policy.ExponentialBackoffOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import dev.numera.azure.StorageConnection.Service;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.StoreFailure;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The blob container that backups are written to, and the settings of its client. The app's first backup creates the
 * container.
 */
public final class BackupContainer {
    /** Lower case, because Azure allows no other names of containers. */
    public static final String NAME = "numera-backups";

    /**
     * Longer than the app's other timeouts: a filtered page can take the service 5 s, and uploading a block takes some
     * seconds.
     */
    public static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(60);
    /** Safe for backups, because reading a page or staging a block twice has the same result as once. */
    public static final RetryOptions RETRIES = new RetryOptions(new ExponentialBackoffOptions()
            .setMaxRetries(4)
            .setBaseDelay(Duration.ofMillis(200))
            .setMaxDelay(Duration.ofSeconds(5)));

    private BackupContainer() {}

    /**
     * Returns a client of the container. Sends no request.
     *
     * @throws ProblemException {@code misconfigured} if the connection has no address of blobs
     */
    public static BlobContainerClient client(StorageConnection connection) {
        return StorageClients.usable(connection.setting(Service.BLOBS), () -> connection
                .connect(Service.BLOBS, new BlobServiceClientBuilder())
                .httpClient(StorageClients.httpClient(REQUEST_TIMEOUT))
                .retryOptions(RETRIES)
                .buildClient()
                .getBlobContainerClient(NAME));
    }

    public static boolean isThere(BlobContainerClient container) {
        return described("Looking for the container " + NAME, container::exists);
    }

    /**
     * Sends a request and returns its answer. A failure names the request in its message.
     *
     * @param what names the request, as in "Reading the blob b"
     * @throws StoreFailure the client threw any exception
     */
    public static <T> T described(String what, Supplier<T> request) {
        try {
            return request.get();
        } catch (RuntimeException e) {
            // The client's exceptions have no common type, and none of them proves what the request did.
            RequestFailure failure = RequestFailure.of(e, new RawResponse());
            if (failure.status() == 404) {
                throw new StoreFailure(
                        what + " failed: it does not exist (404). 'list' of numera-maintain.jar lists the names of"
                                + " backups. The container " + NAME
                                + " is created on Azure by 'azd provision', elsewhere"
                                + " by the app's first backup (Numera_BackupSchedule), unless Numera_CreateTables is false:"
                                + " then create it.",
                        false,
                        e);
            }
            throw failure.describedAs(what);
        }
    }
}
