package dev.numera.sequences.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A waiting caller occupies its call, so nested calls imitate callers that wait at the same time. */
class BulkheadTest {
    private static final SequenceName SEQUENCE = new SequenceName("Test", "invoice");
    private static final SequenceName OTHER = new SequenceName("Test", "order");

    private final Bulkhead bulkhead = new Bulkhead(2);

    @Test
    void returnsTheResultOfTheCall() {
        assertEquals("answer", bulkhead.call(SEQUENCE, () -> "answer"));
    }

    @Test
    void asManyAsTheBoundMayWaitAndNotOneMore() {
        assertEquals("answer", twoWaiting(() -> "answer", SEQUENCE));
        ProblemException refused = assertThrows(
                ProblemException.class,
                () -> twoWaiting(() -> bulkhead.call(SEQUENCE, () -> "one too many"), SEQUENCE));
        assertEquals(ProblemType.OVERLOADED, refused.type());
    }

    @Test
    void refusedCallIsNotCountedAndAnsweredCallIsReleased() {
        for (int round = 0; round < 3; round++) {
            twoWaiting(
                    () -> assertThrows(ProblemException.class, () -> bulkhead.call(SEQUENCE, () -> "one too many")),
                    SEQUENCE);
            assertEquals("answer", twoWaiting(() -> "answer", SEQUENCE));
        }
    }

    @Test
    void failedCallIsReleased() {
        RuntimeException failure = new IllegalStateException("failed");
        Error error = new LinkageError("broken");
        for (int round = 0; round < 3; round++) {
            assertSame(
                    failure,
                    assertThrows(
                            RuntimeException.class,
                            () -> bulkhead.call(SEQUENCE, () -> {
                                throw failure;
                            })));
            assertSame(
                    error,
                    assertThrows(
                            Error.class,
                            () -> bulkhead.call(SEQUENCE, () -> {
                                throw error;
                            })));
        }
        assertEquals("answer", twoWaiting(() -> "answer", SEQUENCE));
    }

    @Test
    void oneSequenceTakesNothingFromAnother() {
        assertEquals("answer", twoWaiting(() -> twoWaiting(() -> "answer", OTHER), SEQUENCE));
        assertEquals(
                "answer", twoWaiting(() -> twoWaiting(() -> "answer", new SequenceName("Other", "invoice")), SEQUENCE));
    }

    @Test
    void callBeyondTheBoundRunsTheFallbackUncounted() {
        assertEquals("call", bulkhead.call(SEQUENCE, () -> "call", () -> "other"));
        assertEquals(
                "other",
                twoWaiting(
                        () -> bulkhead.call(SEQUENCE, () -> "call", () -> bulkhead.call(OTHER, () -> "other")),
                        SEQUENCE));
        assertEquals("answer", twoWaiting(() -> "answer", SEQUENCE));
    }

    private <T> T twoWaiting(Supplier<T> call, SequenceName sequence) {
        return bulkhead.call(sequence, () -> bulkhead.call(sequence, call));
    }
}
