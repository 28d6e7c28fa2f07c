package dev.numera.storage;

import com.azure.core.http.policy.ExponentialBackoffOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.BlobItem;
import dev.numera.execution.StoreFailure;
import dev.numera.problem.ProblemException;
import dev.numera.storage.StorageConnection.Service;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * The container of backups. Requests that fail for a moment are sent again. Thread-safe; calls block for some requests
 * of at most a minute each.
 */
public final class BackupBlobs {
    /** Always in lower case, as containers are named. */
    public static final String CONTAINER = "numera-backups";

    /** A page of rows that a filter has to search for takes the service up to 5 s, and a block some seconds. */
    static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(60);
    /** Whatever is read or staged twice is the same as once. */
    static final RetryOptions RETRIES = new RetryOptions(new ExponentialBackoffOptions()
            .setMaxRetries(4)
            .setBaseDelay(Duration.ofMillis(200))
            .setMaxDelay(Duration.ofSeconds(5)));

    private final BlobContainerClient container;

    /** @throws ProblemException {@code misconfigured} where the connection has no address of blobs */
    public BackupBlobs(StorageConnection connection) {
        this.container = StorageAccount.usable(connection.setting(Service.BLOBS), () -> connection
                .connect(Service.BLOBS, new BlobServiceClientBuilder())
                .httpClient(StorageAccount.httpClient(REQUEST_TIMEOUT))
                .retryOptions(RETRIES)
                .buildClient()
                .getBlobContainerClient(CONTAINER));
    }

    /** Makes the container unless it is there. */
    public void create() {
        described("Making the container " + CONTAINER, container::createIfNotExists);
    }

    /**
     * A backup that is there only once it is committed.
     *
     * @throws StoreFailure there is no trustworthy answer
     * @throws IllegalStateException there is one of this name
     */
    BlobUpload begin(String name) {
        if (described("Looking for " + name, () -> container.getBlobClient(name).exists())) {
            throw new IllegalStateException(
                    "There is a backup " + name + " in " + CONTAINER + ", and none is written over another.");
        }
        return new BlobUpload(container.getBlobClient(name).getBlockBlobClient());
    }

    /** @throws StoreFailure it is not there, or cannot be read; reading on throws {@code IOException} */
    public InputStream open(String name) {
        return described(
                "Reading the backup " + name + " of the container " + CONTAINER,
                () -> container.getBlobClient(name).openInputStream());
    }

    /** The names of all backups, oldest first where the app named them. */
    public List<String> names() {
        return described(
                "Listing the container " + CONTAINER,
                () -> container.listBlobs().stream().map(BlobItem::getName).toList());
    }

    static <T> T described(String what, Supplier<T> request) {
        try {
            return request.get();
        } catch (RuntimeException e) {
            // The client throws unrelated types: whatever it is, the request is not known to have done its work.
            RequestFailure failure = RequestFailure.of(e, new WireAnswer());
            if (failure.status() == 404) {
                throw new StoreFailure(
                        what + " failed: it is not there (404). 'azd provision' makes the container; 'list' of"
                                + " numera-maintain.jar lists the names of backups.",
                        false,
                        e);
            }
            throw failure.describedAs(what);
        }
    }
}
