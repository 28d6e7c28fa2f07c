package dev.numera.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.counter.CounterId;
import dev.numera.counter.CounterState;
import dev.numera.counter.CounterWrite;
import dev.numera.counter.FixedFields;
import dev.numera.counter.Guarantee;
import dev.numera.counter.Outcome.LedgerAddition;
import dev.numera.counter.SequenceName;
import dev.numera.counter.WriteResult;
import dev.numera.counter.WriteResult.Reason;
import dev.numera.format.ResetEvery;
import dev.numera.format.Revision;
import dev.numera.sequence.Definition;
import dev.numera.sequence.DefinitionStore;
import dev.numera.sequence.DefinitionStore.IndexRow;
import dev.numera.sequence.DefinitionStore.Page;
import dev.numera.sequence.FormatHistory;
import dev.numera.sequence.Remarks;
import dev.numera.sequence.Sequences;
import dev.numera.sequence.StoredDefinition;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * What every store of definitions does, beside a store of counters over the same rows. Each test has a scope of its
 * own.
 */
abstract class DefinitionStoreContract {
    private static final Instant NOW = Instant.parse("2026-11-21T10:11:12.123456789Z");
    private static final Definition PLAIN = new Definition(
            new FixedFields(Guarantee.STRICT, 1, 1, false, ResetEvery.NEVER, ZoneId.of("UTC"), 1), 1, 1_000, 100, null);
    private static final Definition FULL = new Definition(
            new FixedFields(
                    Guarantee.GAPLESS, -5, -1_000_000_000_000L, false, ResetEvery.YEAR, ZoneId.of("Europe/Berlin"), 4),
            -4_000_000_000_000_000_000L,
            4_000_000_000_000_000_000L,
            7,
            "INV-{fy}-{n:6}",
            30,
            new Remarks("Rechnungen", "ap@example.org", 75));
    private static final FormatHistory FORMATS = new FormatHistory(
            List.of(
                    new Revision("{r:10}", 1, 99, 2_147_483_647L),
                    new Revision("INV-{fy}-{n:6}", -7, 1_000_000, 1_000_000)),
            2);

    private final SequenceName name = new SequenceName("S" + UUID.randomUUID(), "invoice");

    abstract Sequences.Stores stores();

    @Test
    void findsNothingWhereThereIsNoDefinition() {
        assertEquals(Optional.empty(), store().find(name));
        assertEquals(Optional.empty(), store().indexed(name));
        assertEquals(Map.of(), store().counters(name));
    }

    @Test
    void findsWhatWasInsertedWithTheVersionThatWasTold() {
        StoredDefinition plain =
                new StoredDefinition(name, "first id", PLAIN, new FormatHistory(List.of(), 0), false, null, "ignored");
        String version = won(store().insert(plain));
        assertEquals(at(plain, version), find());

        SequenceName other = new SequenceName(name.scope(), "other");
        StoredDefinition full = new StoredDefinition(other, "another id", FULL, FORMATS, true, NOW, null);
        assertEquals(at(full, won(store().insert(full))), store().find(other).orElseThrow());
    }

    @Test
    void onlyTheFirstIsInserted() {
        String version = won(store().insert(definition(PLAIN)));
        assertEquals(Reason.EXISTS, lost(store().insert(definition(FULL))));
        assertEquals(at(definition(PLAIN), version), find());
    }

    @Test
    void oneIsReplacedOnlyAtItsVersionAndAsAWhole() {
        StoredDefinition full = new StoredDefinition(name, "an id", FULL, FORMATS, true, NOW, null);
        String first = won(store().insert(full));
        String second = won(store().replace(at(definition(PLAIN), first)));
        assertNotEquals(first, second);
        assertEquals(at(definition(PLAIN), second), find());

        assertEquals(Reason.CHANGED, lost(store().replace(at(full, first))));
        assertEquals(at(definition(PLAIN), second), find());
    }

    @Test
    void oneThatIsNotThereIsNotReplaced() {
        String version = won(store().insert(definition(PLAIN)));
        SequenceName other = new SequenceName(name.scope(), "other");
        StoredDefinition missing =
                new StoredDefinition(other, "an id", PLAIN, new FormatHistory(List.of(), 0), false, null, version);
        assertEquals(Reason.CHANGED, lost(store().replace(missing)));
        assertEquals(Optional.empty(), store().find(other));
    }

    /** An owner's change that was read before the first number must not take the mark away. */
    @Test
    void whatWasReadBeforeTheFirstNumberDoesNotReplaceWhatIsMarked() {
        won(store().insert(definition(PLAIN)));
        StoredDefinition before = find();
        open("", 2);
        assertEquals(Reason.CHANGED, lost(store().replace(before)));
        assertTrue(find().isInUse());
    }

    @Test
    void tellsTheStatesOfAllCountersByTheirPeriods() {
        won(store().insert(definition(PLAIN)));
        open("2026-12", 7);
        open("", 1);
        open("2026-11", -3);
        assertEquals(Map.of("", state(1), "2026-11", state(-3), "2026-12", state(7)), store().counters(name));
        assertEquals(
                List.of("", "2026-11", "2026-12"),
                List.copyOf(store().counters(name).keySet()));
        assertEquals(List.of("", "2026-11"), periods("", 2));
        assertEquals(List.of("2026-11", "2026-12"), periods("2026-11", 3));
        assertEquals(List.of("2026-12"), periods("2026-11-30", 1));
        assertEquals(List.of(), periods("2027", 1));
        assertEquals(state(7), store().counters(name, "2026-12", 1).get("2026-12"));
        assertEquals(Map.of(), store().counters(new SequenceName(name.scope(), "invoic")));
        assertEquals(Map.of(), store().counters(new SequenceName(name.scope(), "invoices")));
    }

    private List<String> periods(String first, int limit) {
        return List.copyOf(store().counters(name, first, limit).keySet());
    }

    @Test
    void theIndexTakesOneRowForEachSequence() {
        String version = won(store().index(name, "first id"));
        assertEquals(Optional.of(new IndexRow("first id", version)), store().indexed(name));
        assertEquals(Reason.EXISTS, lost(store().index(name, "second id")));
        assertEquals(Optional.of(new IndexRow("first id", version)), store().indexed(name));
        assertEquals(Optional.empty(), store().find(name));
    }

    @Test
    void anIndexRowIsReplacedOnlyAtItsVersion() {
        String first = won(store().index(name, "first id"));
        String second = won(store().reindex(name, "second id", first));
        assertEquals(Reason.CHANGED, lost(store().reindex(name, "third id", first)));
        assertEquals(Optional.of(new IndexRow("second id", second)), store().indexed(name));
    }

    @Test
    void anIndexRowThatIsNotThereIsNotReplaced() {
        String version = won(store().index(name, "an id"));
        SequenceName other = new SequenceName(name.scope(), "other");
        assertEquals(Reason.CHANGED, lost(store().reindex(other, "an id", version)));
        assertEquals(Optional.empty(), store().indexed(other));
    }

    @Test
    void listsTheIndexOfAScopeInOrderAndInPages() {
        List<SequenceName> names = new ArrayList<>();
        for (String each : List.of("a", "B", "c~", "b")) {
            SequenceName own = new SequenceName(name.scope(), each);
            names.add(own);
            won(store().index(own, "an id"));
        }
        won(store().insert(definition(PLAIN)));
        assertEquals(
                List.of("B", "a", "b", "c~"),
                all(next -> store().list(name.scope(), 3, next)).stream()
                        .map(SequenceName::name)
                        .toList());
        assertEquals(List.of(), all(next -> store().list(name.scope() + "x", 3, next)));
        assertTrue(all(next -> store().list(null, 1_000, next)).containsAll(names));
    }

    @Test
    void walksThroughDefinitionsWhetherIndexedOrNot() {
        won(store().insert(definition(PLAIN)));
        SequenceName indexed = new SequenceName(name.scope(), "indexed-alone");
        won(store().index(indexed, "an id"));
        List<SequenceName> walked = all(next -> store().walk(1_000, next));
        assertEquals(1, walked.stream().filter(name::equals).count());
        assertFalse(walked.contains(indexed));
    }

    private List<SequenceName> all(Function<String, Page> pages) {
        List<SequenceName> names = new ArrayList<>();
        String continuation = null;
        do {
            Page page = pages.apply(continuation);
            names.addAll(page.names());
            continuation = page.continuation();
        } while (continuation != null);
        return names;
    }

    private void open(String period, long next) {
        won(stores().counters()
                .write(new CounterWrite(
                        new CounterId(name, period),
                        null,
                        state(next),
                        new LedgerAddition(List.of(), null),
                        find().version())));
    }

    private static CounterState state(long next) {
        return new CounterState(next, 5, 1, "operation", NOW);
    }

    private DefinitionStore store() {
        return stores().definitions();
    }

    private StoredDefinition find() {
        return store().find(name).orElseThrow();
    }

    private StoredDefinition definition(Definition definition) {
        return new StoredDefinition(name, "an id", definition, new FormatHistory(List.of(), 0), false, null, null);
    }

    private static StoredDefinition at(StoredDefinition definition, String version) {
        return new StoredDefinition(
                definition.name(),
                definition.id(),
                definition.definition(),
                definition.formats(),
                definition.isInUse(),
                definition.retiredAt(),
                version);
    }

    private static String won(WriteResult result) {
        String version = assertInstanceOf(WriteResult.Won.class, result).version();
        assertNotNull(version, "The store must tell the version.");
        return version;
    }

    private static Reason lost(WriteResult result) {
        return assertInstanceOf(WriteResult.Lost.class, result).reason();
    }
}
