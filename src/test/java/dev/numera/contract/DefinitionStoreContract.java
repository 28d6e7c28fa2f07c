package dev.numera.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.counter.Transaction;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.format.Revision;
import dev.numera.core.model.Change;
import dev.numera.core.model.Change.FieldChange;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.DateOrder;
import dev.numera.core.model.Definition;
import dev.numera.core.model.FixedFields;
import dev.numera.core.model.FormatHistory;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.KeyForm;
import dev.numera.core.model.KeyPolicy;
import dev.numera.core.model.Page;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.WriteResult;
import dev.numera.sequences.SequenceStores;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.IndexEntry;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * The behavior that every store of definitions shares, with a store of counters over the same rows. Each test uses its
 * own scope.
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
            DateOrder.ASCENDING,
            KeyPolicy.OPTIONAL,
            "Rechnungen",
            "ap@example.org",
            75);
    private static final FormatHistory FORMATS = new FormatHistory(
            List.of(
                    new Revision("X{n:10}", 1, 99, 2_147_483_647L),
                    new Revision("INV-{fy}-{n:6}", -7, 1_000_000, 1_000_000)),
            2);

    private final SequenceName name = new SequenceName("S" + UUID.randomUUID(), "invoice");

    abstract SequenceStores stores();

    @Test
    void findsNothingWhereThereIsNoDefinition() {
        assertEquals(Optional.empty(), store().find(name));
        assertEquals(Optional.empty(), store().indexed(name));
        assertEquals(Set.of(), store().periods(name));
        assertEquals(Map.of(), store().counters(name, "", 1));
    }

    @Test
    void findsTheInsertedDefinitionWithTheReturnedVersion() {
        Sequence plain =
                Defined.stored(name, "first id", PLAIN, new FormatHistory(List.of(), 0), false, null, "ignored");
        String version = won(store().insert(plain, Defined.change()));
        assertEquals(at(plain, version), find());

        SequenceName other = new SequenceName(name.scope(), "other");
        Sequence full = Defined.stored(other, "another id", FULL, FORMATS, true, NOW, null);
        assertEquals(
                at(full, won(store().insert(full, Defined.change()))),
                store().find(other).orElseThrow());
    }

    @Test
    void onlyTheFirstIsInserted() {
        String version = won(store().insert(definition(PLAIN), Defined.change()));
        assertEquals(WriteResult.Refused.EXISTS, refused(store().insert(definition(FULL), Defined.change())));
        assertEquals(at(definition(PLAIN), version), find());
    }

    @Test
    void definitionIsReplacedOnlyAtItsVersionAndCompletely() {
        Sequence full = Defined.stored(name, "an id", FULL, FORMATS, true, NOW, null);
        String first = won(store().insert(full, Defined.change()));
        String second = won(store().replace(at(definition(PLAIN), first), Defined.change()));
        assertNotEquals(first, second);
        assertEquals(at(definition(PLAIN), second), find());

        assertEquals(WriteResult.Refused.CHANGED, refused(store().replace(at(full, first), Defined.change())));
        assertEquals(at(definition(PLAIN), second), find());
    }

    @Test
    void missingDefinitionIsNotReplaced() {
        String version = won(store().insert(definition(PLAIN), Defined.change()));
        SequenceName other = new SequenceName(name.scope(), "other");
        Sequence missing = Defined.stored(other, "an id", PLAIN, new FormatHistory(List.of(), 0), false, null, version);
        assertEquals(WriteResult.Refused.CHANGED, refused(store().replace(missing, Defined.change())));
        assertEquals(Optional.empty(), store().find(other));
    }

    /** An owner's change that was read before the first number must not remove the mark of use. */
    @Test
    void definitionReadBeforeTheFirstNumberReplacesNoMarkedOne() {
        won(store().insert(definition(PLAIN), Defined.change()));
        Sequence before = find();
        open("", 2);
        assertEquals(WriteResult.Refused.CHANGED, refused(store().replace(before, Defined.change())));
        assertTrue(find().isInUse());
    }

    @Test
    void changeRowIsWrittenWithItsChangeOrNotAtAll() {
        Change created = change("1", Change.Kind.CREATED, List.of(new FieldChange("start", null, 1L)), null);
        Change changed = change(
                "2",
                Change.Kind.CHANGED,
                List.of(
                        new FieldChange("format", "A{n}", null),
                        new FieldChange("cycle", false, true),
                        new FieldChange("maxValue", 9L, 4_000_000_000_000_000_000L)),
                null);
        String first = won(store().insert(definition(PLAIN), created));
        assertEquals(
                WriteResult.Refused.EXISTS,
                refused(store().insert(definition(PLAIN), change("3", Change.Kind.CREATED, List.of(), null))));
        won(store().replace(at(definition(PLAIN), first), changed));
        assertEquals(
                WriteResult.Refused.CHANGED,
                refused(store().replace(
                                at(definition(PLAIN), first), change("4", Change.Kind.CHANGED, List.of(), null))));
        assertEquals(List.of(created, changed), changesFrom(name, null, 10));
    }

    @Test
    void changesAreReadInTheOrderOfTimeFromAnyOneOn() {
        String version = won(store().insert(definition(PLAIN), Defined.change()));
        List<Change> changes = new ArrayList<>(changesFrom(name, null, 10));
        // Times with different numbers of fraction digits still sort by time.
        for (String at : List.of("2026-11-21T10:11:13Z", "2026-11-21T10:11:12.9Z", "2026-11-21T10:11:12.123456789Z")) {
            Change change = new Change(
                    new Change.Position(Instant.parse(at), "id"),
                    Change.Kind.RETIRED,
                    new ChangeNote("anna", "no longer used"),
                    List.of(),
                    null);
            version = won(store().replace(at(definition(PLAIN), version), change));
            changes.add(1, change);
        }
        assertEquals(changes, changesFrom(name, null, 10));
        assertEquals(changes.subList(2, 4), changesFrom(name, changes.get(2).position(), 10));
        assertEquals(changes.subList(1, 3), changesFrom(name, changes.get(1).position(), 2));
        assertEquals(
                changes.get(3).position(),
                store().changesFrom(name, changes.get(1).position(), 2).next());
        assertNull(store().changesFrom(name, changes.get(1).position(), 3).next());
        assertEquals(List.of(), changesFrom(new SequenceName(name.scope(), "invoices"), null, 10));
    }

    @Test
    void closingsAreReadWithoutTheChangesBetweenThem() {
        won(store().insert(definition(PLAIN), Defined.change()));
        List<Change> closings = List.of(
                change("1", Change.Kind.CLOSED, List.of(new FieldChange("dateFrom", null, "2026-11-01")), null),
                change("3", Change.Kind.CLOSED, List.of(new FieldChange("gap:missing", 4L, 5L)), null));
        assertInstanceOf(WriteResult.Won.class, store().keep(name, closings.get(0)));
        assertInstanceOf(WriteResult.Won.class, store().keep(name, change("2", Change.Kind.IMPORTED, List.of(), null)));
        assertInstanceOf(WriteResult.Won.class, store().keep(name, closings.get(1)));
        assertEquals(
                closings,
                store().closingsFrom(name, null, 10).items().stream()
                        .map(Result::orThrow)
                        .toList());
        Change.Position next = store().closingsFrom(name, null, 1).next();
        assertEquals(closings.get(1).position(), next);
        assertEquals(
                closings.get(1),
                store().closingsFrom(name, next, 1).items().get(0).orThrow());
        assertNull(store().closingsFrom(name, next, 1).next());
    }

    @Test
    void actorOfAnAdvanceIsStored() {
        won(store().insert(definition(PLAIN), Defined.change()));
        open("2026", 7);
        ChangeNote note = new ChangeNote("anna", "moved in");
        CounterId id = new CounterId(name, "2026");
        Versioned<CounterState> present = stores().counters().read(id).orElseThrow();
        Transaction write = new Transaction(
                id,
                present.version(),
                state(50),
                List.of(),
                List.of(),
                Change.advanced(new Change.Move("2026", 7, 50), note, state(50)),
                List.of(),
                null);
        won(stores().counters().write(write));
        assertEquals(WriteResult.Refused.CHANGED, refused(stores().counters().write(write)));
        Change advanced = new Change(
                new Change.Position(NOW, "operation"),
                Change.Kind.ADVANCED,
                note,
                List.of(),
                new Change.Move("2026", 7, 50));
        List<Change> changes = changesFrom(name, null, 10);
        assertEquals(2, changes.size());
        assertEquals(advanced, changes.get(1));
    }

    private static Change change(String id, Change.Kind kind, List<FieldChange> fields, Change.Move move) {
        return new Change(new Change.Position(NOW, id), kind, ChangeNote.NONE, fields, move);
    }

    @Test
    void listsTheStatesOfAllCountersByPeriod() {
        won(store().insert(definition(PLAIN), Defined.change()));
        open("2026-12", 7);
        open("", 1);
        open("2026-11", -3);
        assertEquals(
                Map.of("", Result.of(state(1)), "2026-11", Result.of(state(-3)), "2026-12", Result.of(state(7))),
                store().counters(name, "", 10));
        assertEquals(Set.of("", "2026-11", "2026-12"), store().periods(name));
        assertEquals(List.of("", "2026-11", "2026-12"), periods("", 3));
        assertEquals(List.of("", "2026-11"), periods("", 2));
        assertEquals(List.of("2026-11", "2026-12"), periods("2026-11", 3));
        assertEquals(List.of("2026-12"), periods("2026-11-30", 1));
        assertEquals(List.of(), periods("2027", 1));
        assertEquals(Result.of(state(7)), store().counters(name, "2026-12", 1).get("2026-12"));
        assertEquals(Set.of(), store().periods(new SequenceName(name.scope(), "invoic")));
        assertEquals(Set.of(), store().periods(new SequenceName(name.scope(), "invoices")));
    }

    private List<String> periods(String first, int limit) {
        return List.copyOf(store().counters(name, first, limit).keySet());
    }

    @Test
    void theIndexTakesOneRowForEachSequence() {
        String version = won(store().index(name, "first id"));
        assertEquals(Optional.of(new Versioned<>("first id", version)), store().indexed(name));
        assertEquals(WriteResult.Refused.EXISTS, refused(store().index(name, "second id")));
        assertEquals(Optional.of(new Versioned<>("first id", version)), store().indexed(name));
        assertEquals(Optional.empty(), store().find(name));
    }

    @Test
    void anIndexRowIsReplacedOnlyAtItsVersion() {
        String first = won(store().index(name, "first id"));
        String second = won(store().reindex(name, "second id", first));
        assertEquals(WriteResult.Refused.CHANGED, refused(store().reindex(name, "third id", first)));
        assertEquals(Optional.of(new Versioned<>("second id", second)), store().indexed(name));
    }

    @Test
    void theNoteInAnIndexRowKeepsTheIdAndIsWrittenOnlyAtItsVersion() {
        String first = won(store().index(name, "an id"));
        assertFalse(listed().mayBeUnused());
        String second = won(store().noteUnused(name, first));
        assertEquals(WriteResult.Refused.CHANGED, refused(store().noteUnused(name, first)));
        assertEquals(Optional.of(new Versioned<>("an id", second)), store().indexed(name));
        assertTrue(listed().mayBeUnused());
        assertEquals(
                WriteResult.Refused.CHANGED,
                refused(store().noteUnused(new SequenceName(name.scope(), "other"), second)));
    }

    private IndexEntry listed() {
        return store().list(name.scope(), 10, null).items().get(0);
    }

    @Test
    void missingIndexRowIsNotReplaced() {
        String version = won(store().index(name, "an id"));
        SequenceName other = new SequenceName(name.scope(), "other");
        assertEquals(WriteResult.Refused.CHANGED, refused(store().reindex(other, "an id", version)));
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
        won(store().insert(definition(PLAIN), Defined.change()));
        assertEquals(
                List.of("B", "a", "b", "c~"),
                all(next -> names(store().list(name.scope(), 3, next))).stream()
                        .map(SequenceName::name)
                        .toList());
        assertEquals(List.of(), all(next -> names(store().list(name.scope() + "x", 3, next))));
        assertTrue(all(next -> names(store().list(null, 1_000, next))).containsAll(names));
    }

    @Test
    void walksThroughDefinitionsWhetherIndexedOrNot() {
        won(store().insert(definition(PLAIN), Defined.change()));
        SequenceName indexed = new SequenceName(name.scope(), "indexed-alone");
        won(store().index(indexed, "an id"));
        List<SequenceName> walked = all(next -> {
            Page<Result<SequenceName>, String> page = store().walk(1_000, next);
            return new Page<>(page.items().stream().map(Result::orThrow).toList(), page.next());
        });
        assertEquals(1, walked.stream().filter(name::equals).count());
        assertFalse(walked.contains(indexed));
    }

    @Test
    void definitionIsMarkedAsInUseOnlyAtItsVersion() {
        String first = won(store().insert(definition(FULL), Defined.change()));
        String second = won(store().mark(name, first));
        assertEquals(Defined.stored(name, "an id", FULL, definition(FULL).formats(), true, null, second), find());
        assertEquals(WriteResult.Refused.CHANGED, refused(store().mark(name, first)));
        assertEquals(
                WriteResult.Refused.CHANGED, refused(store().mark(new SequenceName(name.scope(), "other"), second)));
        assertEquals(
                WriteResult.Refused.CHANGED, refused(store().replace(at(definition(FULL), first), Defined.change())));
    }

    @Test
    void theFormOfKeysIsSetOnlyAtItsVersionAndRaisesTheFeatureLevel() {
        String first = won(store().insert(definition(FULL), Defined.change()));
        assertEquals(KeyForm.AS_SENT, find().keyForm());
        String second = won(store().setKeyForm(at(definition(FULL), first).withKeyForm(KeyForm.BECOMING_NFC)));
        assertEquals(at(definition(FULL), second).withKeyForm(KeyForm.BECOMING_NFC), find());
        assertEquals(5, find().needs());
        assertEquals(
                WriteResult.Refused.CHANGED,
                refused(store().setKeyForm(at(definition(FULL), first).withKeyForm(KeyForm.NFC))));
        String third = won(store().mark(name, won(store().setKeyForm(find().withKeyForm(KeyForm.NFC)))));
        assertEquals(KeyForm.NFC, find().keyForm(), "a mark leaves it");
        won(store().replace(find().retired(Instant.parse("2026-11-21T10:11:12Z")), Defined.change()));
        assertEquals(KeyForm.NFC, find().keyForm(), "so does its owner's change of version " + third);
    }

    private static Page<SequenceName, String> names(Page<IndexEntry, String> page) {
        assertTrue(page.items().stream().allMatch(row -> row.problem() == null));
        return new Page<>(
                page.items().stream()
                        .map(row -> new SequenceName(row.scope(), row.name()))
                        .toList(),
                page.next());
    }

    private List<SequenceName> all(Function<String, Page<SequenceName, String>> pages) {
        List<SequenceName> names = new ArrayList<>();
        String continuation = null;
        do {
            Page<SequenceName, String> page = pages.apply(continuation);
            names.addAll(page.items());
            continuation = page.next();
        } while (continuation != null);
        return names;
    }

    private void open(String period, long next) {
        won(stores().counters()
                .write(Transactions.of(new CounterId(name, period), null, state(next), List.of(), find().version())));
    }

    private static CounterState state(long next) {
        return CounterStates.of(next, 5, 1, "operation", NOW);
    }

    private List<Change> changesFrom(SequenceName sequence, Change.Position first, int limit) {
        return store().changesFrom(sequence, first, limit).items().stream()
                .map(Result::orThrow)
                .toList();
    }

    private DefinitionStore store() {
        return stores().definitions();
    }

    private Sequence find() {
        return store().find(name).orElseThrow();
    }

    private Sequence definition(Definition definition) {
        FormatHistory formats = definition.format() == null ? new FormatHistory(List.of(), 0) : FORMATS;
        return Defined.stored(name, "an id", definition, formats, false, null, null);
    }

    private static Sequence at(Sequence definition, String version) {
        return Defined.stored(
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
        assertNotNull(version, "The store must return the version.");
        return version;
    }

    private static WriteResult.Refused refused(WriteResult result) {
        return assertInstanceOf(WriteResult.Refused.class, result);
    }
}
