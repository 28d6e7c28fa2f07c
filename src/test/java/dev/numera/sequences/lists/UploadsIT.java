package dev.numera.sequences.lists;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import dev.numera.azure.StorageAccount;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.RetryPolicy;
import dev.numera.core.retry.StoreFailure;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.TestAccount;
import dev.numera.fixtures.TestLimits;
import dev.numera.fixtures.proxy.ErrorBody;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.Nth;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.definition.Precondition;
import dev.numera.sequences.ledger.LedgerLine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Uploads whose process crashes at any step, on a real Azurite. */
class UploadsIT {
    private static final int PART_ITEMS = 2;
    private static final int MAX_TRIES = 20;
    private static final ListColumns KEYS = ListColumns.ofKeys(null, 1);
    private static final List<List<String>> ROWS =
            IntStream.rangeClosed(1, 5).mapToObj(i -> row("order-" + i)).toList();
    private static final Duration KEPT = Duration.ofDays(30);
    private static final Instant SENT = Instant.parse("2026-11-21T12:00:00Z");

    private final FaultProxy proxy = FaultProxy.before(SharedAzurite.ports());
    /** The account, which has no state and is costly to create. */
    private final StorageAccount account = TestAccount.at(proxy.connectionString(), Duration.ofSeconds(10));

    private Instant now = SENT;
    private int crashed;
    private Sequences sequences;
    private Uploads uploads;
    private UploadReader reader;
    private OldUploads oldUploads;

    @BeforeAll
    static void tables() {
        TestAccount.withTables(SharedAzurite.connectionString());
    }

    /** Starts a new process, as far as its memory matters. */
    @BeforeEach
    void start() {
        sequences = TestSequences.over(account).start();
        UploadStore store = new BoundedUploadStore(
                account.uploads(),
                sequences.bulkhead(),
                // A failed request ends its step, because nothing is retried.
                new RetryPolicy(TestLimits.DEFAULT.withMaxAttempts(1).limits(), Clock.SYSTEM, () -> 0.5));
        oldUploads = new OldUploads(store, () -> now, KEPT);
        uploads = new Uploads(
                store, new ListWork(sequences.allocator(), sequences.imports()), oldUploads, () -> now, PART_ITEMS);
        reader = new UploadReader(store, sequences.ledger());
    }

    @AfterEach
    void close() {
        proxy.close();
    }

    static Stream<Fault> crashes() {
        return Stream.of(
                Fault.replyLost(), Fault.status(500, ErrorBody.JSON), Fault.committedButStatus(500, ErrorBody.HTML));
    }

    /**
     * Fails another request in each run, and with it the step, as if the process died there. Then the client repeats
     * its request, or the queue delivers the same message again, to a new process that has no memory of the upload.
     */
    @ParameterizedTest
    @MethodSource("crashes")
    @Tag("long")
    void continuesAfterAnInterruptionAtAnyPoint(Fault crash) {
        int requests = numberAll();
        assertTrue(requests > 15, () -> "only " + requests + " requests");
        assertEquals(0, crashed);
        for (int request = 1; request <= requests; request++) {
            proxy.inject(crash, Nth.any(request));
            numberAll();
            proxy.heal();
        }
        // Lost replies interrupt only five to seven steps, because the HTTP client itself retries most reads.
        assertTrue(crashed > 3, () -> "only " + crashed + " steps broke off");
    }

    /** Uploads and numbers a list under its own name, retries each failed step, and returns the number of requests. */
    private int numberAll() {
        proxy.traffic().forget();
        start();
        Upload.Id id =
                Upload.Id.ofKey(new SequenceName("uploads", UUID.randomUUID().toString()), Upload.Kind.BATCH, "list");
        Upload accepted =
                untilDone(() -> uploads.accept(id, "fingerprint", () -> new Upload.Content(KEYS, ROWS), null));
        assertEquals(3, accepted.parts());
        OptionalInt next = OptionalInt.of(1);
        while (next.isPresent()) {
            int part = next.getAsInt();
            next = untilDone(() -> uploads.work(id, part));
        }
        Upload done = untilDone(() -> uploads.get(id));
        assertEquals(Upload.Status.NUMBERED, done.status());
        assertEquals(5, done.progress().items());
        List<RowResult<List<String>>> items = untilDone(
                        () -> reader.page(done, UploadReader.Rows.ALL, UploadPosition.START, 100))
                .items();
        assertEquals(ROWS, items.stream().map(RowResult::requested).toList());
        assertEquals(
                LongStream.rangeClosed(1, 5).boxed().toList(),
                items.stream().map(item -> item.result().value().first()).toList());
        assertEquals(
                6,
                untilDone(() -> sequences.states().state(id.sequence(), null)).next());
        return proxy.traffic().received().size();
    }

    private <T> T untilDone(Supplier<T> step) {
        for (int again = 1; again < MAX_TRIES; again++) {
            try {
                return step.get();
            } catch (StoreFailure e) {
                crashed++;
            } catch (ProblemException e) {
                assertTrue(e.type().isTroubleOfTheService(), e::toString);
                crashed++;
            }
            start();
        }
        return step.get();
    }

    @Test
    void copyOfAMessageContinuesOnlyWhereNoOtherIsAhead() {
        Upload.Id id = Upload.Id.random(new SequenceName("uploads", "copies"), Upload.Kind.BATCH);
        uploads.accept(id, "fingerprint", () -> new Upload.Content(KEYS, ROWS), null);

        assertEquals(OptionalInt.of(2), uploads.work(id, 1));
        assertEquals(OptionalInt.of(2), uploads.work(id, 1), "part 2 may not have been requested");
        assertEquals(OptionalInt.of(3), uploads.work(id, 2));
        assertEquals(OptionalInt.empty(), uploads.work(id, 1));
        assertEquals(
                ProblemType.INVALID_REQUEST,
                assertThrows(ProblemException.class, () -> uploads.work(id, 4)).type());
        assertEquals(
                ProblemType.INVALID_REQUEST,
                assertThrows(ProblemException.class, () -> uploads.work(id, 0)).type());
        assertEquals(OptionalInt.empty(), uploads.work(id, 3));
        assertEquals(OptionalInt.empty(), uploads.work(id, 3));
        assertEquals(
                ProblemType.INVALID_REQUEST,
                assertThrows(ProblemException.class, () -> uploads.work(id, 4)).type());
    }

    /** A restored table may be older than the messages, and no other message requests its lost parts. */
    @Test
    void messageAheadOfTheTableNumbersTheNextPart() {
        Upload.Id id = Upload.Id.random(new SequenceName("uploads", "restored"), Upload.Kind.BATCH);
        uploads.accept(id, "fingerprint", () -> new Upload.Content(KEYS, ROWS), null);
        assertEquals(OptionalInt.of(2), uploads.work(id, 1));

        assertEquals(
                OptionalInt.of(3), uploads.work(id, 3), "part 2 was forgotten, and part 3 is still to be requested");

        assertEquals(2, uploads.get(id).progress().parts());
        assertEquals(
                List.of(1L, 2L, 3L, 4L),
                reader.all(uploads.get(id))
                        .map(item -> item.result().value().first())
                        .toList());
        assertEquals(OptionalInt.empty(), uploads.work(id, 3));
        assertEquals(Upload.Status.NUMBERED, uploads.get(id).status());
    }

    @Test
    void aGaplessListTakesATransactionForManyKeys() {
        requireFewTransactions(2_000);
    }

    @Test
    @Tag("long")
    void aLongGaplessListTakesATransactionForManyKeys() {
        requireFewTransactions(10_000);
    }

    /** Requires few transactions, which determine the cost and the duration of an upload. */
    private void requireFewTransactions(int keys) {
        SequenceName name = new SequenceName("uploads", "keys-" + keys);
        sequences
                .editor()
                .put(
                        name,
                        DefinitionDraft.EMPTY.with(DefinitionField.GUARANTEE, Guarantee.GAPLESS),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
        Uploads asShipped = new Uploads(
                account.uploads(), new ListWork(sequences.allocator(), sequences.imports()), oldUploads, () -> now);
        Upload.Id id = Upload.Id.random(name, Upload.Kind.BATCH);
        proxy.traffic().forget();
        asShipped.accept(
                id,
                "fingerprint",
                () -> new Upload.Content(
                        KEYS,
                        IntStream.range(0, keys)
                                .mapToObj(i -> row("order-" + i))
                                .toList()),
                null);
        workToItsEnd(asShipped, id);

        assertEquals(keys, asShipped.get(id).progress().numbered());
        long transactions = proxy.traffic().forwarded(RequestKind.TRANSACTION);
        assertTrue(transactions <= keys / 45, () -> keys + " keys took " + transactions + " transactions");
    }

    @Test
    void anUploadThatIsRepeatedAnswersTheFirst() {
        Upload.Id id = Upload.Id.random(new SequenceName("uploads", "repeated"), Upload.Kind.BATCH);
        Upload first = uploads.accept(id, "fingerprint", () -> new Upload.Content(KEYS, ROWS), null);
        now = SENT.plusSeconds(86_400);

        assertEquals(
                first.sentAt(),
                uploads.accept(id, "fingerprint", () -> new Upload.Content(KEYS, ROWS), null)
                        .sentAt(),
                "the day is that of the first upload");
        uploads.work(id, 1);
        assertEquals(
                1,
                uploads.accept(id, "fingerprint", () -> new Upload.Content(KEYS, ROWS), null)
                        .progress()
                        .parts());
        assertEquals(
                ProblemType.KEY_REUSED,
                assertThrows(
                                ProblemException.class,
                                () -> uploads.accept(id, "other", () -> new Upload.Content(KEYS, ROWS), null))
                        .type());
    }

    @Test
    void returnsLongRowsInAnyScriptUnchanged() {
        Upload.Id id = Upload.Id.random(new SequenceName("uploads", "long"), Upload.Kind.BATCH);
        ListColumns columns = new ListColumns(List.of("key", "note \uD83D\uDE00"), Map.of(ListColumns.Field.KEY, 0));
        List<List<String>> rows = IntStream.range(0, 20)
                .mapToObj(i -> row("k" + i, "x".repeat(i) + "\uD83D\uDE00\"数\\".repeat(Uploads.MAX_ROW_UNITS / 5 - 10)))
                .toList();
        Upload upload = uploads.accept(id, "fingerprint", () -> new Upload.Content(columns, rows), null);
        workToItsEnd(uploads, id);

        Upload done = uploads.get(id);
        assertEquals(upload.columns(), done.columns());
        assertEquals(rows, reader.all(done).map(RowResult::requested).toList());
    }

    private static void workToItsEnd(Uploads uploads, Upload.Id id) {
        OptionalInt part = OptionalInt.of(1);
        while (part.isPresent()) {
            part = uploads.work(id, part.getAsInt());
        }
    }

    @Test
    @Tag("long")
    void onlyExpiredUploadsAreRemoved() {
        Upload.Id old = Upload.Id.random(new SequenceName("uploads", "old"), Upload.Kind.BATCH);
        Upload.Id young = Upload.Id.random(new SequenceName("uploads", "old"), Upload.Kind.BATCH);
        now = Instant.parse("2000-01-01T00:00:00Z");
        uploads.accept(
                old,
                "fingerprint",
                () -> new Upload.Content(
                        KEYS,
                        IntStream.range(0, 250).mapToObj(i -> row("k" + i)).toList()),
                null);
        workToItsEnd(uploads, old);
        now = now.plusSeconds(1);
        uploads.accept(young, "fingerprint", () -> new Upload.Content(KEYS, ROWS), null);
        workToItsEnd(uploads, young);
        now = Instant.parse("2000-01-31T01:00:00.500Z");

        assertEquals(1, oldUploads.removeAll());
        assertEquals(
                ProblemType.UNKNOWN_BATCH,
                assertThrows(ProblemException.class, () -> uploads.get(old)).type());
        assertEquals(0, rows("PartitionKey eq 'uploads:old:" + old.id() + "' or id eq '" + old.id() + "'"));
        assertEquals(Upload.Status.NUMBERED, uploads.get(young).status());
        assertEquals(
                Optional.of(1L),
                sequences.ledger().find(old.sequence(), "k0").map(LedgerLine::first),
                "its numbers stay");
        now = now.plusSeconds(1);
        assertEquals(1, oldUploads.removeAll());
        assertEquals(0, oldUploads.removeAll());
    }

    /**
     * A key may be used again after its upload is removed. An interrupted removal once left the row that leads to the
     * upload, and then mistook the next upload of the same key for the old one.
     */
    @Test
    @Tag("long")
    void interruptedRemovalLeavesTheNextUploadOfTheSameKey() {
        int requests = removeAndSendAgain("whole", 0);
        for (int request = 1; request <= requests; request++) {
            removeAndSendAgain("killed-" + request, request);
        }
    }

    /** Removes an upload, sends it again, and returns the number of requests of a removal without failures. */
    private int removeAndSendAgain(String name, int failing) {
        Upload.Id id = Upload.Id.ofKey(new SequenceName("uploads", name), Upload.Kind.BATCH, "list");
        now = Instant.parse("1998-01-01T00:00:00Z");
        uploads.accept(id, "old", () -> new Upload.Content(KEYS, List.of(row("old"))), null);
        uploads.work(id, 1);
        now = now.plus(KEPT).plus(KEPT);
        proxy.traffic().forget();
        if (failing > 0) {
            proxy.inject(Fault.status(500, ErrorBody.JSON), Nth.any(failing));
            assertThrows(StoreFailure.class, oldUploads::removeAll, () -> "request " + failing);
            proxy.heal();
        } else {
            oldUploads.removeAll();
        }
        int requests = proxy.traffic().received().size();

        uploads.accept(id, "young", () -> new Upload.Content(KEYS, ROWS), null);
        now = now.plusSeconds(15 * 3_600);
        oldUploads.removeAll();

        for (int part = 1; part <= 3; part++) {
            uploads.work(id, part);
        }
        assertEquals(ROWS, reader.all(uploads.get(id)).map(RowResult::requested).toList(), name);
        assertEquals(Upload.Status.NUMBERED, uploads.get(id).status());
        now = now.plus(KEPT).plus(KEPT);
        oldUploads.removeAll();
        assertEquals(
                0,
                rows("PartitionKey eq 'uploads:" + name + ":" + id.id() + "' or name eq '" + name + "' and id eq '"
                        + id.id() + "'"));
        return requests;
    }

    private static long rows(String filter) {
        TableClient table = new TableClientBuilder()
                .connectionString(SharedAzurite.connectionString())
                .tableName("numerabatches")
                .buildClient();
        return table.listEntities(new ListEntitiesOptions().setFilter(filter), null, null).stream()
                .count();
    }

    private static List<String> row(String... values) {
        return (List.of(values));
    }
}
