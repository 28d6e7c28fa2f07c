package dev.numera.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.model.SequenceName;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Whoever waits is inside a call: calls within calls are as many that wait at once. */
class WaitersTest {
    private static final SequenceName SEQUENCE = new SequenceName("Test", "invoice");
    private static final SequenceName OTHER = new SequenceName("Test", "order");

    private final Waiters waiters = new Waiters(2);

    @Test
    void givesWhatTheCallGives() {
        assertEquals("answer", waiters.count(SEQUENCE, () -> "answer"));
    }

    @Test
    void asManyAsTheBoundMayWaitAndNotOneMore() {
        assertEquals("answer", twoWaiting(() -> "answer", SEQUENCE));
        ProblemException refused = assertThrows(
                ProblemException.class,
                () -> twoWaiting(() -> waiters.count(SEQUENCE, () -> "one too many"), SEQUENCE));
        assertEquals(ProblemType.OVERLOADED, refused.type());
    }

    @Test
    void whoIsTurnedAwayIsNotCountedAndWhoIsAnsweredIsCountedNoMore() {
        for (int round = 0; round < 3; round++) {
            twoWaiting(
                    () -> assertThrows(ProblemException.class, () -> waiters.count(SEQUENCE, () -> "one too many")),
                    SEQUENCE);
            assertEquals("answer", twoWaiting(() -> "answer", SEQUENCE));
        }
    }

    @Test
    void whoFailsIsCountedNoMore() {
        RuntimeException failure = new IllegalStateException("failed");
        Error error = new LinkageError("broken");
        for (int round = 0; round < 3; round++) {
            assertSame(
                    failure,
                    assertThrows(
                            RuntimeException.class,
                            () -> waiters.count(SEQUENCE, () -> {
                                throw failure;
                            })));
            assertSame(
                    error,
                    assertThrows(
                            Error.class,
                            () -> waiters.count(SEQUENCE, () -> {
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
    void beyondTheBoundTheOtherThingIsDoneUncounted() {
        assertEquals("call", waiters.count(SEQUENCE, () -> "call", () -> "other"));
        assertEquals(
                "other",
                twoWaiting(
                        () -> waiters.count(SEQUENCE, () -> "call", () -> waiters.count(OTHER, () -> "other")),
                        SEQUENCE));
        assertEquals("answer", twoWaiting(() -> "answer", SEQUENCE));
    }

    private <T> T twoWaiting(Supplier<T> call, SequenceName sequence) {
        return waiters.count(sequence, () -> waiters.count(sequence, call));
    }
}
