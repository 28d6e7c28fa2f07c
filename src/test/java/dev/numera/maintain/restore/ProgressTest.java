package dev.numera.maintain.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.fixtures.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private final TestClock clock = TestClock.alone(Instant.parse("2026-11-29T10:00:00Z"));
    private final List<String> lines = new ArrayList<>();

    private Progress progress(long total, long doneBefore) {
        return new Progress("counters", total, doneBefore, clock, lines::add);
    }

    @Test
    void itTellsTheTimeLeftEveryFiveSeconds() {
        Progress progress = progress(730_000, 0);

        for (int second = 1; second <= 11; second++) {
            clock.pass(Duration.ofSeconds(1));
            progress.add(1_000);
        }

        assertEquals(
                List.of(
                        "5,000 of 730,000 counters, about 12 minutes left.",
                        "10,000 of 730,000 counters, about 12 minutes left."),
                lines);
    }

    /** The speed of this run alone counts: the earlier run took an unknown time. */
    @Test
    void aContinuedTaskIsJudgedByItsOwnSpeed() {
        Progress progress = progress(1_100, 1_000);

        clock.pass(Duration.ofSeconds(10));
        progress.add(20);

        assertEquals(List.of("1,020 of 1,100 counters, about 40 seconds left."), lines);
    }

    @Test
    void aTotalThatWasTooLowGrows() {
        Progress progress = progress(10, 0);

        clock.pass(Duration.ofSeconds(5));
        progress.add(12);

        assertEquals(List.of("12 of 12 counters."), lines);
    }

    /** The first of 21 counters can take as long as all others together. */
    @Test
    void fewItemsGiveNoEstimate() {
        Progress progress = progress(21, 0);

        for (int items : new int[] {1, 6, 14}) {
            clock.pass(Duration.ofSeconds(6));
            progress.add(items);
        }

        assertEquals(
                List.of("1 of 21 counters.", "7 of 21 counters, about 24 seconds left.", "21 of 21 counters."), lines);
    }

    @Test
    void aThousandOfManyItemsAreEnoughForAnEstimate() {
        Progress progress = progress(2_000_000, 1_000_000);

        for (int items : new int[] {999, 1_001}) {
            clock.pass(Duration.ofSeconds(5));
            progress.add(items);
        }

        assertEquals(
                List.of("1,000,999 of 2,000,000 counters.", "1,002,000 of 2,000,000 counters, about 83 minutes left."),
                lines);
    }
}
