package dev.numera.bench.strategy;

import dev.numera.bench.harness.Window;
import dev.numera.contract.Allocations;
import dev.numera.contract.CounterStates;
import dev.numera.contract.Transactions;
import dev.numera.core.counter.Transaction;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Status;
import dev.numera.core.model.Versioned;
import dev.numera.core.retry.WriteResult;
import dev.numera.sequences.SequenceStores;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * The yardstick: one caller's conditional writes through the app's own storage class, one after the other. It is not a
 * sequence: with a second caller it fails.
 */
final class RawReplace implements Strategy {
    private final SequenceStores stores;
    private final CounterId id;
    private final int keysAWrite;
    private Versioned<CounterState> last;

    /**
     * @param keysAWrite 0 to write only the counter; otherwise each write is a transaction with this many keys and
     *     allocates as many numbers
     */
    RawReplace(SequenceStores stores, CounterId id, int keysAWrite) {
        this.stores = stores;
        this.id = id;
        this.keysAWrite = keysAWrite;
    }

    @Override
    public void prepare(int numbersWanted) {
        OpenCounter.in(stores, id);
        last = stores.counters().read(id).orElseThrow();
    }

    @Override
    public int numbersPerCall() {
        return Math.max(1, keysAWrite);
    }

    @Override
    public synchronized long next(Window window) {
        long first = last.value().next();
        CounterState after = CounterStates.of(
                first + numbersPerCall(),
                last.value().allocated() + numbersPerCall(),
                1,
                UUID.randomUUID().toString(),
                Instant.now());
        if (!(stores.counters().write(write(first, after)) instanceof WriteResult.Won won)) {
            throw new IllegalStateException("The only writer lost.");
        }
        last = new Versioned<>(after, won.version());
        return first;
    }

    private Transaction write(long first, CounterState after) {
        return Transactions.of(id, last.version(), after, ledger(first, after.changedAt()), null);
    }

    private List<Allocation> ledger(long first, Instant now) {
        return IntStream.range(0, keysAWrite)
                .mapToObj(i -> Allocations.of(
                        Numera.key(0, first + i),
                        first + i,
                        first + i,
                        1,
                        id.period(),
                        LocalDate.now(),
                        null,
                        0,
                        now,
                        false,
                        Status.SIMPLY_ISSUED))
                .toList();
    }
}
