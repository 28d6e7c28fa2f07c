package dev.numera.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class NumberRequestTest {
    private static final LocalDate DATE = LocalDate.of(2026, 11, 21);

    @Test
    void eachKeyRequestsTheSameCount() {
        assertEquals(
                List.of(new NumberRequest("b", 500, DATE, true), new NumberRequest("a", 500, DATE, true)),
                NumberRequest.ofEach(List.of("b", "a"), 500, DATE, true));
    }

    @Test
    void invalidKeyOrCountIsRefused() {
        refused("key must have 1 to 255 characters.", () -> NumberRequest.ofEach(List.of("a", ""), 1, null, false));
        refused("count must be from 1 to 10,000.", () -> NumberRequest.ofEach(List.of("id"), 10_001, null, false));
    }

    @Test
    void aBlockIsLargerThanAnyRequestAndHasNoKey() {
        assertEquals(1_000_000, NumberRequest.block(1_000_000).count());
        refused("count must be from 1 to 1,000,000.", () -> NumberRequest.block(1_000_001));
        assertThrows(
                IllegalArgumentException.class,
                () -> new NumberRequest("key", 1, null, NumberRequest.UNDATED, false, null, true));
    }

    @Test
    void itsDayIsTheChosenDateOrToday() {
        assertEquals(DATE, new NumberRequest(null, 1, null).on(DATE).day());
        assertEquals(DATE, new NumberRequest(null, 1, DATE).on(DATE.plusDays(1)).day());
        assertThrows(NullPointerException.class, () -> new NumberRequest(null, 1, null).day());
    }

    private static void refused(String detail, Executable takes) {
        ProblemException problem = assertThrows(ProblemException.class, takes);
        assertEquals(ProblemType.INVALID_REQUEST, problem.type());
        assertEquals(detail, problem.getMessage());
    }
}
