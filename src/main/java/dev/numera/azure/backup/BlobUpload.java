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
 * A blob that is there only once it is committed: what was written before is invisible, and dropped by the service
 * after a week. Holds {@value #BLOCK_BYTES} bytes; up to 50,000 blocks of them make a blob. Not thread-safe.
 */
final class BlobUpload extends OutputStream {
    private static final int BLOCK_BYTES = 4 * 1024 * 1024;

    private final BlockBlobClient blob;
    private final List<String> blocks = new ArrayList<>();
    private final byte[] block = new byte[BLOCK_BYTES];
    private int filled;
    /** Of the blocks. */
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
     * Makes the blob of all that was written.
     *
     * @throws StoreFailure it is not known to be there
     */
    void commit() {
        if (filled > 0) {
            stage();
        }
        try {
            BackupContainer.described("Committing " + blob.getBlobName(), () -> blob.commitBlockList(blocks, true));
        } catch (StoreFailure e) {
            // Sent again since its answer was lost, it meets the policy that forbids to overwrite a backup.
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
