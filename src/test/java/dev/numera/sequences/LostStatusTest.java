package dev.numera.sequences;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.ledger.LedgerStore;
import dev.numera.sequences.ledger.UnsentStatusChanges;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A change of status whose every write is lost to another instance. */
class LostStatusTest {
    private static final SequenceName NAME = new SequenceName("App1", "invoice");
    private static final WriteResult LOST = WriteResult.Refused.CHANGED;
    private static final WriteResult UNKNOWN = new WriteResult.Unknown(new StoreFailure("No answer.", true, null));

    private final MemoryCounterStore table = new MemoryCounterStore();

    /**
     * Returns the problem of a change of status.
     *
     * @param results the results of the first writes; all later ones are lost
     */
    private ProblemType refused(WriteResult... results) {
        Deque<WriteResult> first = new ArrayDeque<>(Arrays.asList(results));
        Sequences sequences = TestSequences.over(table)
                .with(ForwardingStore.over(
                        LedgerStore.class,
                        table,
                        request -> !request.name().equals("setStatus")
                                ? request.forward()
                                : first.isEmpty() ? LOST : first.remove()))
                .with(TestClock.alone())
                .start();
        sequences.allocator().next(NAME, List.of(new NumberRequest("key", 1, null, true)));
        return assertThrows(
                        ProblemException.class,
                        () -> UnsentStatusChanges.makeVoid(sequences.statusChanges(), NAME, "key", "returned", null))
                .type();
    }

    @Test
    void isContentionWhereNothingWasWritten() {
        assertEquals(ProblemType.CONTENTION, refused());
    }

    @Test
    void isUnknownWhereAnEarlierAttemptMayHaveBeenWritten() {
        assertEquals(ProblemType.OUTCOME_UNKNOWN, refused(UNKNOWN));
    }
}
