package dev.numera.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.counter.CounterStore;
import dev.numera.core.counter.PeerRequest;
import dev.numera.core.counter.PeerRequests;
import dev.numera.core.counter.RestoredCounters;
import dev.numera.core.counter.Transaction;
import dev.numera.core.counter.WriteLimits;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.format.Revision;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Definition;
import dev.numera.core.model.FixedFields;
import dev.numera.core.model.FormatHistory;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.sequences.SequenceStores;
import dev.numera.sequences.ledger.LedgerFilter;
import dev.numera.sequences.ledger.LedgerPosition;
import dev.numera.sequences.ledger.LedgerStore;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
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

/**
 * The behavior that every store of counters shares, so that a proof with one store holds for the others. Each test uses
 * its own sequence.
 */
abstract class CounterStoreContract {
    private static final Instant NOW = Instant.parse("2026-11-21T10:11:12.123456789Z");
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 21);
    private static final int RIVALS = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Definition DEFINED = new Definition(
            new FixedFields(Guarantee.STRICT, 1, 1, false, ResetEvery.NEVER, ZoneId.of("UTC"), 1), 1, 1_000, 100, null);
    private static final List<Allocation> NOTHING = List.of();

    private final SequenceName sequence = new SequenceName("Contract", "s" + UUID.randomUUID());
    private final CounterId id = new CounterId(sequence, "");

    abstract SequenceStores stores();

    /** Returns stores whose table does not exist. */
    abstract SequenceStores storesWithoutTable();

    @Test
    void readsNothingWhereThereIsNoCounter() {
        assertEquals(Optional.empty(), store().read(id));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 0, -1, 4_000_001_000_000_000_000L, -4_000_001_000_000_000_000L})
    void readsBackTheOpenedAndWrittenCounter(long next) {
        CounterState first = CounterStates.of(next, 0, 1, "first", NOW);
        open(first);
        assertEquals(first, read().value());

        CounterState second = CounterStates.of(
                -next, 8_000_000_000_000_000_000L, NOW.toEpochMilli(), "an operation", NOW.plusNanos(1));
        won(replace(read().version(), second, NOTHING));
        assertEquals(second, read().value());
    }

    @Test
    void everyWriteReturnsANewVersion() {
        open(state(1));
        String version = read().version();
        for (int next = 2; next < 6; next++) {
            String written =
                    won(replace(version, state(next), next % 2 == 0 ? NOTHING : allocations(next - 1L, "key " + next)));
            assertNotEquals(version, written);
            assertEquals(new Versioned<>(state(next), written), read());
            version = written;
        }
    }

    @Test
    void writeOfTheSameStateReturnsANewVersionToo() {
        open(state(1));
        String version = read().version();
        assertNotEquals(version, won(replace(version, state(1), NOTHING)));
    }

    @Test
    void aStaleVersionIsLost() {
        open(state(1));
        String stale = read().version();
        won(replace(stale, state(2), NOTHING));
        Versioned<CounterState> present = read();

        assertEquals(WriteResult.Refused.CHANGED, refused(replace(stale, state(9), NOTHING)));
        assertEquals(WriteResult.Refused.CHANGED, refused(replace(stale, state(9), allocations(1, "key"))));
        assertEquals(present, read());
        assertEquals(Map.of(), find("key"));
    }

    @Test
    void aMissingCounterIsLost() {
        define();
        CounterId other = new CounterId(sequence, "2026");
        String version = won(open(other, state(1), NOTHING));

        assertEquals(WriteResult.Refused.CHANGED, refused(replace(version, state(2), NOTHING)));
        assertEquals(WriteResult.Refused.CHANGED, refused(replace(version, state(2), allocations(1, "key"))));
        assertEquals(Optional.empty(), store().read(id));
    }

    @Test
    void aKeyThatExistsLosesTheWholeWrite() {
        open(state(1));
        String version = won(replace(read().version(), state(2), allocations(1, "old")));

        assertEquals(
                WriteResult.Refused.EXISTS, refused(replace(version, state(5), allocations(2, "new", "old", "newer"))));
        assertEquals(new Versioned<>(state(2), version), read());
        assertEquals(1, find("new", "old", "newer").size());
        assertEquals(1, ledger().rowsFrom(id, 0, 10).size());
    }

    @Test
    void aNumberThatExistsLosesTheWholeWrite() {
        open(state(1));
        String version = won(replace(read().version(), state(2), allocations(1, "old")));

        assertEquals(WriteResult.Refused.EXISTS, refused(replace(version, state(2), allocations(1, "other"))));
        assertEquals(new Versioned<>(state(2), version), read());
        assertEquals(Map.of(), find("other"));
    }

    @Test
    void keysBelongToTheSequenceAndNumbersToThePeriod() {
        open(state(1));
        won(replace(read().version(), state(2), allocations(1, "key")));
        CounterId other = new CounterId(sequence, "2026");
        String version = won(open(other, state(1), NOTHING));

        assertEquals(WriteResult.Refused.EXISTS, refused(write(other, version, state(2), allocations(1, "key"), null)));
        won(write(other, version, state(2), allocations(1, "another"), null));
        assertEquals(Map.of(), find(new SequenceName("Other", sequence.name()), "key"));
    }

    @Test
    void findsKeysOfTheLedgerAndOmitsTheRest() {
        open(state(1));
        Allocation plain = allocation("plain", 1, 1);
        Allocation full = Allocations.of(
                "full",
                -4_000_000_000_000_000_000L,
                -3_990_001_000_000_000_000L,
                10_000,
                "2026-11",
                LocalDate.of(9999, 12, 31),
                "INV-\"ä\"-1",
                3,
                NOW,
                false,
                Status.SIMPLY_ISSUED);
        won(replace(read().version(), state(2), List.of(plain, full)));

        assertEquals(
                Map.of(
                        "plain", Result.of(Allocations.by(asStored(plain), "operation 2")),
                        "full", Result.of(Allocations.by(asStored(full), "operation 2"))),
                find("plain", "none", "full"));
        assertEquals(Map.of(), find("none"));
        assertEquals(Map.of(), find());
    }

    @Test
    void rowsAreInNumberOrderIncludingNegativeNumbers() {
        open(state(-30));
        String version = read().version();
        for (long number : new long[] {-30, -9, -1, 0, 7, 10, 100, 4_000_000_000_000_000_000L}) {
            version = won(replace(version, state(number), allocations(number, "key " + number)));
        }
        assertEquals(List.of(-30L, -9L, -1L, 0L, 7L, 10L, 100L, 4_000_000_000_000_000_000L), firstNumbers(-30, 100));
        assertEquals(List.of(-1L, 0L, 7L), firstNumbers(-8, 3));
    }

    @Test
    void theLastDateIsKeptWhereThereIsOne() {
        open(state(1));
        assertNull(read().value().lastDate());
        CounterState dated = CounterStates.of(2, 1, 1, "operation", NOW, TODAY);
        won(replace(read().version(), dated, NOTHING));
        assertEquals(dated, read().value());
    }

    @Test
    void anAdvanceLeavesARow() {
        open(state(1));
        won(store().write(advancing(1, 50, new ChangeNote("anna", "moved in"))));

        LedgerRow row = ledger().rowsFrom(id, 1, 10).get(0);
        assertTrue(row.isAdvance());
        assertEquals(List.of(1L, 49L), List.of(row.first(), row.last()));
        assertEquals("moved in", row.note().reason());
    }

    /** The counter skipped the numbers 10 to 89, and an import adds 10, 50, 51 and 89. */
    @Test
    void importReplacesRowsOfSkippedNumbers() {
        open(state(10));
        won(store().write(advancing(10, 90, new ChangeNote(null, "moved in"))));
        LedgerRow row = ledger().rowsFrom(id, 1, 10).get(0);
        Transaction write = importing(
                read().version(),
                state(90),
                Change.imported("import", NOW, "anna"),
                List.of(
                        run(null, 10),
                        run(null, 50, 51),
                        run(row.version(), 89),
                        LedgerRow.passed(11, 49, NOW, new ChangeNote(null, "moved in"), null),
                        LedgerRow.passed(52, 88, NOW, new ChangeNote(null, "moved in"), null)));

        won(store().write(write));

        assertEquals(List.of(10L, 11L, 50L, 52L, 89L), firstNumbers(1, 10));
        assertEquals(
                Arrays.asList(null, "moved in", null, "moved in", null),
                ledger().rows(id, 1, 4_000_000_000_000_000_000L, 10).stream()
                        .map(found -> found.note().reason())
                        .toList());
        assertEquals(List.of("old 50", "old 51"), keysOfRow(50));
        assertEquals("import", find("old 51").get("old 51").orThrow().importId());
        assertEquals(WriteResult.Refused.CHANGED, refused(store().write(write)));
        assertEquals(
                List.of(Change.Kind.IMPORTED),
                stores().definitions().changesFrom(sequence, null, 10).items().stream()
                        .map(change -> change.orThrow().kind())
                        .filter(kind -> kind == Change.Kind.IMPORTED)
                        .toList());
    }

    @Test
    void anImportIsOneTransaction() {
        open(state(10));
        won(store().write(advancing(10, 20, ChangeNote.NONE)));
        LedgerRow row = ledger().rowsFrom(id, 1, 10).get(0);
        String version = read().version();
        Change note = Change.imported("import", NOW, null);
        LedgerRow cut = LedgerRow.passed(10, 18, NOW, ChangeNote.NONE, null);
        LedgerRow replacing = run(row.version(), 19);
        LedgerRow stale = LedgerRow.passed(10, 19, NOW, ChangeNote.NONE, "W/\"stale\"");

        assertEquals(
                WriteResult.Refused.CHANGED,
                refused(store().write(importing(version, state(20), note, List.of(cut), stale))));
        assertEquals(
                WriteResult.Refused.CHANGED,
                refused(store().write(importing("W/\"stale\"", state(20), note, List.of(replacing, cut)))));
        assertEquals(
                WriteResult.Refused.EXISTS,
                refused(store().write(importing(version, state(20), note, List.of(run(null, 19))))));
        assertEquals(List.of(10L), firstNumbers(1, 10));
        assertEquals(version, read().version());

        won(store().write(importing(version, state(20), note, List.of(run(null, 18)), row)));
        assertEquals(List.of(18L), firstNumbers(1, 10));
    }

    @Test
    void firstAllocatedNumberIsStored() {
        open(state(1));
        CounterState begun = CounterStates.of(5, 1, 1, "operation", NOW, null, 4L, NOW.minusSeconds(9), -3L);
        won(replace(read().version(), begun, NOTHING));
        assertEquals(begun, read().value());
    }

    private CounterId openRestored(String period, Long restoredFrom) {
        CounterId counter = new CounterId(sequence, period);
        won(open(counter, state(5).restored(restoredFrom), NOTHING));
        return counter;
    }

    private Transaction moving(CounterId counter, String operationId) {
        CounterState after =
                store().read(counter).orElseThrow().value().restored(null).inNewEpoch(105, operationId, NOW);
        Change.Move move = new Change.Move(counter.period(), 5, 105);
        ChangeNote note = new ChangeNote(null, "after a restore");
        return new Transaction(
                counter,
                store().read(counter).orElseThrow().version(),
                after,
                List.of(LedgerRow.passed(5, 104, NOW, note, null)),
                List.of(),
                Change.advanced(move, note, after),
                List.of(),
                definition().version());
    }

    @Test
    void movesOfSeveralCountersHappenTogetherOrNotAtAll() {
        define();
        List<CounterId> days = new ArrayList<>();
        for (int day = 0; day < WriteLimits.MOVES; day++) {
            days.add(openRestored(TODAY.plusDays(day).toString(), 5L));
        }
        List<Transaction> moves = days.stream()
                .map(each -> moving(each, "id of " + each.period()))
                .toList();
        Versioned<CounterState> beaten = store().read(days.get(7)).orElseThrow();
        won(write(days.get(7), beaten.version(), state(6), NOTHING, null));
        assertEquals(WriteResult.Refused.CHANGED, refused(store().writeTogether(moves)));
        assertEquals(5, store().read(days.get(0)).orElseThrow().value().next());

        List<Transaction> others = new ArrayList<>(moves);
        others.remove(7);
        won(store().writeTogether(others));
        others.forEach(move ->
                assertEquals(move.state(), store().read(move.id()).orElseThrow().value()));
        assertEquals(6, store().read(days.get(7)).orElseThrow().value().next());
        assertEquals(1, store().rowsFrom(days.get(1), 0, 10).size());
        assertTrue(definition().isInUse());
        assertEquals(WriteResult.Refused.CHANGED, refused(store().writeTogether(others)));
    }

    @Test
    void movesUnderAnotherDefinitionAreLost() {
        define();
        CounterId day = openRestored(TODAY.toString(), 5L);
        List<Transaction> moves = List.of(moving(day, "an id"));
        won(stores().definitions().mark(sequence, definition().version()));
        assertEquals(WriteResult.Refused.CHANGED, refused(store().writeTogether(moves)));
        assertEquals(5, store().read(day).orElseThrow().value().next());
    }

    @Test
    void restoredCountersAreListedPageByPage() {
        define();
        openRestored("2026-11-01", 5L);
        openRestored("2026-11-02", null);
        CounterId third = openRestored("2026-11-03", 5L);

        RestoredCounters first = store().restored(sequence, "", 2);
        assertEquals(2, first.counters());
        assertEquals(List.of("2026-11-01"), List.copyOf(first.restored().keySet()));
        assertEquals("2026-11-03", first.next());
        RestoredCounters last = store().restored(sequence, "2026-11-03", 2);
        assertEquals(1, last.counters());
        assertEquals(
                Result.of(store().read(third).orElseThrow()), last.restored().get("2026-11-03"));
        assertNull(last.next());
        assertEquals(
                0, store().restored(new SequenceName("Contract", "none"), "", 2).counters());
    }

    private Transaction advancing(long from, long to, ChangeNote note) {
        Change.Move move = new Change.Move("", from, to);
        return new Transaction(
                id,
                read().version(),
                state(to),
                List.of(LedgerRow.passed(from, move.lastPassed(1), NOW, note, null)),
                List.of(),
                Change.advanced(move, note, state(to)),
                List.of(),
                null);
    }

    private Transaction importing(
            String version, CounterState state, Change note, List<LedgerRow> rows, LedgerRow... removed) {
        return new Transaction(id, version, state, rows, List.of(removed), note, List.of(), null);
    }

    private static LedgerRow run(String version, long... numbers) {
        return LedgerRow.of(
                LongStream.of(numbers)
                        .mapToObj(number -> Allocations.of(
                                "old " + number,
                                number,
                                number,
                                1,
                                "",
                                TODAY,
                                null,
                                0,
                                NOW,
                                false,
                                Status.SIMPLY_ISSUED,
                                "import"))
                        .toList(),
                NOW,
                version);
    }

    @Test
    void oneTransactionHolds98Keys() {
        open(state(1));
        List<String> keys =
                IntStream.range(0, 98).mapToObj(ordinal -> "key " + ordinal).toList();

        won(replace(read().version(), state(99), allocations(1, keys.toArray(String[]::new))));

        assertEquals(98, find(keys).size());
        assertEquals(keys, keysOfRow(1));
        keys.forEach(key -> assertEquals(1, find(key).size()));
    }

    /**
     * Quotes and backslashes take two units each, so 51 such keys come close to the 30,000 units that close a group.
     */
    @Test
    void oneRowHolds30000Units() {
        open(state(1));
        List<String> keys = IntStream.range(0, 51)
                .mapToObj(ordinal -> ("\"\\").repeat(126) + (100 + ordinal))
                .toList();
        assertTrue(keys.stream().allMatch(key -> key.length() == 255));

        won(replace(read().version(), state(52), allocations(1, keys.toArray(String[]::new))));

        assertEquals(51, find(keys).size());
        assertEquals(keys, keysOfRow(1));
    }

    @Test
    void keysOfAnyScriptStayApart() {
        open(state(1));
        List<String> keys = List.of(
                "a",
                "A",
                "ä",
                "a\u0308",
                "注文-9001",
                "🧾",
                "🧾".repeat(127),
                "/\\#?%",
                "'",
                "''",
                "null",
                "a b",
                "á",
                "key:a",
                "{\"a\": 1}");
        won(replace(read().version(), state(16), allocations(1, keys.toArray(String[]::new))));

        Map<String, Result<Allocation>> found = find(keys);
        for (int ordinal = 0; ordinal < keys.size(); ordinal++) {
            String key = keys.get(ordinal);
            assertEquals(
                    ordinal + 1,
                    found.get(key).orThrow().first(),
                    () -> key + " in " + key.getBytes(UTF_8).length + " bytes");
        }
        assertEquals(keys, keysOfRow(1));
    }

    @Test
    void anOpeningInsertsTheCounterWithItsLedgerAndMarksTheDefinition() {
        Sequence defined = define();
        String version = won(open(id, state(3), allocations(1, "one", "two")));

        assertEquals(new Versioned<>(state(3), version), read());
        assertEquals(List.of("one", "two"), keysOfRow(1));
        assertEquals(2, find("one", "two").size());
        assertFalse(defined.isInUse());
        assertTrue(definition().isInUse());
    }

    @Test
    void aMarkChangesTheVersionOfTheDefinitionAndNothingElse() {
        FormatHistory formats = new FormatHistory(
                List.of(new Revision("{n}", 1, 7, 1_000), new Revision("INV-{n:6}", 7, 1_000, 1_000)), 0);
        Sequence before = define(Defined.stored(sequence, "an id", DEFINED, formats, false, NOW, null));
        won(open(id, state(1), NOTHING));

        Sequence after = definition();
        assertNotEquals(before.version(), after.version());
        assertEquals(Defined.stored(sequence, "an id", DEFINED, formats, true, NOW, after.version()), after);
    }

    @Test
    void writeToAnExistingCounterCanMarkToo() {
        String version = open(state(1));
        Sequence before = definition();
        won(stores().definitions().replace(unused(before), Defined.change()));
        String unused = definition().version();

        assertEquals(
                WriteResult.Refused.CHANGED,
                refused(write(id, version, state(2), allocations(1, "key"), before.version())));
        assertEquals(
                WriteResult.Refused.CHANGED,
                refused(write(id, "W/\"stale\"", state(2), allocations(1, "key"), unused)));
        assertFalse(definition().isInUse());
        assertEquals(new Versioned<>(state(1), version), read());
        assertEquals(Map.of(), find("key"));

        won(write(id, version, state(2), NOTHING, unused));
        assertTrue(definition().isInUse());
    }

    @Test
    void onlyTheFirstOpens() {
        Sequence defined = define();
        won(open(id, state(1), allocations(7, "first")));
        Versioned<CounterState> opened = read();
        Sequence marked = definition();

        for (String definitionVersion : List.of(defined.version(), marked.version())) {
            assertEquals(
                    WriteResult.Refused.EXISTS,
                    refused(write(id, null, state(77), allocations(8, "second"), definitionVersion)));
        }
        assertEquals(opened, read());
        assertEquals(marked, definition());
        assertEquals(Map.of(), find("second"));
        assertEquals(List.of(7L), firstNumbers(0, 10));
    }

    /**
     * A first number must not be allocated under a definition that changed meanwhile, whichever write lands first,
     * because the answer to the change may have been lost.
     */
    @Test
    void anOpeningUnderAnOlderVersionOfTheDefinitionWritesNothing() {
        Sequence defined = define();
        won(stores().definitions().replace(defined, Defined.change()));
        Sequence changed = definition();

        assertEquals(WriteResult.Refused.CHANGED, refused(write(id, null, state(2), NOTHING, defined.version())));
        assertEquals(
                WriteResult.Refused.CHANGED,
                refused(write(id, null, state(2), allocations(1, "key"), defined.version())));
        assertEquals(Optional.empty(), store().read(id));
        assertEquals(Map.of(), find("key"));
        assertEquals(List.of(), firstNumbers(0, 10));
        assertEquals(changed, definition());
    }

    @Test
    void anOpeningWithoutADefinitionWritesNothing() {
        String version = define().version();
        CounterId other = new CounterId(new SequenceName("Contract", "s" + UUID.randomUUID()), "");
        assertEquals(
                WriteResult.Refused.CHANGED, refused(write(other, null, state(2), allocations(1, "key"), version)));
        assertEquals(Optional.empty(), store().read(other));
    }

    @Test
    void openingWithAnExistingKeyOrNumberWritesNothing() {
        define();
        CounterId other = new CounterId(sequence, "2026");
        won(open(other, state(2), allocations(1, "key")));
        Sequence marked = definition();

        assertEquals(WriteResult.Refused.EXISTS, refused(open(id, state(3), allocations(1, "new", "key"))));
        assertEquals(Optional.empty(), store().read(id));
        assertEquals(Map.of(), find("new"));
        assertEquals(marked, definition());
    }

    @Test
    void oneTransactionHolds97KeysAndAnOpening() {
        define();
        List<String> keys =
                IntStream.range(0, 97).mapToObj(ordinal -> "key " + ordinal).toList();
        won(open(id, state(98), allocations(1, keys.toArray(String[]::new))));
        assertEquals(keys, keysOfRow(1));
        assertEquals(97, find(keys).size());
    }

    /** A writer that plans 98 keys and an opening gets a refusal that is not worth retrying. */
    @Test
    void oneTransactionDoesNotHold98KeysAndAnOpening() {
        define();
        String[] keys =
                IntStream.range(0, 98).mapToObj(ordinal -> "key " + ordinal).toArray(String[]::new);
        assertFalse(assertThrows(StoreFailure.class, () -> open(id, state(99), allocations(1, keys)))
                .isWorthRetrying());
        assertEquals(Optional.empty(), store().read(id));
    }

    @Test
    void ofManyOpeningsUnderOneVersionOneHolds() throws Exception {
        String version = define().version();
        List<Callable<WriteResult>> rivals = new ArrayList<>();
        List<CounterId> periods = new ArrayList<>();
        for (int rival = 0; rival < RIVALS; rival++) {
            CounterId own = new CounterId(sequence, "" + (2026 + rival));
            periods.add(own);
            rivals.add(() -> write(own, null, state(1), NOTHING, version));
        }
        assertEquals(
                1,
                atOnce(rivals).stream()
                        .filter(WriteResult.Won.class::isInstance)
                        .count());
        assertEquals(
                1, periods.stream().filter(own -> store().read(own).isPresent()).count());
    }

    @Test
    void ofAChangeAndAFirstNumberAtOnceOneHolds() throws Exception {
        for (int round = 0; round < RIVALS; round++) {
            Sequence defined = define(new SequenceName("Contract", "s" + UUID.randomUUID()));
            CounterId own = new CounterId(defined.name(), "");
            List<WriteResult> results = atOnce(List.of(
                    () -> stores().definitions().replace(defined, Defined.change()),
                    () -> write(own, null, state(2), NOTHING, defined.version())));
            boolean isOpened = results.get(1) instanceof WriteResult.Won;
            assertNotEquals(isOpened, results.get(0) instanceof WriteResult.Won, results::toString);
            assertEquals(isOpened, store().read(own).isPresent());
            assertEquals(
                    isOpened,
                    stores().definitions().find(own.sequence()).orElseThrow().isInUse());
        }
    }

    @Test
    void ofManyFirstCountersAtOnceOneHolds() throws Exception {
        String version = define().version();
        List<Callable<Versioned<CounterState>>> rivals = new ArrayList<>();
        for (int rival = 0; rival < RIVALS; rival++) {
            CounterState own = state(rival);
            rivals.add(() -> {
                write(id, null, own, NOTHING, version);
                return read();
            });
        }
        assertEquals(1, atOnce(rivals).stream().distinct().count());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ofManyWritesAtOnceOneWins(boolean hasLedger) throws Exception {
        open(state(1));
        String version = read().version();
        List<Callable<WriteResult>> rivals = new ArrayList<>();
        for (int rival = 0; rival < RIVALS; rival++) {
            int own = rival;
            rivals.add(() -> replace(version, state(own), hasLedger ? allocations(own, "key " + own) : NOTHING));
        }
        List<WriteResult> results = atOnce(rivals);
        assertEquals(
                1, results.stream().filter(WriteResult.Won.class::isInstance).count(), results::toString);
        assertEquals(
                RIVALS - 1,
                results.stream().filter(WriteResult.Refused.class::isInstance).count(),
                results::toString);
        int winner = (int) read().value().next();
        assertInstanceOf(WriteResult.Won.class, results.get(winner));
        assertEquals(hasLedger ? 1 : 0, ledger().rowsFrom(id, 0, 100).size());
    }

    /** Filters by the service's time of each write, whatever times the allocations state. */
    @Test
    void findsTheKeysThatWereWrittenSinceATime() {
        open(state(1));
        won(replace(read().version(), state(4), allocations(1, "a", "b", "c")));
        Instant written = ledger().time(sequence);
        assertEquals(List.of("a", "b", "c"), writtenSince(written.minusSeconds(60), TODAY, TODAY));
        assertEquals(List.of(), writtenSince(written.plusSeconds(60), TODAY, TODAY));
        assertEquals(List.of(), writtenSince(written.minusSeconds(60), TODAY.plusDays(1), null));
        assertEquals(List.of(), writtenSince(written.minusSeconds(60), null, TODAY.minusDays(1)));
        assertEquals(List.of("a", "b", "c"), writtenSince(written.minusSeconds(60), null, null));
    }

    private List<String> writtenSince(Instant since, LocalDate from, LocalDate to) {
        return ledger().writtenSince(sequence, since, new LedgerFilter(0, 0, from, to, null), null).items().stream()
                .map(Allocation::key)
                .sorted()
                .toList();
    }

    @Test
    void aMissingTableIsAFailureThatNamesIt() {
        CounterStore store = storesWithoutTable().counters();
        List<Runnable> requests = List.of(
                () -> store.read(id),
                () -> store.write(Transactions.of(id, null, state(1), NOTHING, "W/\"version\"")),
                () -> store.find(sequence, List.of("key"), PATIENCE),
                () -> store.find(sequence, List.of("key", "other"), PATIENCE));
        for (Runnable request : requests) {
            StoreFailure failure = assertThrows(StoreFailure.class, request::run);
            assertTrue(failure.getMessage().contains("numeracounters"), failure.getMessage());
            assertFalse(failure.isWorthRetrying(), failure.getMessage());
        }
    }

    @Test
    void aWriteIntoAMissingTableIsAFailureThatNamesIt() {
        String version = open(state(1));
        CounterStore store = storesWithoutTable().counters();
        for (List<Allocation> ledger : List.of(NOTHING, allocations(1, "key"))) {
            StoreFailure failure = assertThrows(
                    StoreFailure.class, () -> store.write(Transactions.of(id, version, state(2), ledger, null)));
            assertTrue(failure.getMessage().contains("numeracounters"), failure.getMessage());
        }
    }

    private PeerRequests peers() {
        return stores().peers();
    }

    private CounterStore store() {
        return stores().counters();
    }

    private LedgerStore ledger() {
        return stores().ledgers();
    }

    private Sequence definition() {
        return stores().definitions().find(sequence).orElseThrow();
    }

    Sequence define() {
        return define(sequence);
    }

    private Sequence define(SequenceName name) {
        return define(Defined.stored(name, "an id", DEFINED, new FormatHistory(List.of(), 0), false, null, null));
    }

    private Sequence define(Sequence definition) {
        won(stores().definitions().insert(definition, Defined.change()));
        return stores().definitions().find(definition.name()).orElseThrow();
    }

    private static Sequence unused(Sequence definition) {
        return Defined.stored(
                definition.name(),
                definition.id(),
                definition.definition(),
                definition.formats(),
                false,
                definition.retiredAt(),
                definition.version());
    }

    /** Defines the sequence, opens its counter, and returns the counter's version. */
    private String open(CounterState first) {
        define();
        return won(open(id, first, NOTHING));
    }

    void openDefined() {
        won(open(id, state(1), NOTHING));
    }

    private WriteResult open(CounterId own, CounterState first, List<Allocation> ledger) {
        return write(own, null, first, ledger, definition().version());
    }

    private WriteResult replace(String version, CounterState state, List<Allocation> ledger) {
        return write(id, version, state, ledger, null);
    }

    private WriteResult write(
            CounterId own, String version, CounterState state, List<Allocation> ledger, String definitionVersion) {
        return store().write(Transactions.of(own, version, state, ledger, definitionVersion));
    }

    private Versioned<CounterState> read() {
        return store().read(id).orElseThrow();
    }

    private Map<String, Result<Allocation>> find(String... keys) {
        return find(sequence, keys);
    }

    private Map<String, Result<Allocation>> find(SequenceName name, String... keys) {
        return store().find(name, List.of(keys), PATIENCE);
    }

    @Test
    void peerRequestIsFoundAsPostedUntilItIsClosed() {
        PeerRequest take = requesting("process", request("order-1", 2), request(null, 1));
        assertEquals(Optional.empty(), peers().find(id, "process"));
        String version = opened(id, take);
        PeerRequest posted = peers().find(id, "process").orElseThrow();
        assertEquals(take.at(version), posted.openedAt(null));
        assertEquals(List.of(posted), peers().open(id));

        String closed = won(peers().post(id, take.closed().at(version)));
        assertEquals(List.of(), peers().open(id));
        assertEquals(Optional.of(take.closed().at(closed)), peers().find(id, "process"));
    }

    @Test
    void aPostIsRefusedAtAnotherVersion() {
        PeerRequest first = requesting("process", request(null, 1));
        String version = opened(id, first);
        assertEquals(WriteResult.Refused.EXISTS, refused(peers().post(id, first.closed())));
        PeerRequest second = new PeerRequest("process", "second", List.of(request("a", 1), request("b", 1)));
        String changed = won(peers().post(id, second.at(version)));
        assertEquals(
                WriteResult.Refused.CHANGED,
                refused(peers().post(id, first.closed().at(version))));
        assertEquals(
                WriteResult.Refused.CHANGED,
                refused(peers().post(id, requesting("absent").closed().at(version))));
        PeerRequest stored = peers().find(id, "process").orElseThrow();
        assertEquals(second.at(changed), stored.openedAt(null));
    }

    /** An open insert could land late, after the row was removed. */
    @Test
    void peerRequestIsInsertedClosedOnly() {
        PeerRequest take = requesting("process", request(null, 1));
        assertThrows(IllegalArgumentException.class, () -> peers().post(id, take));
        assertEquals(Optional.empty(), peers().find(id, "process"));
        String version = won(peers().post(id, take.closed()));
        assertEquals(List.of(), peers().open(id));
        assertEquals(Optional.of(take.closed().at(version)), peers().find(id, "process"));
    }

    /**
     * Requests are served by age, and the names of instances are random. No store may return another order, which would
     * hide a dependency on names.
     */
    @Test
    void openPeerRequestsAreListedInTheOrderOfTheirNames() {
        for (String process : List.of("b", "c", "a")) {
            posted(requesting(process, request(null, 1)));
        }
        assertEquals(
                List.of("a", "b", "c"),
                peers().open(id).stream().map(PeerRequest::counterName).toList());
    }

    @Test
    void peerRequestKeepsTheTimeAtWhichARowWasFirstOpenedForItsCalls() {
        PeerRequest first = posted(requesting("process", request(null, 1)));
        Instant since = first.openedAt();
        assertNotNull(since);
        String closed = won(peers().post(id, first.closed()));
        assertNull(peers().find(id, "process").orElseThrow().openedAt());

        Instant before = since.minusSeconds(5);
        PeerRequest again = new PeerRequest("process", "again", first.requests()).openedAt(before);
        String version = won(peers().post(id, again.at(closed)));
        assertEquals(before, peers().open(id).get(0).openedAt());
        assertEquals(before, peers().find(id, "process").orElseThrow().openedAt());

        PeerRequest others = new PeerRequest("process", "others", first.requests());
        won(peers().post(id, others.at(version)));
        assertFalse(peers().open(id).get(0).openedAt().isBefore(since), "no age is left of the request before");
    }

    @Test
    void peerRequestIsNoYoungerThanItsRow() {
        Instant future =
                posted(requesting("first", request(null, 1))).openedAt().plus(Duration.ofDays(1));
        PeerRequest wrong = requesting("second", request(null, 1)).openedAt(future);
        opened(id, wrong);
        assertTrue(peers().find(id, "second").orElseThrow().openedAt().isBefore(future));
    }

    @Test
    void peerRequestOfAnotherPeriodIsNotFound() {
        PeerRequest take = requesting("process", request(null, 1));
        CounterId year = new CounterId(sequence, "2026");
        CounterId month = new CounterId(sequence, "2026-01");
        opened(year, take);
        assertEquals(List.of(), peers().open(id));
        assertEquals(List.of(), peers().open(month));
        assertEquals(1, peers().open(year).size());
        assertEquals(Optional.empty(), peers().find(month, "process"));
    }

    @Test
    void peerRequestIsAnsweredWithTheCounterAndTheLedgerOrNotAtAll() {
        String version = open(state(1));
        PeerRequest first = requesting("first", request("order-1", 2), request(null, 1));
        PeerRequest second = requesting("second", request(null, 1));
        PeerRequest one = posted(first);
        PeerRequest other = posted(second);
        List<LedgerRow> rows = Transactions.rows(List.of(allocation("order-1", 1, 2)), state(5));
        List<PeerRequest> answers = List.of(
                one.answered(List.of(allocation("order-1", 1, 2), allocation(null, 3, 1)), state(5)),
                other.answered(List.of(allocation(null, 4, 1)), state(5)));
        Transaction write = new Transaction(id, version, state(5), rows, List.of(), null, answers, null);

        String closed = won(peers().post(id, second.closed().at(other.version())));
        assertEquals(WriteResult.Refused.CHANGED, refused(store().write(write)));
        assertEquals(List.of(one), peers().open(id));
        assertEquals(1, read().value().next());
        assertEquals(Map.of(), find("order-1"));

        won(peers().post(id, second.at(closed)));
        PeerRequest again = peers().find(id, "second").orElseThrow();
        won(store().write(new Transaction(
                id,
                version,
                state(5),
                rows,
                List.of(),
                null,
                List.of(answers.get(0), again.answered(answers.get(1).allocations(), state(5))),
                null)));
        assertEquals(List.of(), peers().open(id));
        PeerRequest answered = peers().find(id, "first").orElseThrow();
        assertEquals(first, new PeerRequest(answered.counterName(), answered.id(), answered.requests()));
        assertEquals(PeerRequest.State.ANSWERED, answered.state());
        assertEquals(answers.get(0).allocations(), answered.allocations());
        assertEquals(state(5), answered.after());
        assertEquals(1, find("order-1").size());
        assertEquals(
                WriteResult.Refused.CHANGED,
                refused(peers().post(id, first.closed().at(one.version()))));
    }

    @Test
    void reservedAndVoidNumbersAreMarkedInNumberOrder() {
        open(state(1));
        List<Allocation> allocated = List.of(
                allocation("a", 1, 2).with(Status.reserved(NOW, null)),
                allocation("b", 3, 1),
                allocation("c", 4, 1).with(Status.reserved(NOW, null)));
        won(replace(read().version(), state(5), allocated));
        assertEquals(List.of("a", "c"), keys(ledger().marked(id, 1, 4)));
        assertEquals(List.of("a"), keys(ledger().marked(id, 2, 3)), "an allocation is marked at its highest number");
        assertEquals(Status.reserved(NOW, null), keyed("a").value().status());
        assertEquals(Status.SIMPLY_ISSUED, keyed("b").value().status());

        Status issued = new Status(Status.Kind.ISSUED, null, "Anna", NOW.plusSeconds(1));
        Status voided = new Status(Status.Kind.VOID, "paid \u20ac 0", null, NOW.plusSeconds(2));
        Versioned<Allocation> before = keyed("a");
        won(ledger().setStatus(sequence, before, issued));
        won(ledger().setStatus(sequence, keyed("b"), voided));
        assertEquals(
                WriteResult.Refused.CHANGED,
                refused(ledger().setStatus(sequence, before, voided)),
                "something was said since");
        assertEquals(
                Allocations.by(asStored(allocated.get(0)).with(issued), "operation 5"),
                keyed("a").value());
        assertEquals(
                List.of(asStored(allocated.get(1)).with(voided), asStored(allocated.get(2))),
                ledger().marked(id, 1, 4));
        assertEquals(
                List.of("b"), keys(ledger().markedFrom(sequence, new LedgerPosition("", -5), Status.Kind.VOID, 10)));
        assertEquals(
                List.of("c"), keys(ledger().markedFrom(sequence, new LedgerPosition("", 4), Status.Kind.RESERVED, 10)));
        won(ledger().setStatus(sequence, keyed("c"), voided));
        assertEquals(List.of("b"), keys(ledger().markedFrom(sequence, new LedgerPosition("", 1), Status.Kind.VOID, 1)));
        assertEquals(List.of("b", "c"), keys(ledger().markedFrom(sequence, null, Status.Kind.VOID, 10)));
        assertEquals(List.of("b", "c"), keys(ledger().marked(id, 3, 4, Status.Kind.VOID, 10)));
        assertEquals(List.of("b"), keys(ledger().marked(id, 3, 4, Status.Kind.VOID, 1)));
        assertEquals(List.of(), keys(ledger().marked(id, 3, 4, Status.Kind.RESERVED, 10)));
        won(ledger().setStatus(sequence, keyed("a"), voided));
        assertEquals(voided, keyed("a").value().status(), "a status without an actor does not keep Anna's");
        assertEquals(5, read().value().next(), "the counter is not touched");
        assertEquals(3, find("a", "b", "c").size());
    }

    @Test
    void eachStatusOfAKeyIsKept() {
        open(state(1));
        Status reserved = Status.reserved(NOW, "anna");
        Status issued = new Status(Status.Kind.ISSUED, null, null, NOW.plusSeconds(1)).after(reserved);
        Status voided = new Status(Status.Kind.VOID, "torn", "ben", NOW.plusSeconds(2)).after(issued);
        won(replace(read().version(), state(2), List.of(allocation("a", 1, 1).with(reserved))));
        won(ledger().setStatus(sequence, keyed("a"), issued));
        assertEquals(issued, keyed("a").value().status());
        won(ledger().setStatus(sequence, keyed("a"), voided));
        assertEquals(voided, keyed("a").value().status());
        assertEquals(
                List.of(reserved, issued, voided), keyed("a").value().status().history());
        assertEquals(voided, ledger().marked(id, 1, 1).get(0).status());
    }

    private Versioned<Allocation> keyed(String key) {
        return ledger().findKey(sequence, key).orElseThrow();
    }

    private static List<String> keys(List<Allocation> allocations) {
        return allocations.stream().map(Allocation::key).toList();
    }

    @Test
    void whoRequestedNumbersIsKeptByKeyAndInNumberOrder() {
        open(state(1));
        List<Allocation> allocated = List.of(
                Allocations.requestedBy(allocation("a", 1, 2).with(Status.reserved(NOW, "J\u00f6rg")), "J\u00f6rg"),
                allocation("b", 3, 1),
                Allocations.requestedBy(allocation("c", 4, 1), "carl"));
        won(replace(read().version(), state(5), allocated));
        won(ledger().setStatus(sequence, keyed("a"), new Status(Status.Kind.VOID, "late", "anna", NOW)));
        assertEquals("J\u00f6rg", keyed("a").value().actor());
        assertEquals("anna", keyed("a").value().status().actor());
        assertNull(keyed("b").value().actor());
        assertEquals(
                Arrays.asList("J\u00f6rg", null, "carl"),
                ledger().rowsFrom(id, 1, 1).get(0).allocations().stream()
                        .map(Allocation::actor)
                        .toList());
        assertEquals("J\u00f6rg", ledger().marked(id, 1, 4).get(0).actor());
        won(store().write(advancing(5, 90, new ChangeNote("ben", "moved in"))));
        assertEquals("ben", ledger().rowsFrom(id, 5, 1).get(0).note().actor());
    }

    @Test
    void peerRequestStatesWhoMakesEachOfItsRequests() {
        String version = open(state(1));
        PeerRequest posted = posted(requesting("first", request("order-1", 1), byAnna("order-2")));
        assertEquals(List.of(posted), peers().open(id));
        List<Allocation> allocated =
                List.of(allocation("order-1", 1, 1), Allocations.requestedBy(allocation("order-2", 2, 1), "anna"));
        List<PeerRequest> answers = List.of(posted.answered(allocated, state(3)));
        won(store().write(new Transaction(
                id, version, state(3), Transactions.rows(allocated, state(3)), List.of(), null, answers, null)));
        PeerRequest answered = peers().find(id, "first").orElseThrow();
        assertEquals(allocated, answered.allocations());
        PeerRequest next = new PeerRequest("first", "next", List.of(request("order-3", 1))).at(answered.version());
        won(peers().post(id, next));
        assertEquals(next.requests(), peers().open(id).get(0).requests(), "no name is left of the request before");
    }

    private static NumberRequest byAnna(String key) {
        return new NumberRequest(key, 1, null, false, "anna").on(TODAY);
    }

    @Test
    void oneTransactionHolds49ReservedKeysAndNotOneMore() {
        open(state(1));
        List<Allocation> allocated = IntStream.range(0, 50)
                .mapToObj(
                        ordinal -> allocation("key " + ordinal, 1 + ordinal, 1).with(Status.reserved(NOW, null)))
                .toList();
        assertThrows(StoreFailure.class, () -> replace(read().version(), state(51), allocated));
        won(replace(read().version(), state(50), allocated.subList(0, 49)));
        assertEquals(49, ledger().marked(id, 1, 50).size());
    }

    @Test
    void peerRequestStatesWhichNumbersToReserve() {
        String version = open(state(1));
        NumberRequest reserved = new NumberRequest("order-1", 2, null, true).on(TODAY);
        PeerRequest take = requesting("first", reserved, request("order-2", 1));
        PeerRequest posted = posted(take);
        assertEquals(List.of(posted), peers().open(id));
        List<Allocation> allocated =
                List.of(allocation("order-1", 1, 2).with(Status.reserved(NOW, null)), allocation("order-2", 3, 1));
        won(store().write(new Transaction(
                id,
                version,
                state(4),
                Transactions.rows(allocated, state(4)),
                List.of(),
                null,
                List.of(posted.answered(allocated, state(4))),
                null)));
        assertEquals(allocated, peers().find(id, "first").orElseThrow().allocations());
        assertEquals(List.of("order-1"), keys(ledger().marked(id, 1, 3)));
    }

    @Test
    void transactionHolds49KeysAnd48OfAPeerRequest() {
        String version = open(state(1));
        List<NumberRequest> requests = IntStream.range(0, 48)
                .mapToObj(ordinal -> request("requested " + ordinal, 1))
                .toList();
        PeerRequest requested = posted(new PeerRequest("process", "id", requests));
        List<Allocation> own = IntStream.range(0, 49)
                .mapToObj(ordinal -> allocation("own " + ordinal, 1 + ordinal, 1))
                .toList();
        List<Allocation> theirs = IntStream.range(0, 48)
                .mapToObj(ordinal -> allocation("requested " + ordinal, 50 + ordinal, 1))
                .toList();
        List<Allocation> all = new ArrayList<>(own);
        all.addAll(theirs);
        won(store().write(new Transaction(
                id,
                version,
                state(98),
                Transactions.rows(all, state(98)),
                List.of(),
                null,
                List.of(requested.answered(theirs, state(98))),
                null)));
        assertEquals(theirs, peers().find(id, "process").orElseThrow().allocations());
    }

    /** Posts an open request and returns the version of its row. */
    private String opened(CounterId counter, PeerRequest take) {
        PeerRequest nothing = new PeerRequest(take.counterName(), "row of " + take.counterName(), List.of());
        String inserted = won(peers().post(counter, nothing.closed()));
        return won(peers().post(counter, take.at(inserted)));
    }

    private PeerRequest posted(PeerRequest take) {
        String version = opened(id, take);
        PeerRequest posted = peers().find(id, take.counterName()).orElseThrow();
        assertEquals(take.at(version), posted.openedAt(null));
        return posted;
    }

    private static PeerRequest requesting(String process, NumberRequest... requests) {
        return new PeerRequest(process, "request of " + process, List.of(requests));
    }

    private static NumberRequest request(String key, int count) {
        return new NumberRequest(key, count, null).on(TODAY);
    }

    private Map<String, Result<Allocation>> find(List<String> keys) {
        return find(keys.toArray(String[]::new));
    }

    private List<Long> firstNumbers(long from, int limit) {
        return ledger().rowsFrom(id, from, limit).stream().map(LedgerRow::first).toList();
    }

    private List<String> keysOfRow(long number) {
        return ledger().rowsFrom(id, number, 1).get(0).allocations().stream()
                .map(Allocation::key)
                .toList();
    }

    private static String won(WriteResult result) {
        String version = assertInstanceOf(WriteResult.Won.class, result).version();
        assertNotNull(version, "The store must return the version, or every write would need a read.");
        return version;
    }

    private static WriteResult.Refused refused(WriteResult result) {
        return assertInstanceOf(WriteResult.Refused.class, result);
    }

    private static CounterState state(long next) {
        return CounterStates.of(next, Math.abs(next), 1, "operation " + next, NOW);
    }

    private static List<Allocation> allocations(long first, String... keys) {
        return LongStream.range(0, keys.length)
                .mapToObj(ordinal -> allocation(keys[(int) ordinal], first + ordinal, 1))
                .toList();
    }

    private static Allocation allocation(String key, long first, int count) {
        return Allocations.of(
                key, first, first + count - 1, count, "", TODAY, null, 0, NOW, false, Status.SIMPLY_ISSUED);
    }

    private static Allocation asStored(Allocation allocated) {
        return Allocations.of(
                allocated.key(),
                allocated.first(),
                allocated.last(),
                allocated.count(),
                allocated.period(),
                allocated.date(),
                allocated.firstText(),
                allocated.formatRevision(),
                allocated.allocatedAt(),
                true,
                allocated.status());
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
