package dev.numera.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.counter.CounterId;
import dev.numera.counter.CounterState;
import dev.numera.counter.CounterStore;
import dev.numera.counter.FixedFields;
import dev.numera.counter.Guarantee;
import dev.numera.counter.Outcome;
import dev.numera.counter.Outcome.LedgerAddition;
import dev.numera.counter.SequenceName;
import dev.numera.counter.StoreFailure;
import dev.numera.counter.Versioned;
import dev.numera.counter.WriteResult;
import dev.numera.counter.WriteResult.Reason;
import dev.numera.sequence.LedgerStore;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every store of counters does, so that what is proved over one holds over the other. Each test has a sequence of its own. */
abstract class CounterStoreContract {
    private static final FixedFields FIXED = fixed(1);
    private static final Instant NOW = Instant.parse("2026-11-21T10:11:12.123456789Z");
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 21);
    private static final int RIVALS = 8;
    private static final LedgerAddition NOTHING = new LedgerAddition(List.of(), null);

    private final SequenceName sequence = new SequenceName("Contract", "s" + UUID.randomUUID());
    private final CounterId id = new CounterId(sequence, "");

    abstract CounterStore store();

    abstract LedgerStore ledger();

    /** One whose table is not there. */
    abstract CounterStore storeWithoutTable();

    @Test
    void readsNothingWhereThereIsNoCounter() {
        assertEquals(Optional.empty(), store().read(id));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 0, -1, 4_000_001_000_000_000_000L, -4_000_001_000_000_000_000L})
    void readsWhatWasOpenedAndWritten(long next) {
        CounterState first = new CounterState(next, 0, 1, "first", NOW);
        store().open(id, FIXED, first);
        assertEquals(first, read().state());

        CounterState second = new CounterState(-next, Long.MAX_VALUE, NOW.toEpochMilli(), "an operation", NOW.plusNanos(1));
        won(replace(read().version(), second, NOTHING));
        assertEquals(second, read().state());
    }

    @Test
    void onlyTheFirstOpens() {
        store().open(id, FIXED, state(1));
        Versioned opened = read();
        store().open(id, FIXED, state(77));
        assertEquals(opened, read());
    }

    @Test
    void everyWriteGivesAnotherVersionAndTellsIt() {
        store().open(id, FIXED, state(1));
        String version = read().version();
        for (int next = 2; next < 6; next++) {
            String written = won(replace(version, state(next), next % 2 == 0 ? NOTHING : allocations(next - 1L, "key " + next)));
            assertNotEquals(version, written);
            assertEquals(new Versioned(state(next), written), read());
            version = written;
        }
    }

    @Test
    void aWriteOfTheSameStateGivesAnotherVersionToo() {
        store().open(id, FIXED, state(1));
        String version = read().version();
        assertNotEquals(version, won(replace(version, state(1), NOTHING)));
    }

    @Test
    void aStaleVersionIsLost() {
        store().open(id, FIXED, state(1));
        String stale = read().version();
        won(replace(stale, state(2), NOTHING));
        Versioned present = read();

        assertEquals(Reason.CHANGED, lost(replace(stale, state(9), NOTHING)));
        assertEquals(Reason.CHANGED, lost(replace(stale, state(9), allocations(1, "key"))));
        assertEquals(present, read());
        assertEquals(Map.of(), store().find(sequence, List.of("key")));
    }

    @Test
    void aMissingCounterIsLost() {
        CounterId other = new CounterId(sequence, "2026");
        store().open(other, FIXED, state(1));
        String version = store().read(other).orElseThrow().version();

        assertEquals(Reason.CHANGED, lost(store().replace(id, version, state(2), NOTHING)));
        assertEquals(Reason.CHANGED, lost(store().replace(id, version, state(2), allocations(1, "key"))));
        assertEquals(Optional.empty(), store().read(id));
    }

    @Test
    void aKeyThatExistsLosesTheWholeWrite() {
        store().open(id, FIXED, state(1));
        String version = won(replace(read().version(), state(2), allocations(1, "old")));

        assertEquals(Reason.EXISTS, lost(replace(version, state(5), allocations(2, "new", "old", "newer"))));
        assertEquals(new Versioned(state(2), version), read());
        assertEquals(1, store().find(sequence, List.of("new", "old", "newer")).size());
        assertEquals(1, ledger().rowsFrom(id, 0, 10).size());
    }

    @Test
    void aNumberThatExistsLosesTheWholeWrite() {
        store().open(id, FIXED, state(1));
        String version = won(replace(read().version(), state(2), allocations(1, "old")));

        assertEquals(Reason.EXISTS, lost(replace(version, state(2), allocations(1, "other"))));
        assertEquals(new Versioned(state(2), version), read());
        assertEquals(Map.of(), store().find(sequence, List.of("other")));
    }

    @Test
    void keysBelongToTheSequenceAndNumbersToThePeriod() {
        CounterId other = new CounterId(sequence, "2026");
        store().open(id, FIXED, state(1));
        store().open(other, FIXED, state(1));
        won(replace(read().version(), state(2), allocations(1, "key")));
        String version = store().read(other).orElseThrow().version();

        assertEquals(Reason.EXISTS, lost(store().replace(other, version, state(2), allocations(1, "key"))));
        won(store().replace(other, version, state(2), allocations(1, "another")));
        assertEquals(Map.of(), store().find(new SequenceName("Other", sequence.name()), List.of("key")));
    }

    @Test
    void findsWhatStandsInTheLedgerAndLeavesTheRestOut() {
        store().open(id, FIXED, state(1));
        Outcome.Allocation plain = allocation("plain", 1, 1);
        Outcome.Allocation full = new Outcome.Allocation("full", -4_000_000_000_000_000_000L, 4_000_000_000_000_000_000L, 10_000, "2026-11",
                LocalDate.of(9999, 12, 31), "INV-\"ä\"-1", 3, NOW, false);
        won(replace(read().version(), state(2), new LedgerAddition(List.of(plain, full), null)));

        assertEquals(Map.of("plain", asStored(plain), "full", asStored(full)),
                store().find(sequence, List.of("plain", "none", "full")));
        assertEquals(Map.of(), store().find(sequence, List.of("none")));
        assertEquals(Map.of(), store().find(sequence, List.of()));
    }

    @Test
    void rowsStandInNumberOrderNegativeOnesToo() {
        store().open(id, FIXED, state(-30));
        String version = read().version();
        for (long number : new long[] {-30, -9, -1, 0, 7, 10, 100, 4_000_000_000_000_000_000L}) {
            version = won(replace(version, state(number), allocations(number, "key " + number)));
        }
        assertEquals(List.of(-30L, -9L, -1L, 0L, 7L, 10L, 100L, 4_000_000_000_000_000_000L), firstNumbers(-30, 100));
        assertEquals(List.of(-1L, 0L, 7L), firstNumbers(-8, 3));
    }

    @Test
    void anAdvanceLeavesARow() {
        store().open(id, FIXED, state(1));
        won(replace(read().version(), state(50), new LedgerAddition(List.of(), new Outcome.Advanced(1, 50))));

        LedgerStore.Row row = ledger().rowsFrom(id, 1, 10).get(0);
        assertTrue(row.isAdvance());
        assertEquals(List.of(1L, 49L), List.of(row.first(), row.last()));
    }

    @Test
    void oneTransactionHolds98Keys() {
        store().open(id, FIXED, state(1));
        List<String> keys = IntStream.range(0, 98).mapToObj(ordinal -> "key " + ordinal).toList();

        won(replace(read().version(), state(99), allocations(1, keys.toArray(String[]::new))));

        assertEquals(98, store().find(sequence, keys).size());
        assertEquals(keys, keysOfRow(1));
        keys.forEach(key -> assertEquals(1, store().find(sequence, List.of(key)).size()));
    }

    /** Quotes and backslashes take two units each: 51 such keys come close to the 30,000 units at which a group closes. */
    @Test
    void oneRowHolds30000Units() {
        store().open(id, FIXED, state(1));
        List<String> keys = IntStream.range(0, 51).mapToObj(ordinal -> ("\"\\").repeat(126) + (100 + ordinal)).toList();
        assertTrue(keys.stream().allMatch(key -> key.length() == 255));

        won(replace(read().version(), state(52), allocations(1, keys.toArray(String[]::new))));

        assertEquals(51, store().find(sequence, keys).size());
        assertEquals(keys, keysOfRow(1));
    }

    @Test
    void keysOfAnyScriptStayApart() {
        store().open(id, FIXED, state(1));
        List<String> keys = List.of("a", "A", "ä", "a\u0308", "注文-9001", "🧾", "🧾".repeat(127), "/\\#?%", "'", "''", "null", "a b", "á",
                "key:a", "{\"a\": 1}");
        won(replace(read().version(), state(16), allocations(1, keys.toArray(String[]::new))));

        Map<String, Outcome.Allocation> found = store().find(sequence, keys);
        for (int ordinal = 0; ordinal < keys.size(); ordinal++) {
            String key = keys.get(ordinal);
            assertEquals(ordinal + 1, found.get(key).first(), () -> key + " in " + key.getBytes(UTF_8).length + " bytes");
        }
        assertEquals(keys, keysOfRow(1));
    }

    @Test
    void aLaterPeriodIsOpenedOnlyUnderThePinnedFields() {
        CounterId second = new CounterId(sequence, "2026");
        CounterId third = new CounterId(sequence, "2027");
        store().open(id, FIXED, state(1));
        store().open(second, fixed(10), state(10));
        store().open(third, FIXED, state(1));

        assertEquals(Optional.empty(), store().read(second));
        assertEquals(state(1), store().read(third).orElseThrow().state());
    }

    @Test
    void everyFixedFieldIsPinned() {
        store().open(id, FIXED, state(1));
        List<FixedFields> others = List.of(
                new FixedFields(Guarantee.GAPLESS, 1, 1, false, "never", "UTC", 1),
                new FixedFields(Guarantee.STRICT, 2, 1, false, "never", "UTC", 1),
                new FixedFields(Guarantee.STRICT, 1, -1, false, "never", "UTC", 1),
                new FixedFields(Guarantee.STRICT, 1, 1, true, "never", "UTC", 1),
                new FixedFields(Guarantee.STRICT, 1, 1, false, "year", "UTC", 1),
                new FixedFields(Guarantee.STRICT, 1, 1, false, "never", "Europe/Berlin", 1),
                new FixedFields(Guarantee.STRICT, 1, 1, false, "never", "UTC", 4));
        for (FixedFields other : others) {
            CounterId later = new CounterId(sequence, "2026");
            store().open(later, other, state(1));
            assertEquals(Optional.empty(), store().read(later), other::toString);
        }
    }

    @Test
    void ofTwoPinsAtOnceOneHolds() throws Exception {
        List<Callable<Void>> rivals = new ArrayList<>();
        List<CounterId> ids = new ArrayList<>();
        for (int rival = 0; rival < RIVALS; rival++) {
            FixedFields fixed = fixed(1 + rival);
            CounterId own = new CounterId(sequence, "" + (2026 + rival));
            ids.add(own);
            rivals.add(() -> {
                store().open(own, fixed, state(1));
                return null;
            });
        }
        atOnce(rivals);
        assertEquals(1, ids.stream().filter(own -> store().read(own).isPresent()).count());
    }

    @Test
    void ofManyFirstCountersAtOnceOneHolds() throws Exception {
        List<Callable<Versioned>> rivals = new ArrayList<>();
        for (int rival = 0; rival < RIVALS; rival++) {
            CounterState own = state(rival);
            rivals.add(() -> {
                store().open(id, FIXED, own);
                return read();
            });
        }
        assertEquals(1, atOnce(rivals).stream().distinct().count());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ofManyWritesAtOnceOneWins(boolean hasLedger) throws Exception {
        store().open(id, FIXED, state(1));
        String version = read().version();
        List<Callable<WriteResult>> rivals = new ArrayList<>();
        for (int rival = 0; rival < RIVALS; rival++) {
            int own = rival;
            rivals.add(() -> replace(version, state(own), hasLedger ? allocations(own, "key " + own) : NOTHING));
        }
        List<WriteResult> results = atOnce(rivals);
        assertEquals(1, results.stream().filter(WriteResult.Won.class::isInstance).count(), results::toString);
        assertEquals(RIVALS - 1, results.stream().filter(WriteResult.Lost.class::isInstance).count(), results::toString);
        int winner = (int) read().state().next();
        assertInstanceOf(WriteResult.Won.class, results.get(winner));
        assertEquals(hasLedger ? 1 : 0, ledger().rowsFrom(id, 0, 100).size());
    }

    @Test
    void aMissingTableIsAFailureThatNamesIt() {
        CounterStore store = storeWithoutTable();
        List<Runnable> requests = List.of(
                () -> store.read(id),
                () -> store.open(id, FIXED, state(1)),
                () -> store.find(sequence, List.of("key")),
                () -> store.find(sequence, List.of("key", "other")));
        for (Runnable request : requests) {
            StoreFailure failure = assertThrows(StoreFailure.class, request::run);
            assertTrue(failure.getMessage().contains("numeracounters"), failure.getMessage());
            assertFalse(failure.isWorthRetrying(), failure.getMessage());
        }
    }

    @Test
    void aWriteIntoAMissingTableIsAFailureThatNamesIt() {
        store().open(id, FIXED, state(1));
        String version = read().version();
        CounterStore store = storeWithoutTable();
        for (LedgerAddition ledger : List.of(NOTHING, allocations(1, "key"))) {
            StoreFailure failure = assertThrows(StoreFailure.class, () -> store.replace(id, version, state(2), ledger));
            assertTrue(failure.getMessage().contains("numeracounters"), failure.getMessage());
        }
    }

    private Versioned read() {
        return store().read(id).orElseThrow();
    }

    private WriteResult replace(String version, CounterState state, LedgerAddition ledger) {
        return store().replace(id, version, state, ledger);
    }

    private List<Long> firstNumbers(long from, int limit) {
        return ledger().rowsFrom(id, from, limit).stream().map(LedgerStore.Row::first).toList();
    }

    private List<String> keysOfRow(long number) {
        return ledger().rowsFrom(id, number, 1).get(0).allocations().stream().map(Outcome.Allocation::key).toList();
    }

    private static String won(WriteResult result) {
        String version = assertInstanceOf(WriteResult.Won.class, result).version();
        assertNotNull(version, "The store must tell the version, or every write would need a read.");
        return version;
    }

    private static Reason lost(WriteResult result) {
        return assertInstanceOf(WriteResult.Lost.class, result).reason();
    }

    private static CounterState state(long next) {
        return new CounterState(next, Math.abs(next), 1, "operation " + next, NOW);
    }

    private static FixedFields fixed(long start) {
        return new FixedFields(Guarantee.STRICT, start, 1, false, "never", "UTC", 1);
    }

    private static LedgerAddition allocations(long first, String... keys) {
        return new LedgerAddition(
                LongStream.range(0, keys.length).mapToObj(ordinal -> allocation(keys[(int) ordinal], first + ordinal, 1)).toList(), null);
    }

    private static Outcome.Allocation allocation(String key, long first, int count) {
        return new Outcome.Allocation(key, first, first + count - 1, count, "", TODAY, null, 0, NOW, false);
    }

    private static Outcome.Allocation asStored(Outcome.Allocation given) {
        return new Outcome.Allocation(given.key(), given.first(), given.last(), given.count(), given.period(), given.date(),
                given.firstText(), given.formatRevision(), given.allocatedAt(), true);
    }

    private static <T> List<T> atOnce(List<Callable<T>> tasks) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> task : threads.invokeAll(tasks)) {
                results.add(task.get());
            }
            return results;
        } finally {
            threads.shutdown();
        }
    }
}
