package dev.numera.azure.backup;

import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobItem;
import dev.numera.azure.BackupContainer;
import dev.numera.azure.MarkBlobs;
import dev.numera.azure.StorageConnection;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.StoreFailure;
import java.io.InputStream;
import java.util.List;

/**
 * The container of backups. Requests that fail for a moment are sent again. Thread-safe; calls block for some requests
 * of at most a minute each.
 */
public final class BackupBlobs {
    /** Always in lower case, as containers are named. */
    public static final String CONTAINER = BackupContainer.NAME;

    private final BlobContainerClient container;

    /** @throws ProblemException {@code misconfigured} where the connection has no address of blobs */
    public BackupBlobs(StorageConnection connection) {
        this.container = BackupContainer.client(connection);
    }

    /** Makes the container unless it is there. */
    public void create() {
        BackupContainer.described("Making the container " + CONTAINER, container::createIfNotExists);
    }

    /**
     * A backup that is there only once it is committed.
     *
     * @throws StoreFailure there is no trustworthy answer
     * @throws IllegalStateException there is one of this name
     */
    BlobUpload begin(String name) {
        if (BackupContainer.described(
                "Looking for " + name, () -> container.getBlobClient(name).exists())) {
            throw new IllegalStateException(
                    "There is a backup " + name + " in " + CONTAINER + ", and none is written over another.");
        }
        return new BlobUpload(container.getBlobClient(name).getBlockBlobClient());
    }

    /** @throws StoreFailure it is not there, or cannot be read; reading on throws {@code IOException} */
    public InputStream open(String name) {
        return BackupContainer.described(
                "Reading the backup " + name + " of the container " + CONTAINER,
                () -> container.getBlobClient(name).openInputStream());
    }

    /** The names of all backups, oldest first where the app named them; empty where there is no container yet. */
    public List<String> names() {
        if (!BackupContainer.isThere(container)) {
            return List.of();
        }
        return BackupContainer.described("Listing the container " + CONTAINER, () -> container.listBlobs().stream()
                .map(BlobItem::getName)
                .filter(name -> !name.startsWith(MarkBlobs.FOLDER))
                .toList());
    }
}
