package dev.numera.core.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.fixtures.TestClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {
    private final TestClock clock = TestClock.alone();
    private int attempts;

    /** @param won the attempt that is won */
    private String untilWon(int won) {
        return RetryPolicy.untilWon(clock, "The row", 3, () -> {
            attempts++;
            clock.pass(Duration.ofMillis(7));
            return attempts == won ? Optional.of("attempt " + attempts) : Optional.empty();
        });
    }

    @Test
    void aLostWriteIsAttemptedAgainAtOnce() {
        assertEquals("attempt 3", untilWon(3));
        assertEquals(List.of(), clock.sleeps);
    }

    @Test
    void aWriteThatIsLostAtEachAttemptIsContention() {
        ProblemException problem = assertThrows(ProblemException.class, () -> untilWon(4));
        assertEquals(ProblemType.CONTENTION, problem.type());
        assertEquals(3, problem.members().get("attempts"));
        assertEquals(21L, problem.members().get("elapsedMillis"));
        assertEquals(3, attempts);
    }
}
