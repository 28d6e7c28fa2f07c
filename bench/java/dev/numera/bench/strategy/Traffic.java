package dev.numera.bench.strategy;

import java.util.concurrent.atomic.LongAdder;

/** Counts the requests of the strategies. Thread-safe. */
public final class Traffic {
    /**
     * The counts at one time.
     *
     * @param requests round trips to any store
     * @param tableOperations operations in requests to tables; each part of a transaction counts as one
     * @param conflicts requests that were refused because another writer was first
     * @param attempts the sum over all calls of the attempts that each took part in; only for strategies that count
     *     them
     */
    public record Counts(
            long requests,
            long tableRequests,
            long tableOperations,
            long blobOperations,
            long queueOperations,
            long conflicts,
            long attempts) {
        public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0);

        public Counts plus(Counts other) {
            return new Counts(
                    requests + other.requests,
                    tableRequests + other.tableRequests,
                    tableOperations + other.tableOperations,
                    blobOperations + other.blobOperations,
                    queueOperations + other.queueOperations,
                    conflicts + other.conflicts,
                    attempts + other.attempts);
        }

        public Counts minus(Counts other) {
            return new Counts(
                    requests - other.requests,
                    tableRequests - other.tableRequests,
                    tableOperations - other.tableOperations,
                    blobOperations - other.blobOperations,
                    queueOperations - other.queueOperations,
                    conflicts - other.conflicts,
                    attempts - other.attempts);
        }

        public long operations() {
            return tableOperations + blobOperations + queueOperations;
        }
    }

    private final LongAdder otherRequests = new LongAdder();
    private final LongAdder tableRequests = new LongAdder();
    private final LongAdder tableOperations = new LongAdder();
    private final LongAdder blobOperations = new LongAdder();
    private final LongAdder queueOperations = new LongAdder();
    private final LongAdder conflicts = new LongAdder();
    private final LongAdder attempts = new LongAdder();

    void table(int operations) {
        tableRequests.increment();
        tableOperations.add(operations);
    }

    void blob() {
        blobOperations.increment();
    }

    void queue() {
        queueOperations.increment();
    }

    /** Counts a request to a store other than Azure's. */
    void other() {
        otherRequests.increment();
    }

    void conflict() {
        conflicts.increment();
    }

    void attempts(int count) {
        attempts.add(count);
    }

    public Counts counts() {
        long blobs = blobOperations.sum();
        long queues = queueOperations.sum();
        long tables = tableRequests.sum();
        return new Counts(
                otherRequests.sum() + blobs + queues + tables,
                tables,
                tableOperations.sum(),
                blobs,
                queues,
                conflicts.sum(),
                attempts.sum());
    }
}
