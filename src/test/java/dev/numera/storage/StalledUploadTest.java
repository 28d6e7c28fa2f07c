package dev.numera.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;

import dev.numera.batch.BatchWork;
import dev.numera.batch.Layout;
import dev.numera.batch.Upload;
import dev.numera.batch.Uploads;
import dev.numera.fixtures.PlainNumbers;
import dev.numera.model.Answers;
import dev.numera.model.SequenceName;
import dev.numera.model.Take;
import dev.numera.problem.Answer;
import dev.numera.sequence.Bulkhead;
import dev.numera.sequence.Imports;
import dev.numera.sequence.Ledger;
import dev.numera.sequence.Numbering;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An upload without a key cannot be sent again under its id: one whose message went to the poison queue was once
 * pending for ever.
 */
class StalledUploadTest {
    private static final Instant SENT = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration STALLED = Duration.ofMinutes(15);
    private static final Upload.Id ID = Upload.Id.random(new SequenceName("App1", "order"), Upload.Kind.BATCH);
    /** Two parts. */
    private static final List<List<String>> ROWS =
            IntStream.range(0, 600).mapToObj(i -> List.of("k" + i)).toList();

    private final Numbering numbering = mock();
    private final RowsInMemory rows = new RowsInMemory();
    private final Uploads uploads = new Uploads(
            rows.uploads(),
            new BatchWork(numbering, mock(Imports.class)),
            mock(Ledger.class),
            new Bulkhead(100),
            () -> this.now,
            Duration.ofDays(30));
    private Instant now = SENT;

    @BeforeEach
    void accept() {
        doAnswer(call -> {
                    List<Take> takes = call.getArgument(1);
                    return new Answers<>(
                            takes.stream()
                                    .map(take -> Answer.of(PlainNumbers.of(take.key(), 1, 1, 1, 1, null, false)))
                                    .toList(),
                            false,
                            1,
                            1);
                })
                .when(numbering)
                .next(any(), any(), any());
        uploads.accept(ID, "fingerprint", () -> new Upload.Content(Layout.ofKeys(null, 1), ROWS), null);
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
     * The request for the last part made the write of its numbers fail: it was not requested again, since it was taken
     * for done.
     */
    @Test
    void partRequestedWhileItIsNumberedIsNumbered() {
        uploads.work(ID, 1);
        now = now.plus(STALLED);
        Upload stale = uploads.get(ID);
        doAnswer(call -> {
                    uploads.stalledPart(stale);
                    List<Take> takes = call.getArgument(1);
                    return new Answers<>(
                            takes.stream()
                                    .map(take -> Answer.of(PlainNumbers.of(take.key(), 1, 1, 1, 1, null, false)))
                                    .toList(),
                            false,
                            1,
                            1);
                })
                .when(numbering)
                .next(any(), any(), any());

        assertEquals(OptionalInt.empty(), uploads.work(ID, 2));

        assertEquals(Upload.Status.NUMBERED, uploads.get(ID).status());
    }
}
