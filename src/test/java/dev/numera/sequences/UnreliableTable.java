package dev.numera.sequences;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.contract.MemoryWorkerStore;
import dev.numera.core.counter.CounterStore;
import dev.numera.core.counter.PeerRequests;
import dev.numera.core.counter.Transaction;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.ledger.LedgerStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The connection to a table in memory. It loses requests and answers, delivers writes late or twice, and refuses writes
 * that it has made. Late writes arrive before a later request. Not thread-safe.
 */
final class UnreliableTable {
    private static final StoreFailure NO_ANSWER = new StoreFailure("No answer.", true, null);

    private final MemoryCounterStore table;
    private final Random random;
    private final Consumer<SequenceName> afterWrite;
    private final List<Runnable> underWay = new ArrayList<>();
    private double faults;

    /**
     * Creates a connection.
     *
     * @param afterWrite called with each sequence whose rows may have changed
     */
    UnreliableTable(MemoryCounterStore table, Random random, Consumer<SequenceName> afterWrite) {
        this.table = table;
        this.random = random;
        this.afterWrite = afterWrite;
    }

    SequenceStores stores() {
        return new SequenceStores(
                to(CounterStore.class),
                to(PeerRequests.class),
                to(DefinitionStore.class),
                to(LedgerStore.class),
                MemoryWorkerStore::new);
    }

    private <T> T to(Class<T> seam) {
        return ForwardingStore.over(seam, seam.cast(table), request -> {
            if (request.name().equals("removeOld")) {
                return request.forward();
            }
            return request.method().getReturnType() == WriteResult.class
                    ? write(sequence(request.arguments()[0]), () -> (WriteResult) request.forward())
                    : read(request::forward);
        });
    }

    private static SequenceName sequence(Object written) {
        if (written instanceof Transaction write) {
            return write.id().sequence();
        }
        if (written instanceof CounterId id) {
            return id.sequence();
        }
        return written instanceof Sequence definition ? definition.name() : (SequenceName) written;
    }

    void setFaults(double probability) {
        faults = probability;
    }

    /** Delivers all pending writes. */
    void settle() {
        while (!underWay.isEmpty()) {
            arrive();
        }
    }

    private void arrive() {
        underWay.remove(random.nextInt(underWay.size())).run();
    }

    private <T> T read(Supplier<T> request) {
        arriveSometimes();
        if (random.nextDouble() < faults / 3) {
            throw NO_ANSWER;
        }
        return request.get();
    }

    private WriteResult write(SequenceName name, Supplier<WriteResult> request) {
        arriveSometimes();
        Supplier<WriteResult> watched = () -> {
            WriteResult result = request.get();
            afterWrite.accept(name);
            return result;
        };
        if (random.nextDouble() >= faults) {
            return watched.get();
        }
        switch (random.nextInt(6)) {
            case 0 -> throw NO_ANSWER;
            case 1 -> {}
            case 2 -> watched.get();
            case 3 -> underWay.add(watched::get);
            case 4 -> {
                watched.get();
                return watched.get();
            }
            default -> {
                underWay.add(watched::get);
                return watched.get();
            }
        }
        return new WriteResult.Unknown(NO_ANSWER);
    }

    private void arriveSometimes() {
        if (!underWay.isEmpty() && random.nextInt(4) == 0) {
            arrive();
        }
    }
}
