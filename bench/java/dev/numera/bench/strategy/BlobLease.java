package dev.numera.bench.strategy;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.specialized.BlobLeaseClient;
import com.azure.storage.blob.specialized.BlobLeaseClientBuilder;
import dev.numera.bench.harness.Window;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The pessimistic strategy: only the holder of a blob's lease may increment. Other callers try to acquire the lease
 * about every {@value #POLL_MILLIS} ms.
 */
final class BlobLease implements Strategy {
    private static final int LEASE_SECONDS = 15;
    private static final int POLL_MILLIS = 10;
    private static final int TAKEN = 409;

    private final BlobContainerClient container;
    private final BlobClient lock;
    private final LastWriterWins increment;

    BlobLease(BlobContainerClient container, String sequence, LastWriterWins increment) {
        this.container = container;
        this.lock = container.getBlobClient(sequence);
        this.increment = increment;
    }

    @Override
    public void prepare(int numbersWanted) {
        container.createIfNotExists();
        lock.upload(BinaryData.fromString(""));
        increment.prepare(numbersWanted);
    }

    @Override
    public long next(Window window) throws InterruptedException {
        BlobLeaseClient lease = new BlobLeaseClientBuilder().blobClient(lock).buildClient();
        while (!isAcquired(lease)) {
            TimeUnit.MICROSECONDS.sleep((long)
                    (POLL_MILLIS * 1_000 * (0.5 + ThreadLocalRandom.current().nextDouble())));
            window.requireOpen();
        }
        try {
            return increment.next(window);
        } finally {
            lease.releaseLease();
        }
    }

    private static boolean isAcquired(BlobLeaseClient lease) {
        try {
            lease.acquireLease(LEASE_SECONDS);
            return true;
        } catch (BlobStorageException e) {
            if (e.getStatusCode() != TAKEN) {
                throw e;
            }
            return false;
        }
    }
}
