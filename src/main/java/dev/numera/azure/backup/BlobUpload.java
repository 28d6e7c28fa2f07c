package dev.numera.azure.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.specialized.BlockBlobClient;
import dev.numera.azure.BackupContainer;
import dev.numera.core.retry.StoreFailure;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/**
 * Uploads a blob that exists only when {@link #commit} returns. Without a commit its blocks stay invisible, and the
 * service drops them after a week. Keeps {@value #BLOCK_BYTES} bytes in memory, which is the size of a block; a blob
 * has at most 50,000 blocks. Not thread-safe.
 */
final class BlobUpload extends OutputStream {
    private static final int BLOCK_BYTES = 4 * 1024 * 1024;

    private final BlockBlobClient blob;
    private final List<String> blocks = new ArrayList<>();
    private final byte[] block = new byte[BLOCK_BYTES];
    private int filled;
    /** The number of bytes in the uploaded blocks. */
    private long bytes;

    BlobUpload(BlockBlobClient blob) {
        this.blob = blob;
    }

    /** @throws StoreFailure a block could not be stored */
    @Override
    public void write(int value) {
        write(new byte[] {(byte) value}, 0, 1);
    }

    /** @throws StoreFailure a block could not be stored */
    @Override
    public void write(byte[] bytes, int offset, int length) {
        int written = 0;
        while (written < length) {
            int part = Math.min(length - written, BLOCK_BYTES - filled);
            System.arraycopy(bytes, offset + written, block, filled, part);
            filled += part;
            written += part;
            if (filled == BLOCK_BYTES) {
                stage();
            }
        }
    }

    /**
     * Creates the blob from everything that was written.
     *
     * @throws StoreFailure the blob may not exist
     */
    void commit() {
        if (filled > 0) {
            stage();
        }
        try {
            BackupContainer.described("Committing " + blob.getBlobName(), () -> blob.commitBlockList(blocks, true));
        } catch (StoreFailure e) {
            // The client repeats the request if its answer is lost. The repeated request is refused if the first one
            // was committed, because the container's policy forbids overwriting a backup.
            if (!isCommitted()) {
                throw e;
            }
        }
    }

    private boolean isCommitted() {
        return BackupContainer.described(
                "Looking for " + blob.getBlobName(),
                () -> blob.exists() && blob.getProperties().getBlobSize() == bytes);
    }

    private void stage() {
        String id = Base64.getEncoder()
                .encodeToString(
                        String.format(Locale.ROOT, "%06d", blocks.size()).getBytes(UTF_8));
        BinaryData data = BinaryData.fromBytes(Arrays.copyOf(block, filled));
        BackupContainer.described("Writing a block of " + blob.getBlobName(), () -> {
            blob.stageBlock(id, data);
            return id;
        });
        blocks.add(id);
        bytes += filled;
        filled = 0;
    }
}
