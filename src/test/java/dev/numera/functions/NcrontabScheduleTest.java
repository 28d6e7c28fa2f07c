package dev.numera.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Schedules that the host cannot run. The app names such a setting at its start, because a backup that never runs would
 * be noticed too late.
 */
class NcrontabScheduleTest {
    private static final Map<String, String> BY_URIS = Map.of(
            "NumeraStorage__tableServiceUri",
            "https://t.example",
            "NumeraStorage__queueServiceUri",
            "https://q.example");

    private static Settings settings(String schedule) {
        return Settings.of(Map.of("NumeraStorage__accountName", "named", "Numera_BackupSchedule", schedule));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "off",
                "",
                "0 0 2 * * *",
                "*/30 5-10/2,17 0 1 jan-mar,12 Mon-Fri",
                "0 0 */6 * * *",
                " 0 0 2 * * 0 "
            })
    void acceptsSchedulesThatTheHostAccepts(String schedule) {
        settings(schedule);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "never",
                "02:00:00",
                "0 2 * * *",
                "0 0 2 * * * *",
                "60 * * * * *",
                "* 60 * * * *",
                "* * 24 * * *",
                "* * * 0 * *",
                "* * * * 13 *",
                "* * * * * 7",
                "5-3 * * * * *",
                "*/0 * * * * *",
                "1,,2 * * * * *",
                "? * * * * *"
            })
    void anythingElseIsNamedAndNotShown(String schedule) {
        ProblemException problem = assertThrows(ProblemException.class, () -> settings(schedule));

        assertEquals(ProblemType.MISCONFIGURED, problem.type());
        assertEquals(Map.of("setting", "Numera_BackupSchedule"), problem.members());
        assertFalse(problem.getMessage().contains("'" + schedule + "'"), problem::getMessage);
    }

    @Test
    void backupsRequireABlobAddress() {
        Settings.of(BY_URIS);
        Map<String, String> scheduled = new HashMap<>(BY_URIS);
        scheduled.put("Numera_BackupSchedule", "0 0 2 * * *");

        ProblemException problem = assertThrows(ProblemException.class, () -> Settings.of(scheduled));
        assertEquals(Map.of("setting", "NumeraStorage__blobServiceUri"), problem.members());

        scheduled.put("NumeraStorage__blobServiceUri", "https://b.example");
        Settings.of(scheduled);
    }
}
