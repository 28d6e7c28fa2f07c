package dev.numera.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.model.SequenceName;
import dev.numera.model.Take;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class BatchTest {
    private static final SequenceName INVOICE = new SequenceName("App1", "invoice");
    private static final LocalDate DATE = LocalDate.of(2026, 11, 21);

    @Test
    void eachKeyRequestsTheSameCount() {
        assertEquals(
                List.of(new Take("b", 500, DATE, true), new Take("a", 500, DATE, true)),
                Batch.of(INVOICE, List.of("b", "a"), 500, DATE, true).takes());
    }

    @Test
    void invalidKeyOrCountIsRefused() {
        refused("key must have 1 to 255 characters.", () -> Batch.of(INVOICE, List.of("a", ""), 1, null, false));
        refused("count must be from 1 to 10,000.", () -> Batch.of(INVOICE, List.of("id"), 10_001, null, false));
    }

    private static void refused(String detail, Executable batch) {
        ProblemException problem = assertThrows(ProblemException.class, batch);
        assertEquals(ProblemType.INVALID_REQUEST, problem.type());
        assertEquals(detail, problem.getMessage());
    }
}
