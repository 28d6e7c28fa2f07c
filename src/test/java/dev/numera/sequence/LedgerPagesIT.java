package dev.numera.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.counter.Backoff;
import dev.numera.counter.ChangeNote;
import dev.numera.counter.CounterLimits;
import dev.numera.counter.Guarantee;
import dev.numera.counter.SequenceName;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.storage.StorageAccount;
import dev.numera.storage.StorageConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A ledger is read from storage a hundred rows at once. Where every row holds one number, the one behind each hundred
 * could be left out and no test saw it: rows with many numbers hide it.
 */
class LedgerPagesIT {
    private static final int NUMBERS = 210;

    private final SequenceName name =
            new SequenceName("pages", UUID.randomUUID().toString());
    private Sequences sequences;

    @BeforeEach
    void connect() {
        StorageAccount account = new StorageAccount(
                new StorageConnection.ConnectionString(SharedAzurite.connectionString()), Duration.ofSeconds(10));
        account.createTables();
        CounterLimits limits = new CounterLimits(
                50,
                Duration.ofSeconds(30),
                new Backoff.FullJitter(Duration.ofMillis(4), Duration.ofMillis(64)),
                Duration.ofSeconds(2),
                200);
        sequences = Sequences.over(account.stores(), AutoCreate.ALWAYS, new SequenceLimits(limits, 100, 400));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, -1})
    void everyRowOfOneNumberIsOnAPage(long increment) {
        sequences
                .administration()
                .put(
                        name,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.GUARANTEE, Guarantee.GAPLESS)
                                .with(DefinitionField.START, 1_000L)
                                .with(DefinitionField.INCREMENT, increment),
                        new Precondition.Absent(),
                        ChangeNote.NONE);
        for (int number = 1; number <= NUMBERS; number++) {
            sequences
                    .numbering()
                    .next(name, List.of(new Ask("key-" + number, 1, null)))
                    .answers()
                    .get(0)
                    .orThrow();
        }
        long least = increment > 0 ? 1_000 : 1_001 - NUMBERS;
        List<Long> all = LongStream.range(least, least + NUMBERS).boxed().toList();

        for (int limit : new int[] {1_000, 100, 99, 7}) {
            assertEquals(all, pages(limit), () -> "pages of " + limit);
        }
    }

    private List<Long> pages(int limit) {
        List<Long> numbers = new ArrayList<>();
        Long from = -Definition.LARGEST_EXACT;
        while (from != null) {
            Ledger.Page page = sequences.ledger().read(name, from, Definition.LARGEST_EXACT, null, limit);
            page.entries().forEach(entry -> numbers.add(entry.first()));
            from = page.next() == null ? null : page.next().number();
        }
        return numbers;
    }
}
