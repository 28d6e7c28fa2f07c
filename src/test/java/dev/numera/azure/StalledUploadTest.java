package dev.numera.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.numera.core.model.CallResult;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.StoreFailure;
import dev.numera.fixtures.PlainNumbers;
import dev.numera.sequences.lists.Imports;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.ListWork;
import dev.numera.sequences.lists.OldUploads;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.Uploads;
import dev.numera.sequences.numbering.Allocator;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Uploads whose message was lost. A client cannot resend an upload without a key under the same id, so such an upload
 * once stayed pending forever when its message went to the poison queue.
 */
class StalledUploadTest {
    private static final Instant SENT = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration STALLED = Duration.ofMinutes(15);
    private static final Upload.Id ID = Upload.Id.random(new SequenceName("App1", "order"), Upload.Kind.BATCH);
    /** Enough rows for two parts. */
    private static final List<List<String>> ROWS =
            IntStream.range(0, 600).mapToObj(i -> List.of("k" + i)).toList();

    private final Allocator allocator = mock();
    private final RowsInMemory rows = new RowsInMemory();
    private final Uploads uploads = new Uploads(
            rows.uploads(),
            new ListWork(allocator, mock(Imports.class)),
            new OldUploads(rows.uploads(), () -> this.now, Duration.ofDays(30)),
            () -> this.now);
    private Instant now = SENT;

    @BeforeEach
    void accept() {
        beforeNumbering(() -> {});
        uploads.accept(ID, "fingerprint", () -> new Upload.Content(ListColumns.ofKeys(null, 1), ROWS), null);
    }

    private void beforeNumbering(Runnable action) {
        doAnswer(call -> {
                    action.run();
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
    void waitOfAQuarterOfAnHourRequestsThePartAgain() {
        now = SENT.plus(STALLED).minusNanos(1);
        assertEquals(OptionalInt.empty(), uploads.stalledPart(uploads.get(ID)), "its message may still be tried");

        now = SENT.plus(STALLED);
        assertEquals(OptionalInt.of(1), uploads.stalledPart(uploads.get(ID)));

        assertEquals(OptionalInt.empty(), uploads.stalledPart(uploads.get(ID)), "it was requested just now");
        now = now.plus(STALLED);
        assertEquals(OptionalInt.of(1), uploads.stalledPart(uploads.get(ID)), "that message was in vain too");
    }

    /**
     * During a suspension, the part's message waits as a copy. One more message every 15 minutes would number every
     * part at once after the suspension.
     */
    @Test
    void noPartIsRequestedWhileTheSequenceIsSuspended() {
        now = SENT.plus(STALLED);
        when(allocator.suspension(ID.sequence()))
                .thenReturn(Optional.of(new ProblemException(ProblemType.SUSPENDED, "By its owner.")));
        assertEquals(OptionalInt.empty(), uploads.stalledPart(uploads.get(ID)));

        when(allocator.suspension(ID.sequence())).thenReturn(Optional.empty());
        assertEquals(OptionalInt.of(1), uploads.stalledPart(uploads.get(ID)));
    }

    /** If both workers requested the next part, every later part would be numbered twice. */
    @Test
    void ofTwoThatNumberTheSamePartOneRequestsTheNext() {
        AtomicReference<OptionalInt> faster = new AtomicReference<>();
        beforeNumbering(() -> {
            if (faster.get() == null) {
                faster.set(OptionalInt.empty());
                now = now.plusSeconds(1);
                faster.set(uploads.work(ID, 1));
                now = now.plusSeconds(1);
            }
        });

        assertEquals(OptionalInt.empty(), uploads.work(ID, 1));

        assertEquals(OptionalInt.of(2), faster.get());
        assertEquals(OptionalInt.of(2), uploads.work(ID, 1), "a second delivery requests the next part again");
    }

    @Test
    void oneOfSeveralWaitersRequestsThePart() {
        now = SENT.plus(STALLED);
        Upload one = uploads.get(ID);
        Upload other = uploads.get(ID);

        assertEquals(OptionalInt.of(1), uploads.stalledPart(one));
        assertEquals(OptionalInt.empty(), uploads.stalledPart(other));
    }

    @Test
    void onlyTheNextPartIsRequestedAndNoneWhenAllAreDone() {
        now = SENT.plus(STALLED);
        uploads.work(ID, 1);
        assertEquals(OptionalInt.empty(), uploads.stalledPart(uploads.get(ID)), "a part was done just now");
        now = now.plus(STALLED);
        assertEquals(OptionalInt.of(2), uploads.stalledPart(uploads.get(ID)));
        uploads.work(ID, 2);
        now = now.plus(STALLED);
        assertEquals(OptionalInt.empty(), uploads.stalledPart(uploads.get(ID)));
    }

    /**
     * A request for the last part while it was being numbered once made the write of its numbers fail. The part counted
     * as done and was not requested again.
     */
    @Test
    void partRequestedWhileItIsNumberedIsNumbered() {
        uploads.work(ID, 1);
        now = now.plus(STALLED);
        Upload stale = uploads.get(ID);
        beforeNumbering(() -> uploads.stalledPart(stale));

        assertEquals(OptionalInt.empty(), uploads.work(ID, 2));

        assertEquals(Upload.Status.NUMBERED, uploads.get(ID).status());
    }

    /**
     * Reading the stalled upload requests its first part. The client's second request then stored none of the other
     * parts.
     */
    @Test
    void requestSentAgainStoresThePartsThatTheFirstOneDidNot() {
        Upload.Id id = Upload.Id.ofKey(ID.sequence(), Upload.Kind.BATCH, "again");
        List<List<String>> longRows = IntStream.range(0, 300)
                .mapToObj(i -> List.of("k" + i, "x".repeat(20_000)))
                .toList();
        ListColumns columns = new ListColumns(List.of("key", "note"), Map.of(ListColumns.Field.KEY, 0));
        Supplier<Upload> accept =
                () -> uploads.accept(id, "fingerprint", () -> new Upload.Content(columns, longRows), null);
        AtomicInteger requests = new AtomicInteger();
        rows.beforeEachRequest(() -> {
            if (requests.incrementAndGet() == 7) {
                throw new StoreFailure("The table service hangs.", true, null);
            }
        });
        assertThrows(StoreFailure.class, accept::get);
        assertEquals(OptionalInt.of(2), uploads.work(id, 1));

        int parts = accept.get().parts();

        for (int part = 2; part <= parts; part++) {
            uploads.work(id, part);
        }
        assertEquals(Upload.Status.NUMBERED, uploads.get(id).status());
    }
}
