package dev.numera.sequences.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.retry.StoreFailure;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.SequenceCalls;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Lookups of several keys of one ledger at once. */
class LedgerKeysTest {
    private static final SequenceName NAME = new SequenceName("shop", "invoice");
    private static final int GROUPS = 2;
    private static final List<String> KEYS = IntStream.range(0, GROUPS * SequenceCalls.AT_ONCE)
            .mapToObj(i -> "key-" + i)
            .toList();
    private static final StoreFailure UNREADABLE = new StoreFailure("another program wrote it", false, null);

    private final MemoryCounterStore table = new MemoryCounterStore();

    private Sequences over(LedgerStore ledgers) {
        return TestSequences.over(table).with(ledgers).start();
    }

    private static LedgerStore looking(LedgerStore store, Runnable before) {
        return ForwardingStore.over(LedgerStore.class, store, request -> {
            if (request.name().equals("findKey")) {
                before.run();
            }
            return request.forward();
        });
    }

    private void number() {
        TestSequences.over(table).start().allocator().next(NAME, NumberRequest.ofEach(KEYS, 3, null, false));
    }

    @Test
    void keysAreReadInParallel() {
        number();
        CyclicBarrier group = new CyclicBarrier(SequenceCalls.AT_ONCE);
        Sequences sequences = over(looking(table, () -> await(group)));

        Map<String, LedgerLine> found = sequences.ledger().find(NAME, KEYS);

        KEYS.forEach(key -> assertEquals(key, found.get(key).key()));
        assertEquals(KEYS.size(), found.size());
        assertEquals(3 * 17 + 1, found.get("key-17").first());
    }

    private static void await(CyclicBarrier group) {
        try {
            group.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException("The others of the group were not read at once.", e);
        }
    }

    @Test
    void aKeyThatHasNoEntryIsLeftOutAndOneThatComesTwiceIsReadOnce() {
        number();

        Map<String, LedgerLine> found = over(table).ledger().find(NAME, List.of("key-1", "none", "key-1"));

        assertEquals(List.of("key-1"), List.copyOf(found.keySet()));
    }

    @Test
    void theProblemOfAKeyIsThrownAsItIs() {
        number();
        Sequences sequences = over(looking(table, () -> {
            throw UNREADABLE;
        }));

        StoreFailure thrown =
                assertThrows(StoreFailure.class, () -> sequences.ledger().find(NAME, KEYS));

        assertSame(UNREADABLE, thrown);
    }
}
