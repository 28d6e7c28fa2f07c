package dev.numera.sequences.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.Allocations;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.contract.Transactions;
import dev.numera.core.counter.CounterStore;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.KeyForm;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.definition.Precondition;
import dev.numera.sequences.ledger.LedgerFilter;
import dev.numera.sequences.ledger.LedgerLine;
import dev.numera.sequences.ledger.LedgerStore;
import dev.numera.sequences.ledger.UnsentStatusChanges;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One key in several Unicode forms, over ledgers of this version and of earlier ones, which stored keys as sent. */
class KeyFormsTest {
    private static final SequenceName NAME = new SequenceName("shop", "invoice");
    private static final CounterId COUNTER = new CounterId(NAME, "");
    private static final LocalDate DAY = LocalDate.of(2026, 11, 21);
    private static final String COMPOSED = "M\u00fcller-\u00e9";
    private static final String DECOMPOSED = "Mu\u0308ller-e\u0301";
    /** A key that is neither NFC nor NFD, as when a program joins two strings of different forms. */
    private static final String MIXED = "M\u00fcller-e\u0301";

    private final MemoryCounterStore table = new MemoryCounterStore();
    private final TestClock clock = TestClock.alone();
    private final List<String> requests = new ArrayList<>();
    private final Sequences sequences = instance();

    private Sequences instance() {
        return TestSequences.over(table)
                .with(logged(CounterStore.class, table))
                .with(logged(DefinitionStore.class, table))
                .with(logged(LedgerStore.class, table))
                .with(clock)
                .start();
    }

    private <T> T logged(Class<T> seam, T store) {
        return ForwardingStore.over(seam, store, request -> {
            requests.add(request.name());
            return request.forward();
        });
    }

    private static List<Result<PrintedAllocation>> next(Sequences instance, String... keys) {
        List<NumberRequest> requests = NumberRequest.ofEach(List.of(keys), 1, null, false);
        List<Result<PrintedAllocation>> results = new ArrayList<>();
        while (results.size() < requests.size()) {
            results.addAll(instance.allocator()
                    .next(NAME, requests.subList(results.size(), requests.size()))
                    .results());
        }
        return results;
    }

    private static PrintedAllocation only(Sequences instance, String key) {
        return next(instance, key).get(0).orThrow();
    }

    private List<Long> firsts(String... keys) {
        return next(sequences, keys).stream()
                .map(result -> result.orThrow().first())
                .toList();
    }

    private KeyForm keyForm() {
        return table.find(NAME).orElseThrow().keyForm();
    }

    /** Writes as an instance of an earlier version does, from a state that it read before. */
    private WriteResult storedAsSent(String key, Versioned<CounterState> base) {
        long number = base.value().next();
        CounterState after = base.value()
                .allocated(number, number + 1, base.value().allocated() + 1, null, "earlier-" + number, clock.now());
        return table.write(Transactions.of(
                COUNTER,
                base.version(),
                after,
                List.of(Allocations.of(
                        key, number, number, 1, "", DAY, null, 0, clock.now(), false, Status.SIMPLY_ISSUED)),
                null));
    }

    private void storedAsSent(String... keys) {
        only(sequences, "first");
        for (String key : keys) {
            assertTrue(storedAsSent(key, counter()).isWon());
        }
        requests.clear();
    }

    private Versioned<CounterState> counter() {
        return table.read(COUNTER).orElseThrow();
    }

    /** The instance has cached the definition from before the change to one without keys. */
    @Test
    void aReplacedDefinitionWithoutKeysRefusesThem() {
        sequences.editor().put(NAME, DefinitionDraft.EMPTY, Precondition.ABSENT, ChangeNote.NONE);
        sequences.allocator().preview(NAME, List.of(new NumberRequest("x", 1, null)), clock.now());
        DefinitionDraft cached = DefinitionDraft.EMPTY.with(DefinitionField.GUARANTEE, Guarantee.CACHED);
        instance().editor().put(NAME, cached, Precondition.PRESENT, ChangeNote.NONE);

        ProblemException refused = assertThrows(ProblemException.class, () -> only(sequences, COMPOSED));

        assertEquals(ProblemType.KEY_REFUSED, refused.type());
        assertEquals(KeyForm.AS_SENT, keyForm());
    }

    @Test
    void formsOfOneKeyGetOneNumber() {
        assertEquals(List.of(1L, 1L, 1L, 2L), firsts(DECOMPOSED, COMPOSED, MIXED, "Muller-e"));
        PrintedAllocation again = only(instance(), COMPOSED);
        assertEquals(1, again.first());
        assertTrue(again.replayed());
        assertEquals(Optional.of(COMPOSED), sequences.ledger().find(NAME, MIXED).map(LedgerLine::key));
    }

    @Test
    void callersGetTheKeyInTheFormInWhichTheySentIt() {
        assertEquals(COMPOSED, only(sequences, COMPOSED).key());
        assertEquals(DECOMPOSED, only(sequences, DECOMPOSED).key());
        assertEquals(
                MIXED,
                sequences
                        .allocator()
                        .preview(NAME, List.of(new NumberRequest(MIXED, 1, null)), clock.now())
                        .get(0)
                        .orThrow()
                        .key());
    }

    @ParameterizedTest
    @ValueSource(strings = {COMPOSED, DECOMPOSED})
    void aKeyThatAnEarlierVersionStoredKeepsItsNumber(String stored) {
        storedAsSent(stored);
        assertEquals(List.of(2L, 2L, 2L), firsts(DECOMPOSED, COMPOSED, MIXED));
        assertEquals(Optional.of(stored), sequences.ledger().find(NAME, MIXED).map(LedgerLine::key));
    }

    @Test
    void aKeyThatWasStoredInNeitherFormIsFoundByItsOwn() {
        storedAsSent(MIXED);
        assertEquals(List.of(2L), firsts(MIXED));
    }

    @Test
    void twoFormsThatAnEarlierVersionStoredKeepTheirNumbers() {
        storedAsSent(DECOMPOSED, COMPOSED);
        assertEquals(List.of(2L, 3L, 3L), firsts(DECOMPOSED, COMPOSED, MIXED));
        assertEquals(List.of(3L, 2L), firsts(COMPOSED, DECOMPOSED));
        assertEquals(2L, sequences.ledger().find(NAME, DECOMPOSED).orElseThrow().first());
        assertEquals(3L, sequences.ledger().find(NAME, MIXED).orElseThrow().first());
    }

    @Test
    void aKeyOfOneFormCostsNoRequestMore() {
        only(sequences, "order-1");
        requests.clear();
        for (String key : List.of("order-2", "a\u00a0b\u00bf", "\u6ce8\u6587-3", "\u0437\u0430\u043a\u0430\u0437")) {
            only(sequences, key);
        }
        assertEquals(List.of("write", "write", "write", "write"), requests);
        assertEquals(KeyForm.AS_SENT, keyForm());
        assertEquals(1, table.find(NAME).orElseThrow().needs());
    }

    @Test
    void otherFormsAreLookedUpOnceAndTheDefinitionIsRaisedOnce() {
        storedAsSent();
        only(sequences, COMPOSED);
        assertEquals(5, table.find(NAME).orElseThrow().needs());
        requests.clear();
        only(sequences, "\u00fc");
        assertEquals(List.of("find", "write"), requests);
    }

    @Test
    void aSequenceThatWasNeverUsedNeedsNoNewEpoch() {
        only(sequences, COMPOSED);
        assertEquals(KeyForm.NFC, keyForm());
        assertEquals(1, requests.stream().filter("setKeyForm"::equals).count());
        assertFalse(requests.contains("periods"));
    }

    /** An instance of an earlier version has read the counter and the definition before the change to NFC. */
    @Test
    void noEarlierVersionStoresAnotherFormMeanwhile() {
        only(sequences, "first");
        List<Boolean> wonByEarlier = new ArrayList<>();
        Versioned<CounterState> before = counter();
        CounterStore beside = ForwardingStore.over(CounterStore.class, table, request -> {
            if (request.name().equals("find")) {
                assertEquals(5, table.find(NAME).orElseThrow().needs(), "whoever reads the definition stops");
                assertTrue(counter().value().epoch() > before.value().epoch(), "whoever reads the counter reads it");
                Object found = request.forward();
                wonByEarlier.add(storedAsSent(DECOMPOSED, before).isWon());
                return found;
            }
            return request.forward();
        });
        Sequences present = TestSequences.over(table).with(beside).with(clock).start();
        assertEquals(2, only(present, COMPOSED).first());
        assertEquals(List.of(false), wonByEarlier);
        assertEquals(List.of(2L), firsts(DECOMPOSED));
    }

    @Test
    void whatAnEarlierVersionStoredJustBeforeIsFound() {
        only(sequences, "first");
        DefinitionStore beside = ForwardingStore.over(DefinitionStore.class, table, request -> {
            Object result = request.forward();
            if (request.name().equals("setKeyForm") && keyForm() == KeyForm.BECOMING_NFC) {
                assertTrue(storedAsSent(DECOMPOSED, counter()).isWon());
            }
            return result;
        });
        Sequences present = TestSequences.over(table).with(beside).with(clock).start();
        assertEquals(2, only(present, COMPOSED).first());
    }

    @Test
    void eachPeriodGetsANewEpoch() {
        sequences
                .editor()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.RESET_EVERY, ResetEvery.YEAR)
                                .with(DefinitionField.TIME_ZONE, "UTC"),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
        for (int year = 2025; year <= 2027; year++) {
            sequences.allocator().next(NAME, List.of(new NumberRequest("of " + year, 1, LocalDate.of(year, 1, 1))));
        }
        var before = table.counters(NAME);
        int changes = table.changesFrom(NAME, null, 100).items().size();
        only(sequences, COMPOSED);
        table.counters(NAME)
                .forEach((period, state) ->
                        assertTrue(state.epoch() > before.get(period).epoch(), period));
        assertEquals(
                List.of(2L, 3L, 2L),
                table.counters(NAME).values().stream().map(CounterState::next).toList());
        assertEquals(changes, table.changesFrom(NAME, null, 100).items().size(), "its owner changed nothing");
    }

    @Test
    void anInstanceThatDiedInTheMiddleLeavesTheRestToTheNext() {
        only(sequences, "first");
        DefinitionStore dying = ForwardingStore.over(DefinitionStore.class, table, request -> {
            if (request.name().equals("periods")) {
                throw new StoreFailure("It died.", false, null);
            }
            return request.forward();
        });
        Sequences died = TestSequences.over(table).with(dying).with(clock).start();
        assertThrows(ProblemException.class, () -> only(died, COMPOSED));
        assertEquals(KeyForm.BECOMING_NFC, keyForm());
        assertEquals(5, table.find(NAME).orElseThrow().needs());
        assertEquals(1, only(sequences, "first").first(), "keys of one form need not wait");
        long epoch = counter().value().epoch();
        assertEquals(2, only(sequences, COMPOSED).first());
        assertTrue(counter().value().epoch() > epoch);
        assertEquals(KeyForm.NFC, keyForm());
    }

    @Test
    void aSuspendedSequenceKnowsItsKeysInEachForm() {
        storedAsSent(DECOMPOSED);
        sequences.lifecycle().suspend(NAME, ChangeNote.NONE);
        assertEquals(2, only(sequences, COMPOSED).first());
        assertEquals(
                ProblemType.SUSPENDED,
                next(sequences, "\u00fc").get(0).refusal().type());
        assertEquals(KeyForm.AS_SENT, keyForm());
    }

    @Test
    void statusAndFiltersKnowEachForm() {
        storedAsSent(DECOMPOSED, "Mu\u0308ller-2");
        only(sequences, "M\u00fcller-3");
        assertEquals(
                Status.Kind.VOID,
                UnsentStatusChanges.makeVoid(sequences.statusChanges(), NAME, COMPOSED, "misprint", null)
                        .status()
                        .kind());
        for (String prefix : List.of("M\u00fcller-", "Mu\u0308ller-")) {
            LedgerFilter wanted = new LedgerFilter(1, 100, null, null, prefix);
            assertEquals(
                    List.of(2L, 3L, 4L),
                    sequences.ledger().read(NAME, wanted, null, null, 100).items().stream()
                            .map(LedgerLine::first)
                            .toList());
        }
        assertEquals(
                List.of(2L),
                sequences.search().find(null, MIXED, 10, null).hits().stream()
                        .map(hit -> hit.entry().first())
                        .toList());
    }

    @Test
    void aKeyWithAnInvisibleEndIsKnownWhereAnEarlierVersionStoredIt() {
        storedAsSent("order\u200b");
        assertEquals(
                Status.Kind.VOID,
                UnsentStatusChanges.makeVoid(sequences.statusChanges(), NAME, "order\u200b", "misprint", null)
                        .status()
                        .kind());
        assertEquals(
                1, sequences.search().find(null, "order\u200b", 10, null).hits().size());
        ProblemException refused = assertThrows(
                ProblemException.class,
                () -> UnsentStatusChanges.makeVoid(sequences.statusChanges(), NAME, "other\u200b", "misprint", null));
        assertEquals(ProblemType.INVALID_REQUEST, refused.type());
    }

    @Test
    void anImportedKeyIsOneKeyInEachForm() {
        storedAsSent(DECOMPOSED);
        Change change = Change.imported("import", Instant.parse("2026-11-21T09:00:00Z"), null);
        List<Result<PrintedAllocation>> brought = sequences
                .imports()
                .importNumbers(
                        NAME, List.of(old(COMPOSED, 2), old(MIXED, 3), old("\u00e4", 50), old("a\u0308", 50)), change);
        assertTrue(brought.get(0).orThrow().replayed());
        assertEquals(ProblemType.KEY_REUSED, brought.get(1).refusal().type());
        assertFalse(brought.get(2).orThrow().replayed());
        assertTrue(brought.get(3).orThrow().replayed());
        assertEquals(List.of(50L, 50L), firsts("a\u0308", "\u00e4"));
        SortedSet<String> periods = table.periods(NAME);
        assertEquals(1, periods.size());
    }

    private static ImportedNumber old(String key, long number) {
        return new ImportedNumber(key, number, null, null, Status.Kind.ISSUED, null);
    }
}
