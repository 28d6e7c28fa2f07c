package dev.numera.localhost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.LocalDateTime;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronScheduleTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 0 2 * * *       | 2026-11-23T02:00:00 | 2026-11-24T02:00:00",
                "0 0 2 * * *       | 2026-11-23T01:59:59.9 | 2026-11-23T02:00:00",
                "* * * * * *       | 2026-12-31T23:59:59 | 2027-01-01T00:00:00",
                "*/20 * * * * *    | 2026-11-23T00:00:20 | 2026-11-23T00:00:40",
                "5/20 * * * * *    | 2026-11-23T00:00:46 | 2026-11-23T00:01:05",
                "0 17,47 3-5/2 * * * | 2026-11-23T03:47:00 | 2026-11-23T05:17:00",
                "0 0 0 * * mon-fri | 2026-11-27T00:00:00 | 2026-11-30T00:00:00",
                "0 0 0 13 * FRI    | 2026-11-23T00:00:00 | 2027-08-13T00:00:00",
                "0 0 0 29 feb *    | 2026-11-23T00:00:00 | 2028-02-29T00:00:00",
            })
    void theNextTimeIsTheFirstThatAllFieldsMeet(String schedule, LocalDateTime moment, LocalDateTime next) {
        assertEquals(Optional.of(next), CronSchedule.parse(schedule).after(moment));
    }

    @Test
    void aDayThatNeverComesHasNoTime() {
        assertEquals(
                Optional.empty(), CronSchedule.parse("0 0 0 31 2 *").after(LocalDateTime.parse("2026-11-23T00:00:00")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "off",
                "",
                "0 2 * * *",
                "60 * * * * *",
                "* * 24 * * *",
                "* * * 0 * *",
                "*/0 * * * * *",
                "5-3 * * * * *"
            })
    void refusesAnInvalidSchedule(String schedule) {
        assertThrows(IllegalArgumentException.class, () -> CronSchedule.parse(schedule));
    }
}
