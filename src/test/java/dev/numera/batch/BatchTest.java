package dev.numera.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.counter.SequenceName;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.sequence.Ask;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class BatchTest {
    private static final SequenceName INVOICE = new SequenceName("App1", "invoice");
    private static final LocalDate DATE = LocalDate.of(2026, 11, 21);

    @Test
    void eachKeyIsAWishForOneNumber() {
        assertEquals(
                List.of(new Ask("b", 1, DATE), new Ask("a", 1, DATE)),
                Batch.ofKeys(INVOICE, List.of("b", "a"), DATE).asks());
    }

    @Test
    void aCountIsOneWishUnderTheBatchsId() {
        assertEquals(
                List.of(new Ask("batch-8", 500, null)),
                Batch.ofCount(INVOICE, "batch-8", 500, null).asks());
    }

    @Test
    void whatIsWrongIsNamedByItsPlace() {
        refused("keys must hold at least one key.", () -> Batch.ofKeys(INVOICE, List.of(), null));
        refused(
                "keys[2] repeats keys[0]: each key stands for one number.",
                () -> Batch.ofKeys(INVOICE, List.of("a", "b", "a"), null));
        refused("keys[1] must not begin or end with a blank.", () -> Batch.ofKeys(INVOICE, List.of("a", "b "), null));
        refused("id must have 1 to 255 characters.", () -> Batch.ofCount(INVOICE, "", 1, null));
        refused("count must be from 1 to 10,000.", () -> Batch.ofCount(INVOICE, "id", 10_001, null));
    }

    private static void refused(String detail, Executable batch) {
        ProblemException problem = assertThrows(ProblemException.class, batch);
        assertEquals(ProblemType.INVALID_REQUEST, problem.type());
        assertEquals(detail, problem.getMessage());
    }
}
