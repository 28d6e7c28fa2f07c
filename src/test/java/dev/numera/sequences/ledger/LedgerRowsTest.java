package dev.numera.sequences.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.counter.WriteLimits;
import dev.numera.core.model.Definition;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Page;
import dev.numera.core.model.SequenceName;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Limits how many rows a page reads. A long page once read a hundred rows at once, nine times too many if they are
 * full.
 */
class LedgerRowsTest {
    private static final SequenceName NAME = new SequenceName("shop", "order");
    private static final LedgerFilter EVERYTHING =
            new LedgerFilter(-Definition.LARGEST_EXACT, Definition.LARGEST_EXACT);

    private final MemoryCounterStore table = new MemoryCounterStore();
    /** The number of rows that each query returned. */
    private final List<Integer> queries = new ArrayList<>();

    private final Sequences sequences = TestSequences.over(table)
            .with(ForwardingStore.over(LedgerStore.class, table, request -> {
                Object answer = request.forward();
                if (request.name().equals("rowsFrom")) {
                    queries.add(((List<?>) answer).size());
                }
                return answer;
            }))
            .start();

    /** Makes a number of writes with several keys each. */
    private void allocate(int writes, int keys) {
        for (int write = 0; write < writes; write++) {
            int of = write;
            sequences
                    .allocator()
                    .next(
                            NAME,
                            IntStream.range(0, keys)
                                    .mapToObj(key -> new NumberRequest(of + "-" + key, 1, null))
                                    .toList());
        }
    }

    private Page<LedgerLine, LedgerPosition> read(LedgerPosition position, int limit) {
        return sequences.ledger().read(NAME, EVERYTHING, null, position, limit);
    }

    @Test
    void aLongPageReadsAsManyFullRowsAsItHas() {
        allocate(30, WriteLimits.KEYS);

        Page<LedgerLine, LedgerPosition> first = read(null, 1_000);
        Page<LedgerLine, LedgerPosition> second = read(first.next(), 1_000);

        assertEquals(1_000, first.items().size());
        assertEquals(1_001, second.items().get(0).first());
        assertEquals(1_000, second.items().size());
        assertEquals(List.of(12, 12), queries);
    }

    @Test
    void aLongPageOfShortRowsReadsAHundredAtOnce() {
        allocate(300, 1);

        assertEquals(300, read(null, 1_000).items().size());

        assertEquals(List.of(12, 100, 100, 88), queries);
    }

    @Test
    void aShortPageReadsOneRowMoreThanItHas() {
        allocate(60, 1);

        assertEquals(50, read(null, 50).items().size());

        assertEquals(List.of(50, 1), queries);
    }
}
