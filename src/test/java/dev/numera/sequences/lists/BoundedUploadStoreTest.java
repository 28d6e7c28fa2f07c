package dev.numera.sequences.lists;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockingDetails;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.numera.core.model.Page;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.RetryPolicy;
import dev.numera.core.retry.StoreFailure;
import dev.numera.fixtures.TestLimits;
import dev.numera.sequences.access.Bulkhead;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads of uploads are retried and writes are not, and both count among the calls of their sequence. */
class BoundedUploadStoreTest {
    private static final Upload.Id ID = Upload.Id.random(new SequenceName("App1", "order"), Upload.Kind.BATCH);
    private static final Upload UPLOAD = new Upload(
            ID,
            "f",
            Instant.EPOCH,
            ListColumns.ofKeys(null, 1),
            null,
            1,
            1,
            new Upload.Progress(1, 1, 1, 0),
            Instant.EPOCH,
            null);
    private static final StoreFailure BUSY = new StoreFailure("busy", true, null);

    private final UploadStore store = mock(UploadStore.class);
    private final Bulkhead bulkhead = new Bulkhead(1);
    private final UploadStore bounded = new BoundedUploadStore(
            store, bulkhead, new RetryPolicy(TestLimits.DEFAULT.limits(), Clock.SYSTEM, () -> 0));

    static Stream<Consumer<UploadStore>> reads() {
        return Stream.of(
                store -> store.find(ID),
                store -> store.part(UPLOAD, 1),
                store -> store.answers(UPLOAD, 1, 1),
                store -> store.list(ID.sequence(), Upload.Kind.BATCH, 1, null),
                store -> store.sentBefore(Instant.EPOCH, 1));
    }

    static Stream<Consumer<UploadStore>> writes() {
        return Stream.of(
                store -> store.insert(UPLOAD),
                store -> store.replace(UPLOAD),
                store -> store.insertParts(UPLOAD, List.of()),
                store -> store.finish(UPLOAD, List.of()),
                store -> store.remove(new UploadStore.OldUpload(ID, Instant.EPOCH)));
    }

    @ParameterizedTest
    @MethodSource("reads")
    void aReadThatFailedForAMomentIsSentAgain(Consumer<UploadStore> read) {
        when(store.find(any())).thenThrow(BUSY).thenReturn(Optional.of(UPLOAD));
        when(store.part(any(), anyInt())).thenThrow(BUSY).thenReturn(null);
        when(store.answers(any(), anyInt(), anyInt())).thenThrow(BUSY).thenReturn(List.of());
        when(store.list(any(), any(), anyInt(), any())).thenThrow(BUSY).thenReturn(new Page<>(List.of(), null));
        when(store.sentBefore(any(), anyInt())).thenThrow(BUSY).thenReturn(List.of());

        read.accept(bounded);

        read.accept(verify(store, times(2)));
    }

    @Test
    void aReadThatFailedForGoodIsNotSentAgain() {
        when(store.find(any())).thenThrow(new StoreFailure("no such table", false, null));

        assertThrows(StoreFailure.class, () -> bounded.find(ID));

        verify(store).find(ID);
    }

    @ParameterizedTest
    @MethodSource("writes")
    void aWriteIsSentOnce(Consumer<UploadStore> write) {
        UploadStore failing = mock(UploadStore.class, call -> {
            throw BUSY;
        });
        UploadStore bounded = new BoundedUploadStore(
                failing, bulkhead, new RetryPolicy(TestLimits.DEFAULT.limits(), Clock.SYSTEM, () -> 0));

        assertEquals(BUSY, assertThrows(StoreFailure.class, () -> write.accept(bounded)));

        assertEquals(1, mockingDetails(failing).getInvocations().size());
    }

    @Test
    void eachCallForASequenceCounts() {
        Stream.concat(reads().limit(4), writes()).forEach(call -> {
            ProblemException refused = assertThrows(
                    ProblemException.class,
                    () -> bulkhead.call(ID.sequence(), () -> {
                        call.accept(bounded);
                        return ID;
                    }));
            assertEquals(ProblemType.OVERLOADED, refused.type());
        });
    }
}
