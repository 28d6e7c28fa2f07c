package dev.numera.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class TakeTest {
    private static final LocalDate DATE = LocalDate.of(2026, 11, 21);

    @Test
    void eachKeyRequestsTheSameCount() {
        assertEquals(
                List.of(new Take("b", 500, DATE, true), new Take("a", 500, DATE, true)),
                Take.ofEach(List.of("b", "a"), 500, DATE, true));
    }

    @Test
    void invalidKeyOrCountIsRefused() {
        refused("key must have 1 to 255 characters.", () -> Take.ofEach(List.of("a", ""), 1, null, false));
        refused("count must be from 1 to 10,000.", () -> Take.ofEach(List.of("id"), 10_001, null, false));
    }

    @Test
    void aBlockIsLargerThanAnyRequestAndHasNoKey() {
        assertEquals(1_000_000, Take.block(1_000_000).count());
        refused("count must be from 1 to 1,000,000.", () -> Take.block(1_000_001));
        assertThrows(IllegalArgumentException.class, () -> new Take("key", 1, null, Take.UNDATED, false, null, true));
    }

    @Test
    void itsDayIsTheChosenDateOrToday() {
        assertEquals(DATE, new Take(null, 1, null).on(DATE).day());
        assertEquals(DATE, new Take(null, 1, DATE).on(DATE.plusDays(1)).day());
        assertThrows(NullPointerException.class, () -> new Take(null, 1, null).day());
    }

    private static void refused(String detail, Executable takes) {
        ProblemException problem = assertThrows(ProblemException.class, takes);
        assertEquals(ProblemType.INVALID_REQUEST, problem.type());
        assertEquals(detail, problem.getMessage());
    }
}
