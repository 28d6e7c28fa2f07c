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

/** The container of backups, which the app's first backup makes, and how it is called. */
public final class BackupContainer {
    /** Always in lower case, as containers are named. */
    public static final String NAME = "numera-backups";

    /** A page of rows that a filter has to search for takes the service up to 5 s, and a block some seconds. */
    public static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(60);
    /** Whatever is read or staged twice is the same as once. */
    public static final RetryOptions RETRIES = new RetryOptions(new ExponentialBackoffOptions()
            .setMaxRetries(4)
            .setBaseDelay(Duration.ofMillis(200))
            .setMaxDelay(Duration.ofSeconds(5)));

    private BackupContainer() {}

    /**
     * Returns its client, without a request.
     *
     * @throws ProblemException {@code misconfigured} where the connection has no address of blobs
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
     * Sends a request and returns its answer; describes it in the message of a failure.
     *
     * @param what the request, as in "Reading the blob b"
     * @throws StoreFailure whatever the client throws
     */
    public static <T> T described(String what, Supplier<T> request) {
        try {
            return request.get();
        } catch (RuntimeException e) {
            // The client throws unrelated types: whatever it is, the request is not known to have done its work.
            RequestFailure failure = RequestFailure.of(e, new RawResponse());
            if (failure.status() == 404) {
                throw new StoreFailure(
                        what + " failed: it does not exist (404). 'list' of numera-maintain.jar lists the names of"
                                + " backups. The container " + NAME
                                + " is made on Azure by 'azd provision', elsewhere"
                                + " by the app's first backup (Numera_BackupSchedule).",
                        false,
                        e);
            }
            throw failure.describedAs(what);
        }
    }
}
