package dev.numera.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;

import com.azure.data.tables.models.TableEntity;
import dev.numera.core.counter.PeerRequest;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Page;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.snowflake.WorkerRow;
import dev.numera.sequences.SequenceStores;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.IndexEntry;
import dev.numera.sequences.access.PrintedAllocation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Reading several rows at once returns the readable ones, even if others are damaged. */
class UnreadableNeighborsTest {
    private static final Instant NOW = Instant.parse("2026-11-24T09:30:10Z");

    private final RowsInMemory rows = new RowsInMemory();
    private final TableCounterStore counters = new TableCounterStore(
            rows.table(), new ParallelReads(Executors.newCachedThreadPool(StorageClients.threads("test"))));

    /** The damaged request was once answered with 50 numbers that other callers received, too. */
    @Test
    void aPeerRequestThatCannotBeReadIsNotAnsweredAndTheOthersAre() {
        rows.answersAt(NOW);
        rows.put(WrongValues.spoilt(WrongValues.peer("p1", "open"), "requests0", "[[null,-50,\"2026-11-24\"]]"));
        rows.put(WrongValues.peer("p2", "open"));
        rows.put(WrongValues.spoilt(WrongValues.peer("p3", "open"), "request", null));

        List<PeerRequest> open = new TablePeerRequests(rows.table()).open(WrongValues.ID);

        assertEquals(
                List.of("p2"), open.stream().map(posted -> posted.counterName()).toList());
        assertThrows(StoreFailure.class, () -> new TablePeerRequests(rows.table()).find(WrongValues.ID, "p1"));
    }

    /**
     * The key was once reported as missing although its row blocked the insert, so the whole group retried for ten
     * seconds.
     */
    @Test
    void aKeyWhoseRowHoldsAnotherOneHasAProblemAndTheOtherKeysHaveTheirNumbers() {
        TableEntity foreign = new TableEntity(WrongValues.PARTITION, RowKeys.key("a"));
        WrongValues.key("x", 17).getProperties().forEach((name, value) -> {
            if (!name.equals("PartitionKey") && !name.equals("RowKey")) {
                foreign.addProperty(name, value);
            }
        });
        rows.put(foreign);
        rows.put(WrongValues.key("b", 7));

        Map<String, Result<Allocation>> found =
                counters.find(WrongValues.NAME, List.of("a", "b", "c"), Duration.ofSeconds(10));

        assertEquals(7, found.get("b").orThrow().first());
        StoreFailure problem =
                assertThrows(StoreFailure.class, () -> found.get("a").orThrow());
        assertTrue(problem.getMessage().contains("its property key belongs to another row"), problem::getMessage);
        assertFalse(problem.isTransient());
        assertFalse(problem.isTroubleOfTheService(), "it is the problem of its key");
        assertFalse(found.containsKey("c"));
    }

    /** Two rows with the same worker number once caused an internal error. */
    @Test
    void aWorkerNumberWhoseRowCannotBeReadIsTakenAndARowOfNoNumberIsNone() {
        rows.put(WrongValues.worker(3));
        rows.put(WrongValues.spoilt(WrongValues.worker(4), "worker", 3));
        rows.put(WrongValues.row("~workers", "worker:9000", "worker", 3, "owner", "o", "bound", 1L, "renewedAt", 1L));

        List<WorkerRow> workers = new TableWorkerStore(rows.table()).all();

        assertEquals(List.of(3, 4), workers.stream().map(WorkerRow::worker).toList());
        assertEquals("o", workers.get(0).owner());
        assertEquals(WorkerRow.LAST_TICK, workers.get(1).renewedAt(), "it never lapses");
    }

    @Test
    void aChangeThatCannotBeReadIsItsOwnEntryAndAPageCanStartAtIt() {
        rows.put(WrongValues.change("2026-11-24T09:30:00.123456Z", "created"));
        rows.put(WrongValues.spoilt(WrongValues.change("2026-11-25T09:30:00.123456Z", "retired"), "kind", "gone"));
        rows.put(WrongValues.spoilt(WrongValues.change("2026-11-26T09:30:00.123456Z", "retired"), "at", "yesterday"));
        rows.put(WrongValues.change("2026-11-27T09:30:00.123456Z", "retired"));
        TableDefinitionStore store = new TableDefinitionStore(rows.table(), rows.table(), rows.marks());

        List<Result<Change>> all = store.changesFrom(WrongValues.NAME, null, 10).items();
        Page<Result<Change>, Change.Position> first = store.changesFrom(WrongValues.NAME, null, 2);
        Page<Result<Change>, Change.Position> second = store.changesFrom(WrongValues.NAME, first.next(), 2);

        assertEquals(
                List.of(false, true, true, false),
                all.stream().map(Result::isRefused).toList());
        assertFalse(all.get(1).refusal().isTroubleOfTheService(), "it is the problem of its entry");
        assertEquals(Instant.parse("2026-11-26T09:30:00.123456Z"), first.next().at());
        assertEquals(
                List.of(true, false),
                second.items().stream().map(Result::isRefused).toList());
        assertEquals(
                Instant.parse("2026-11-27T09:30:00.123456Z"),
                second.items().get(1).orThrow().position().at());
        assertNull(second.next());
    }

    /** After a restore, the margin once reached none of the sequences listed after the unreadable one. */
    @Test
    void aDefinitionWhoseNameCannotBeReadIsItsOwnEntry() {
        rows.put(WrongValues.row("App1:a", "definition", "scope", "App 1", "name", "a"));
        rows.put(WrongValues.row("App1:b", "definition", "scope", "App1", "name", "b"));

        List<Result<SequenceName>> names = new TableDefinitionStore(rows.table(), rows.table(), rows.marks())
                .walk(10, null)
                .items();

        assertTrue(names.get(0).isRefused());
        assertEquals(new SequenceName("App1", "b"), names.get(1).orThrow());
    }

    @Test
    void theMarginAfterARestoreReachesTheSequencesBehindOneThatCannotBeRead() {
        Sequences sequences = sequences();
        next(sequences, "a");
        rows.put(WrongValues.row("App1:a", "definition", "scope", "App 1", "name", "a"));

        ProblemException failure = assertThrows(
                ProblemException.class,
                () -> sequences.maintenance().skipAll(1_000, ChangeNote.NONE, (name, move) -> {}));

        assertTrue(failure.getMessage().contains("The row definition of App1:a"), failure::getMessage);
        assertEquals(1_002, next(sequences, "b").get(0).orThrow().first());
    }

    /** The texts once followed the sequence's increment and did not end at the stored last number. */
    @Test
    void numbersOfAnotherIncrementAreTheProblemOfTheirKey() {
        Sequences sequences = sequences();
        next(sequences, "a", "b");
        spoil(RowKeys.key("a"), "last", 3L);
        spoil(RowKeys.key("a"), "count", 2);

        List<Result<PrintedAllocation>> results = sequences
                .allocator()
                .next(WrongValues.NAME, List.of(new NumberRequest("a", 2, null), new NumberRequest("b", 1, null)))
                .results();

        assertEquals(ProblemType.STORAGE_UNAVAILABLE, results.get(0).refusal().type());
        assertFalse(results.get(0).refusal().isTransient());
        assertTrue(
                results.get(0).refusal().getMessage().contains("which is not 1 increments of 1"),
                results.get(0).refusal()::getMessage);
        assertEquals(2, results.get(1).orThrow().first());
        assertThrows(StoreFailure.class, () -> sequences.ledger().find(WrongValues.NAME, "a"));
        assertEquals(
                2, sequences.ledger().find(WrongValues.NAME, "b").orElseThrow().first());
    }

    private Sequences sequences() {
        TableDefinitionStore definitions = new TableDefinitionStore(rows.table(), rows.table(), rows.marks());
        return TestSequences.over(new SequenceStores(
                        counters,
                        new TablePeerRequests(rows.table()),
                        definitions,
                        counters,
                        () -> new TableWorkerStore(rows.table())))
                .start();
    }

    private static List<Result<PrintedAllocation>> next(Sequences sequences, String... keys) {
        return sequences
                .allocator()
                .next(
                        WrongValues.NAME,
                        Stream.of(keys)
                                .map(key -> new NumberRequest(key, 1, null))
                                .toList())
                .results();
    }

    private void spoil(String row, String property, Object value) {
        TableEntity present = rows.rows("PartitionKey eq '" + WrongValues.PARTITION + "' and RowKey eq '" + row + "'")
                .get(0);
        rows.put(WrongValues.spoilt(present, property, value));
    }

    @Test
    void aRowOfTheIndexThatCannotBeReadIsItsOwnEntry() {
        rows.put(WrongValues.row("App1", "or der", "id", "d"));
        rows.put(WrongValues.index("order"));
        rows.put(WrongValues.row("App1", "without-id"));
        Table table = rows.table();

        List<IndexEntry> listed = new TableDefinitionStore(table, table, mock())
                .list("App1", 10, null)
                .items();

        assertEquals(
                List.of("or der", "order", "without-id"),
                listed.stream().map(IndexEntry::name).toList());
        assertEquals(
                List.of(true, false, true),
                listed.stream().map(row -> row.problem() != null).toList());
    }
}
