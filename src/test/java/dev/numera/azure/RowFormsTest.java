package dev.numera.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.models.TableEntity;
import dev.numera.core.counter.PeerRequest;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Definition;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.PassingImport;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.retry.StoreFailure;
import dev.numera.sequences.ledger.LedgerPosition;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every value written to a row is read back unchanged, and the columns have the names in docs/tables.md. */
class RowFormsTest {
    private static final SequenceName NAME = new SequenceName("App1", "order");
    private static final CounterId ID = new CounterId(NAME, "2026");
    private static final LocalDate DATE = LocalDate.of(2026, 11, 24);
    private static final Instant AT = Instant.parse("2026-11-24T09:30:00.123456Z");
    private static final Instant LATER = Instant.parse("2026-11-25T09:30:00Z");
    private static final String PARTITION = "App1:order";
    private static final Status VOID = new Status(Status.Kind.VOID, "torn", "anna", LATER);

    @Test
    void counterWithEverything() {
        requireKept(new CounterState(8, 7, 5, 2, List.of("new", "old", ""), AT, DATE, 1L, LATER, -5L));
    }

    @Test
    void counterWithWhatEachHas() {
        requireKept(new CounterState(-8, 0, 0, 0, List.of(""), AT, null, null, null, null));
    }

    private static void requireKept(CounterState state) {
        TableEntity row = CounterRows.write(ID, state);

        assertEquals(List.of(PARTITION, "counter:2026"), List.of(row.getPartitionKey(), row.getRowKey()));
        assertEquals(state, CounterRows.state(stored(row)));
    }

    @ParameterizedTest
    @EnumSource
    void changeWithEverything(Change.Kind kind) {
        requireKept(new Change(
                new Change.Position(AT, "id"),
                kind,
                new ChangeNote("anna", "moved"),
                List.of(
                        new Change.FieldChange("maxValue", 5L, 9L),
                        new Change.FieldChange("cycle", true, false),
                        new Change.FieldChange("format", null, "{n}")),
                kind == Change.Kind.ADVANCED ? new Change.Move("2026", -5, 9) : null));
    }

    @Test
    void changeWithWhatEachHas() {
        requireKept(
                new Change(new Change.Position(LATER, "id"), Change.Kind.RETIRED, ChangeNote.NONE, List.of(), null));
    }

    /**
     * A closing with many numbers exceeds one property. The rest is stored in further properties, which earlier
     * versions do not read.
     */
    @Test
    void changeWithMoreThanOnePropertyHolds() {
        List<Change.FieldChange> fields = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            fields.add(new Change.FieldChange("run:issued", 1_000_000L + i, 2_000_000L + i));
        }
        Change closed = new Change(new Change.Position(AT, "id"), Change.Kind.CLOSED, ChangeNote.NONE, fields, null);
        requireKept(closed);
        ChangeRows.write(NAME, closed)
                .getProperties()
                .values()
                .forEach(value -> assertTrue(value.toString().length() <= 32_768));
    }

    private static void requireKept(Change change) {
        TableEntity row = ChangeRows.write(NAME, change);

        assertEquals(PARTITION, row.getPartitionKey());
        assertEquals(change, ChangeRows.read(stored(row)));
        assertEquals(change.position(), ChangeRows.position(stored(row)));
    }

    @Test
    void keyWithEverything() {
        requireKept(allocation("a", 7, 3, 5, "INV-7", 2, VOID, "import", "op", "berta"));
    }

    @Test
    void keyWithWhatEachHas() {
        requireKept(allocation("a", 7, 1, 1, null, 0, Status.SIMPLY_ISSUED, null, "op", null));
    }

    private static void requireKept(Allocation allocation) {
        TableEntity byKey = LedgerRows.byKey(PARTITION, allocation, "op");
        TableEntity mark = LedgerRows.mark(PARTITION, allocation);
        boolean isMarked = allocation.status().isMarked();

        assertEquals(RowKeys.key("a"), byKey.getRowKey());
        assertEquals(allocation, LedgerRows.fromKeyRow(stored(byKey)));
        assertEquals(allocation.highest(), LedgerRows.fromMark(stored(mark)).highest());
        assertEquals("mark:2026:50000000000000000" + (isMarked ? "17" : "07"), mark.getRowKey());
        assertEquals(isMarked ? Optional.of(mark.getRowKey()) : Optional.empty(), LedgerRows.markOf(stored(byKey)));
    }

    @Test
    void aKeyKeepsEachStatusThatItHad() {
        Status issued = new Status(Status.Kind.ISSUED, null, "ben", LATER).after(Status.reserved(AT, "anna"));
        Status voided = new Status(Status.Kind.VOID, "torn", null, LATER).after(issued);
        Allocation allocation = allocation("a", 7, 1, 1, null, 0, voided, null, "op", "berta");
        TableEntity row = LedgerRows.byKey(PARTITION, allocation, "op");

        assertEquals(3, LedgerRows.fromKeyRow(stored(row)).status().history().size());
        assertEquals(voided, LedgerRows.fromKeyRow(stored(row)).status());
    }

    /** Table Storage refuses half of a surrogate pair, and properties over its length limit. */
    @Test
    void aLongTextIsCutBetweenCharacters() {
        TableEntity row = new TableEntity(PARTITION, "row");
        String text = "a".repeat(32_000 - 1) + "\uD83D\uDE00" + "b";
        StoredRow.putLong(row, "rows", text);

        assertEquals("a".repeat(32_000 - 1), row.getProperty("rows0"));
        assertEquals("\uD83D\uDE00b", row.getProperty("rows1"));
    }

    /** The status is merged into the existing row and changes only its own columns. */
    @Test
    void aStatusReplacesTheOneBeforeIt() {
        Allocation reserved = allocation("a", 7, 1, 1, null, 0, Status.reserved(AT, "anna"), null, "op", "berta");
        Status voided = new Status(Status.Kind.VOID, "torn", null, LATER);
        TableEntity row = LedgerRows.byKey(PARTITION, reserved, "op");
        TableEntity status = LedgerRows.status(PARTITION, reserved.with(voided));

        assertEquals(List.of(PARTITION, row.getRowKey()), List.of(status.getPartitionKey(), status.getRowKey()));
        status.getProperties().forEach(row::addProperty);
        assertEquals(voided, LedgerRows.fromKeyRow(stored(row)).status());
        assertEquals("berta", LedgerRows.fromKeyRow(stored(row)).actor());
    }

    @Test
    void allocationsInNumberOrder() {
        requireKept(
                LedgerRow.of(List.of(entry("a", 1, 2, 3, "anna", "i"), entry("b", 7, 1, 1, null, "i")), AT, "W/\"1\""));
        requireKept(LedgerRow.of(
                List.of(entry("a", 9, 2, -3, null, null), entry("b", 3, 1, 1, null, null)), AT, "W/\"1\""));
    }

    @Test
    void passedNumbers() {
        requireKept(LedgerRow.passed(1, 10, AT, new ChangeNote("anna", "moved"), "W/\"1\""));
        requireKept(LedgerRow.passed(10, 1, AT, ChangeNote.NONE, "W/\"1\""));
        requireKept(LedgerRow.passed(
                1, 10, AT, new ChangeNote("anna", "import i1"), new PassingImport("i1", false), "W/\"1\""));
        requireKept(LedgerRow.passed(
                1, 10, AT, new ChangeNote("anna", "before the import"), new PassingImport("i1", true), "W/\"1\""));
        requireKept(LedgerRow.passed(1, StoredRow.LARGEST_NEXT, AT, ChangeNote.NONE, "W/\"1\""));
    }

    private static void requireKept(LedgerRow row) {
        TableEntity entity = LedgerRows.byNumber(ID, row);
        TableEntity named = LedgerRows.at(ID, row.highest());

        assertEquals(PARTITION, entity.getPartitionKey());
        assertEquals(named.getPartitionKey() + named.getRowKey(), entity.getPartitionKey() + entity.getRowKey());
        assertEquals(row, LedgerRows.fromNumberRow(stored(entity)));
    }

    /** Rows stay small if the callers send no name. */
    @Test
    void kindAndActorsOfAllocations() {
        TableEntity imported = byNumber(entry("a", 1, 1, 1, null, "i"), entry("b", 2, 1, 1, "anna", "i"));
        TableEntity allocated = byNumber(entry("a", 1, 1, 1, null, null));

        assertEquals(
                List.of("import", "allocation"), List.of(imported.getProperty("kind"), allocated.getProperty("kind")));
        assertEquals("[null,\"anna\"]", imported.getProperty("actors"));
        assertFalse(allocated.getProperties().containsKey("actors"));
    }

    private static TableEntity byNumber(Allocation... allocations) {
        return LedgerRows.byNumber(ID, LedgerRow.of(List.of(allocations), AT, null));
    }

    @Test
    void aMarkIsFoundByItsOwnNumbersOnly() {
        Allocation allocation = allocation("a", 7, 1, 1, null, 0, VOID, null, null, null);
        TableEntity elsewhere = new TableEntity(PARTITION, RowKeys.mark(allocation) + "0");
        LedgerRows.mark(PARTITION, allocation).getProperties().forEach((name, value) -> {
            if (!name.equals("RowKey")) {
                elsewhere.addProperty(name, value);
            }
        });

        assertThrows(StoreFailure.class, () -> LedgerRows.fromMark(stored(elsewhere)));
    }

    @Test
    void definitionWithEverything() {
        Sequence read = DefinitionRows.read(stored(WrongValues.definition("order")));

        assertEquals(Instant.parse(WrongValues.AT), read.suspension().maintenanceAt());
        assertEquals(read, DefinitionRows.read(stored(DefinitionRows.write(read))));
    }

    @Test
    void aStartMayBeEitherEndOfTheRange() {
        TableEntity row = WrongValues.definition("order");
        for (String end : List.of("minValue", "maxValue")) {
            long start = (Long) row.getProperty(end);
            TableEntity moved = WrongValues.spoilt(row, "start", start);
            assertEquals(
                    start,
                    DefinitionRows.read(stored(moved)).definition().fixed().start());
        }
    }

    /** A version that does not know suspensions must not allocate from it. */
    @Test
    void aRestoredDefinitionIsSuspended() {
        SortedMap<String, Object> early = new TreeMap<>(Map.of("needs", 1, "id", "i"));

        assertEquals(
                Map.of(
                        "needs",
                        Definition.SUSPENSION_FEATURES,
                        "id",
                        "i",
                        "maintenanceAt",
                        AT.toString(),
                        "latestMargin",
                        0L),
                DefinitionRows.restored(early, AT, 0));
        assertEquals(
                99,
                DefinitionRows.restored(new TreeMap<>(Map.of("needs", 99)), AT, 0)
                        .get("needs"));
        assertEquals(
                "x",
                DefinitionRows.restored(new TreeMap<>(Map.of("needs", "x")), AT, 0)
                        .get("needs"));
        assertEquals(100L, DefinitionRows.restored(early, AT, 100).get("restoreMargin"));
        assertEquals(100L, DefinitionRows.restored(early, AT, 100).get("latestMargin"));
        assertEquals(
                300L,
                DefinitionRows.restored(new TreeMap<>(Map.of("restoreMargin", 200L)), AT, 100)
                        .get("restoreMargin"));
    }

    /** Row keys in text order are in number order, over the whole range of a series. */
    @Test
    void namesSortAsNumbersDo() {
        List<Long> numbers =
                List.of(-4_000_000_000_000_000_000L, -10L, -9L, -1L, 0L, 1L, 9L, 10L, 4_000_000_000_000_000_000L);
        List<String> names =
                numbers.stream().map(number -> RowKeys.number("", number)).toList();

        assertEquals(names.stream().sorted().toList(), names);
        assertEquals("number::5000000000000000010", names.get(7));
    }

    @Test
    void peerRequestAndItsAnswer() {
        List<NumberRequest> requests = List.of(
                new NumberRequest("a", 2, null, false, "anna").on(DATE),
                new NumberRequest("b", 1, null, true).on(DATE),
                NumberRequest.block(5_000));
        PeerRequest posted = new PeerRequest("process", "request", requests).at("W/\"1\"");
        CounterState after = new CounterState(20, 7, 5, 2, List.of("op"), LATER, null, null, null, null);
        List<Allocation> allocations = List.of(
                answer(requests.get(0), 1, 4, "INV-1", 1),
                answer(requests.get(1), 7, 7, null, 0),
                answer(requests.get(2), 10, 5_009, null, 0));
        TableEntity row = TablePeerRequests.posted(ID, posted);

        assertEquals(List.of(PARTITION, "peer:2026:process"), List.of(row.getPartitionKey(), row.getRowKey()));
        assertEquals(posted.openedAt(LATER), TablePeerRequests.read(ID, stored(row)));
        assertEquals(
                posted.closed(), TablePeerRequests.read(ID, stored(TablePeerRequests.posted(ID, posted.closed()))));
        PeerRequest answered = posted.answered(allocations, after);
        TablePeerRequests.answered(ID, answered).getProperties().forEach(row::addProperty);
        assertEquals(answered, TablePeerRequests.read(ID, stored(row)));
        assertEquals("process", RowKeys.counterName(row.getRowKey()));
    }

    /**
     * If the opening time is missing (as in rows of an earlier release) or impossible, the row's own time replaces it.
     */
    @Test
    void agesOfPeerRequests() {
        Map<Instant, Instant> readAs = new HashMap<>();
        readAs.put(null, LATER);
        readAs.put(LATER.minusSeconds(9), LATER.minusSeconds(9));
        readAs.put(LATER.plusSeconds(9), LATER);
        readAs.put(AT, LATER.minusSeconds(60));
        readAs.forEach((stored, read) -> {
            PeerRequest posted = new PeerRequest("process", "request", List.of()).openedAt(stored);
            TableEntity row = TablePeerRequests.posted(ID, posted);
            assertEquals(stored == null ? "" : stored.toString(), row.getProperty("openedAt"));
            assertEquals(read, TablePeerRequests.read(ID, stored(row)).openedAt());
        });
        TableEntity earlier = TablePeerRequests.posted(ID, new PeerRequest("process", "request", List.of()));
        earlier.getProperties().remove("openedAt");
        assertEquals(LATER, TablePeerRequests.read(ID, stored(earlier)).openedAt());
    }

    private static Allocation answer(NumberRequest request, long first, long last, String text, int revision) {
        return new Allocation(
                request.key(),
                first,
                last,
                request.count(),
                "2026",
                request.day(),
                text,
                revision,
                LATER,
                false,
                request.isReserved() ? Status.reserved(LATER, request.actor()) : Status.SIMPLY_ISSUED,
                null,
                null,
                request.actor());
    }

    @Test
    void queries() {
        CounterId whole = new CounterId(NAME, "");
        LedgerPosition position = new LedgerPosition("2026", 7);

        assertEquals("counter", RowKeys.counter(whole));
        assertEquals("", RowKeys.period("counter"));
        assertEquals("2026", RowKeys.period("counter:2026"));
        assertEquals(range("counter:2026", "counter;"), RowKeys.countersFrom(ID));
        assertEquals(range("peer:2026:", "peer:2026;"), RowKeys.peersOf(ID));
        assertEquals(range("number:2026:5000000000000000007", "number:2026;"), RowKeys.numbersFrom(ID, 7));
        assertEquals(range("mark:", "mark;"), RowKeys.marksFrom(NAME, null));
        assertEquals(range("mark:2026:5000000000000000007", "mark;"), RowKeys.marksFrom(NAME, position));
        assertEquals(range("change:", "change;"), RowKeys.changesFrom(NAME, null));
        assertEquals(
                range("change:2026-11-24T09:30:00.123456000Z:id", "change;"),
                RowKeys.changesFrom(NAME, new Change.Position(AT, "id")));
        assertEquals(
                "PartitionKey eq 'App1:order' and RowKey ge 'mark:2026:5000000000000000007' and RowKey le"
                        + " 'mark:2026:5000000000000000009'",
                RowKeys.marks(ID, 7, 9));
        assertEquals("status eq 'reserved'", LedgerRows.is(Status.Kind.RESERVED));
        assertEquals("state eq 'open'", TablePeerRequests.IS_OPEN);
    }

    private static String range(String first, String before) {
        return "PartitionKey eq 'App1:order' and RowKey ge '" + first + "' and RowKey lt '" + before + "'";
    }

    @Test
    void workersHaveThreeDigits() {
        assertEquals("worker:007", RowKeys.worker(7));
        assertEquals(OptionalInt.of(7), RowKeys.workerOf("worker:007"));
        assertEquals(OptionalInt.empty(), RowKeys.workerOf("worker:7"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"change:", "change:2026:id", "change:2026-11-24T09:30:00Z:id", "changes"})
    void otherNamesAreNoChanges(String name) {
        assertEquals(Optional.empty(), RowKeys.changePosition(name));
    }

    @Test
    void keysAreKnownByTheirNames() {
        assertEquals(true, RowKeys.isKey(RowKeys.key("a")));
        assertEquals(false, RowKeys.isKey("counter"));
    }

    @Test
    void aMarkOfADefinitionChangesNothingElse() {
        TableEntity mark = DefinitionRows.mark(NAME);

        assertEquals(List.of(PARTITION, "definition"), List.of(mark.getPartitionKey(), mark.getRowKey()));
        assertEquals(true, mark.getProperty("inUse"));
    }

    private static Allocation entry(String key, long first, int count, long step, String actor, String importId) {
        return allocation(key, first, count, step, null, 1, Status.SIMPLY_ISSUED, importId, null, actor);
    }

    private static Allocation allocation(
            String key,
            long first,
            int count,
            long step,
            String text,
            int revision,
            Status status,
            String importId,
            String operationId,
            String actor) {
        return new Allocation(
                key,
                first,
                first + (count - 1) * step,
                count,
                "2026",
                DATE,
                text,
                revision,
                AT,
                true,
                status,
                importId,
                operationId,
                actor);
    }

    private static StoredRow stored(TableEntity row) {
        TableEntity read = new TableEntity(row.getPartitionKey(), row.getRowKey());
        row.getProperties().forEach(read::addProperty);
        read.addProperty("Timestamp", LATER.atOffset(ZoneOffset.UTC));
        return new StoredRow("table", read.addProperty("odata.etag", "W/\"1\""));
    }
}
