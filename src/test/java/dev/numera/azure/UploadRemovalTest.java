package dev.numera.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;

import com.azure.data.tables.models.TableEntity;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.StoreFailure;
import dev.numera.fixtures.PlainNumbers;
import dev.numera.sequences.ledger.LedgerReader;
import dev.numera.sequences.lists.Imports;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.ListWork;
import dev.numera.sequences.lists.OldUploads;
import dev.numera.sequences.lists.RowResult;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.UploadPosition;
import dev.numera.sequences.lists.UploadReader;
import dev.numera.sequences.lists.Uploads;
import dev.numera.sequences.numbering.Allocator;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Interrupts the removal of an upload at each of its requests, or reuses the key at that point. An accepted upload
 * stays complete and can be found, and old rows are removed in the end.
 */
class UploadRemovalTest {
    private static final Duration KEPT = Duration.ofDays(30);
    private static final Duration PENDING_KEPT = Duration.ofDays(366);
    private static final Instant FIRST_SENT = Instant.parse("2026-10-01T12:00:00.123Z");
    private static final ListColumns KEYS = ListColumns.ofKeys(null, 1);
    private static final List<List<String>> OLD_ROWS = rows("old-1", "old-2");
    private static final List<List<String>> ROWS = rows("a", "b", "c");
    private static final Upload.Id ID = Upload.Id.ofKey(new SequenceName("App1", "order"), Upload.Kind.BATCH, "list");

    /** One request for the rows of the only part, and one for its answers. */
    private static final int REQUESTS_OF_A_READ = 2;
    /** One lookup, two references to the upload, the upload itself, and its part. */
    private static final int REQUESTS_OF_AN_UPLOAD = 5;

    private final Allocator allocator = mock();
    private RowsInMemory rows;
    private Uploads uploads;
    private OldUploads old;
    private UploadReader reader;
    private Instant now;

    @BeforeEach
    void start() {
        now = FIRST_SENT;
        rows = new RowsInMemory();
        old = new OldUploads(rows.uploads(), () -> now, KEPT);
        uploads = new Uploads(rows.uploads(), new ListWork(allocator, mock(Imports.class)), old, () -> now);
        // No number changes its status.
        reader = new UploadReader(rows.uploads(), mock(LedgerReader.class, call -> call.getArgument(1)));
        doAnswer(call -> {
                    List<NumberRequest> requests = call.getArgument(1);
                    return new CallResult<>(
                            requests.stream()
                                    .map(request -> Result.of(PlainNumbers.of(request.key(), 1, 1, 1, 1, null, false)))
                                    .toList(),
                            false,
                            1,
                            1);
                })
                .when(allocator)
                .next(any(), any(), any());
    }

    @Test
    void interruptedRemovalIsContinued() {
        for (int request = 1; removalBreaksOffAt(request); request++) {
            rows.beforeEachRequest(() -> {});
            old.removeAll();
            assertEquals(List.of(), rows.rows("PartitionKey ge ''"), "broken off at request " + request);
        }
    }

    @Test
    void interruptedUploadIsRemovedByItsAge() {
        for (int request = 1; request <= REQUESTS_OF_AN_UPLOAD; request++) {
            start();
            at(request, () -> {
                throw new StoreFailure("The process dies.", true, null);
            });
            assertThrows(
                    StoreFailure.class, () -> uploads.accept(ID, "young", () -> new Upload.Content(KEYS, ROWS), null));
            now = FIRST_SENT.plus(PENDING_KEPT).plus(KEPT);
            old.removeAll();
            assertEquals(List.of(), rows.rows("PartitionKey ge ''"), "broken off at request " + request);
        }
    }

    /** The client received 202, so the upload is numbered when the suspension ends. */
    @Test
    void anUploadThatIsPendingStays() {
        uploads.accept(ID, "young", () -> new Upload.Content(KEYS, ROWS), null);
        now = FIRST_SENT.plus(PENDING_KEPT);

        assertEquals(0, old.removeAll());
        assertEquals(
                FIRST_SENT,
                uploads.accept(ID, "young", () -> new Upload.Content(KEYS, ROWS), null)
                        .sentAt());
        uploads.work(ID, 1);
        assertEquals(0, old.removeAll());
        requireWhole("after a suspension");
    }

    /** The removal of the next night once mistook the new upload, 15 hours old, for the old one. */
    @Test
    void interruptedRemovalLeavesAnUploadSentAgain() {
        for (int request = 1; removalBreaksOffAt(request); request++) {
            rows.beforeEachRequest(() -> {});
            sendAgain();
            now = now.plusSeconds(15 * 3_600);
            old.removeAll();
            requireWhole("broken off at request " + request);
        }
    }

    @Test
    void anUploadThatIsSentAgainWithinARemovalStays() {
        for (int request = 1; request <= requestsOfARemoval(); request++) {
            startWithAnOldUpload();
            at(request, this::sendAgain);
            old.removeAll();
            requireWhole("sent again before request " + request);
        }
    }

    /**
     * The reference by age once belonged to the first list and the upload to the second, so the upload was never
     * removed.
     */
    @Test
    void listsThatAreSentWithinAMillisecondAreOne() {
        for (int request = 1; request <= REQUESTS_OF_AN_UPLOAD; request++) {
            start();
            at(request, () -> {
                now = FIRST_SENT.plusNanos(900_000);
                uploads.accept(ID, "young", () -> new Upload.Content(KEYS, ROWS), null);
            });
            uploads.accept(ID, "young", () -> new Upload.Content(KEYS, ROWS), null);
            uploads.work(ID, 1);
            requireWhole("sent again before request " + request);
        }
    }

    @Test
    void aPartThatIsNumberedWithinARemovalLeavesNothing() {
        for (int request = 1; request <= requestsOfARemoval(); request++) {
            startWithAnOldUpload();
            Upload stale = uploads.get(ID);
            at(request, () -> uploads.stalledPart(stale));
            old.removeAll();
            assertEquals(List.of(), rows.rows("PartitionKey ge ''"), "changed before request " + request);
        }
    }

    /** An unreadable row is the oldest every night and would block the removal of all others. */
    @Test
    void aRowThatCannotBeReadKeepsNoUploadFromBeingRemoved() {
        startWithAnOldUpload();
        rows.put(new TableEntity("~by-age", "0000000000000000000:another")
                .addProperty("scope", "App1")
                .addProperty("name", "order")
                .addProperty("id", "another")
                .addProperty("sentAt", "1970-01-01T00:00:00Z"));

        StoreFailure failure = assertThrows(StoreFailure.class, old::removeAll);

        assertTrue(failure.getMessage().contains("row 0000000000000000000:another of ~by-age"), failure::getMessage);
        assertEquals(
                List.of("0000000000000000000:another"),
                rows.rows("PartitionKey ge ''").stream()
                        .map(TableEntity::getRowKey)
                        .toList());
    }

    /** The upload that could not be removed was the oldest every night, and it once kept all younger ones. */
    @Test
    void anUploadThatCannotBeRemovedKeepsNoOtherFromBeingRemoved() {
        startWithAnOldUpload();
        Upload.Id unreadable = Upload.Id.ofKey(ID.sequence(), ID.kind(), "unreadable");
        now = FIRST_SENT.minusSeconds(1);
        uploads.accept(unreadable, "old", () -> new Upload.Content(KEYS, OLD_ROWS), null);
        uploads.work(unreadable, 1);
        now = FIRST_SENT.plus(KEPT).plus(KEPT);
        TableEntity upload = rows.rows("PartitionKey ge '' and RowKey eq 'upload'").stream()
                .filter(row -> row.getPartitionKey().contains(unreadable.id()))
                .findFirst()
                .orElseThrow();
        rows.put(upload.addProperty("sentAt", "yesterday"));

        StoreFailure failure = assertThrows(StoreFailure.class, old::removeAll);

        assertTrue(failure.getMessage().contains("sentAt"), failure::getMessage);
        assertEquals(
                List.of(),
                rows.rows("PartitionKey ge ''").stream()
                        .filter(row -> row.getPartitionKey().contains(ID.id()))
                        .toList());
    }

    /** This was once reported as an internal error. */
    @Test
    void anUploadThatIsRemovedWhileItIsReadIsNotThereAnyMore() {
        requireUnknownWhereReadIsInterruptedBy(() -> old.removeAll());
    }

    @Test
    void anUploadThatIsReplacedWhileItIsReadIsNotThereAnyMore() {
        requireUnknownWhereReadIsInterruptedBy(this::sendAgain);
    }

    /** The removal deletes the upload before its parts, so that no reader finds it without them. */
    @Test
    void anUploadThatIsReadWithinItsRemovalIsWholeOrNotThere() {
        for (int request = 1; request <= requestsOfARemoval(); request++) {
            startWithAnOldUpload();
            uploads.work(ID, 1);
            at(request, this::requireWholeOrUnknown);
            old.removeAll();
        }
    }

    private void requireWholeOrUnknown() {
        try {
            assertEquals(
                    OLD_ROWS,
                    reader.all(uploads.get(ID)).map(RowResult::requested).toList());
        } catch (ProblemException e) {
            assertEquals(ProblemType.UNKNOWN_BATCH, e.type(), e::getMessage);
        }
    }

    private void requireUnknownWhereReadIsInterruptedBy(Runnable removal) {
        for (int request = 1; request <= REQUESTS_OF_A_READ; request++) {
            startWithAnOldUpload();
            uploads.work(ID, 1);
            Upload read = uploads.get(ID);
            at(request, removal);
            ProblemException problem = assertThrows(
                    ProblemException.class, () -> reader.page(read, UploadReader.Rows.ALL, UploadPosition.START, 10));
            assertEquals(ProblemType.UNKNOWN_BATCH, problem.type(), "removed before request " + request);
        }
    }

    @Test
    void partRemovedByAnotherProgramIsReported() {
        uploads.accept(ID, "old", () -> new Upload.Content(KEYS, OLD_ROWS), null);
        rows.table().deleteAll("RowKey ge '" + "0".repeat(19) + "' and RowKey lt '" + "9".repeat(19) + "'");

        StoreFailure failure = assertThrows(StoreFailure.class, () -> uploads.work(ID, 1));

        assertEquals(
                "The row 0000001790856000123:part:000001 of App1:order:" + ID.id()
                        + " in table numerabatches is missing: another program removed it, or the request that was to store it"
                        + " failed. Send that request again, with its Idempotency-Key. See docs/tables.md.",
                failure.getMessage());
    }

    @Test
    void oldUploadThatWasSentAgainStaysReadableForAWhile() {
        uploads.accept(ID, "old", () -> new Upload.Content(KEYS, OLD_ROWS), null);
        uploads.work(ID, 1);
        now = FIRST_SENT.plus(KEPT);
        assertEquals(
                FIRST_SENT,
                uploads.accept(ID, "old", () -> new Upload.Content(KEYS, OLD_ROWS), null)
                        .sentAt());
        now = now.plusSeconds(3_600);

        assertEquals(0, old.removeAll());
        assertEquals(OptionalInt.empty(), uploads.work(ID, 1));
        now = now.plusMillis(1);
        assertEquals(1, old.removeAll());
    }

    @Test
    void anUploadThatIsSentAfterItsTimeIsANewOne() {
        uploads.accept(ID, "old", () -> new Upload.Content(KEYS, OLD_ROWS), null);
        uploads.work(ID, 1);
        now = FIRST_SENT.plus(KEPT).plusMillis(1);

        assertEquals(
                now,
                uploads.accept(ID, "young", () -> new Upload.Content(KEYS, ROWS), null)
                        .sentAt());
        uploads.work(ID, 1);
        requireWhole("after the old one");
    }

    private boolean removalBreaksOffAt(int request) {
        startWithAnOldUpload();
        if (request > requestsOfARemoval()) {
            return false;
        }
        startWithAnOldUpload();
        at(request, () -> {
            throw new StoreFailure("The process dies.", true, null);
        });
        assertThrows(StoreFailure.class, old::removeAll);
        return true;
    }

    private int requestsOfARemoval() {
        startWithAnOldUpload();
        AtomicInteger requests = new AtomicInteger();
        rows.beforeEachRequest(requests::incrementAndGet);
        old.removeAll();
        assertTrue(requests.get() >= 5, () -> "only " + requests + " requests");
        return requests.get();
    }

    private void startWithAnOldUpload() {
        start();
        uploads.accept(ID, "old", () -> new Upload.Content(KEYS, OLD_ROWS), null);
        uploads.work(ID, 1);
        now = FIRST_SENT.plus(KEPT).plus(KEPT);
    }

    private void sendAgain() {
        uploads.accept(ID, "young", () -> new Upload.Content(KEYS, ROWS), null);
        uploads.work(ID, 1);
    }

    /** Runs the action once, before the nth request. Requests of the action itself are not counted. */
    private void at(int request, Runnable action) {
        AtomicInteger requests = new AtomicInteger();
        rows.beforeEachRequest(() -> {
            if (requests.incrementAndGet() == request) {
                rows.beforeEachRequest(() -> {});
                action.run();
            }
        });
    }

    private void requireWhole(String when) {
        Upload upload = uploads.get(ID);
        assertEquals(Upload.Status.NUMBERED, upload.status(), when);
        assertEquals(ROWS, reader.all(upload).map(RowResult::requested).toList(), when);
        now = upload.movedAt().plus(KEPT).plus(KEPT);
        old.removeAll();
        assertEquals(List.of(), rows.rows("PartitionKey ge ''"), when);
    }

    private static List<List<String>> rows(String... keys) {
        return Stream.of(keys).map(key -> List.of(key)).toList();
    }
}
