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
 * Reads and writes the backups in their container. Requests that fail temporarily are sent again. Thread-safe; calls
 * block for some requests of at most a minute each.
 */
public final class BackupBlobs {
    /** The name of the container, for messages. */
    public static final String CONTAINER = BackupContainer.NAME;

    private final BlobContainerClient container;

    /** @throws ProblemException {@code misconfigured} if the connection has no address of blobs */
    public BackupBlobs(StorageConnection connection) {
        this.container = BackupContainer.client(connection);
    }

    /** Creates the container if it does not exist. */
    public void create() {
        BackupContainer.described("Making the container " + CONTAINER, container::createIfNotExists);
    }

    /**
     * Starts a backup, which exists only when the upload is committed.
     *
     * @throws StoreFailure there is no trustworthy answer
     * @throws IllegalStateException a backup of this name exists
     */
    BlobUpload begin(String name) {
        if (BackupContainer.described(
                "Looking for " + name, () -> container.getBlobClient(name).exists())) {
            throw new IllegalStateException(
                    "The container " + CONTAINER + " already has a backup " + name + ", and no backup is overwritten.");
        }
        return new BlobUpload(container.getBlobClient(name).getBlockBlobClient());
    }

    /**
     * @throws StoreFailure the backup does not exist, or cannot be read; the stream's own failures are
     *     {@code IOException}
     */
    public InputStream open(String name) {
        return BackupContainer.described(
                "Reading the backup " + name + " of the container " + CONTAINER,
                () -> container.getBlobClient(name).openInputStream());
    }

    /**
     * Returns the names of all backups, oldest first if the app named them; empty if the container does not exist yet.
     */
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
