package dev.numera.sequences.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.Definition;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Page;
import dev.numera.core.model.SequenceName;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.definition.Precondition;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Storage returns a ledger in groups of a hundred rows. With one number per row, the entry after each group was once
 * omitted, which tests with many numbers per row did not detect.
 */
class LedgerPagesIT {
    private static final int NUMBERS = 210;
    private static final int ENTRIES = 40;
    private static final long GREATEST = Definition.LARGEST_EXACT;
    private static final long LEAST = -GREATEST;
    private static final LedgerFilter EVERYTHING = new LedgerFilter(LEAST, GREATEST);
    private static final LedgerFilter OF_ANY_DATE = new LedgerFilter(LEAST, GREATEST, LocalDate.EPOCH, null, null);

    private final SequenceName name =
            new SequenceName("pages", UUID.randomUUID().toString());
    private Sequences sequences;

    @BeforeEach
    void connect() {
        sequences = TestSequences.over(SharedAzurite.connectionString()).start();
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(longs = {1, -1})
    void everyRowOfOneNumberIsOnAPage(long increment) {
        define(increment);
        for (int number = 1; number <= NUMBERS; number++) {
            sequences
                    .allocator()
                    .next(name, List.of(new NumberRequest("key-" + number, 1, null)))
                    .results()
                    .get(0)
                    .orThrow();
        }
        requirePages(increment, NUMBERS, 1_000, 100, 99, 7);
    }

    /** A page may end within a row, and the next one continues there. */
    @ParameterizedTest
    @ValueSource(longs = {1, -1})
    void everyEntryOfARowIsOnOnePage(long increment) {
        define(increment);
        for (int row = 0; row < 2; row++) {
            String prefix = "row-" + row + "-";
            sequences
                    .allocator()
                    .next(
                            name,
                            IntStream.range(0, ENTRIES)
                                    .mapToObj(i -> new NumberRequest(prefix + i, 1, null))
                                    .toList())
                    .results()
                    .forEach(result -> result.orThrow());
        }
        requirePages(increment, 2 * ENTRIES, 1_000, ENTRIES, ENTRIES - 1, 7);
    }

    private void define(long increment) {
        sequences
                .editor()
                .put(
                        name,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.GUARANTEE, Guarantee.GAPLESS)
                                .with(DefinitionField.START, 1_000L)
                                .with(DefinitionField.INCREMENT, increment),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
    }

    private void requirePages(long increment, int count, int... limits) {
        long least = increment > 0 ? 1_000 : 1_001 - count;
        List<Long> all = LongStream.range(least, least + count).boxed().toList();
        for (int limit : limits) {
            Page<LedgerLine, LedgerPosition> first = sequences.ledger().read(name, EVERYTHING, null, null, limit);
            assertEquals(
                    all, numbers(first, count, next -> sequences.ledger().read(name, EVERYTHING, null, next, limit)));
            Page<LedgerLine, LedgerPosition> firstDated = sequences.ledger().read(name, OF_ANY_DATE, null, null, limit);
            assertEquals(
                    all,
                    numbers(firstDated, count, next -> sequences.ledger().read(name, OF_ANY_DATE, null, next, limit)));
        }
    }

    /** Reads at most as many pages as there are numbers, because pages without progress would never end. */
    private static List<Long> numbers(
            Page<LedgerLine, LedgerPosition> first,
            int pages,
            Function<LedgerPosition, Page<LedgerLine, LedgerPosition>> following) {
        List<Long> numbers = new ArrayList<>();
        Page<LedgerLine, LedgerPosition> page = first;
        for (int i = 0; i < pages; i++) {
            page.items().forEach(entry -> numbers.add(entry.first()));
            if (page.next() == null) {
                return numbers;
            }
            page = following.apply(page.next());
        }
        return numbers;
    }
}
