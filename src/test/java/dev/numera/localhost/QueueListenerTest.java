package dev.numera.localhost;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QueueListenerTest {
    private static final Duration MAX = Duration.ofSeconds(2);

    @Test
    void emptyPollsAreFollowedByLongerAndLongerWaitsUpToTheLimit() {
        assertEquals(List.of(100L, 200L, 300L, 500L, 900L, 1_700L, 2_000L, 2_000L), waitsMillis(0.5));
    }

    @Test
    void waitsAreJitteredByAFifth() {
        assertEquals(List.of(100L, 180L, 260L, 420L, 740L, 1_380L, 2_000L, 2_000L), waitsMillis(0));
        assertEquals(List.of(100L, 220L, 340L, 580L, 1_060L, 2_000L, 2_000L, 2_000L), waitsMillis(1));
    }

    @Test
    void theLimitHoldsForAQueueThatIsEmptyForDays() {
        assertEquals(MAX, QueueListener.pollingDelay(1_000_000, 0.5, MAX));
    }

    private static List<Long> waitsMillis(double random) {
        return IntStream.range(0, 8)
                .mapToObj(
                        polls -> QueueListener.pollingDelay(polls, random, MAX).toMillis())
                .toList();
    }
}
