package dev.numera.functions;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.fixtures.StatedBounds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that each setting must refuse, and values that it must accept. */
class SettingsTest {
    private static final Map<String, String> STORAGE = Map.of("NumeraStorage", "UseDevelopmentStorage=true");

    static Stream<String> everySetting() {
        return Settings.defaults().keySet().stream();
    }

    static Stream<Arguments> everyLimit() {
        return StatedBounds.all().entrySet().stream()
                .map(limit -> Arguments.of(
                        limit.getKey(),
                        Long.parseLong(limit.getValue().least()),
                        Long.parseLong(limit.getValue().greatest())));
    }

    private static Settings with(String setting, String value) {
        Map<String, String> values = new HashMap<>(STORAGE);
        values.put(setting, value);
        return Settings.of(values);
    }

    @ParameterizedTest
    @MethodSource("everySetting")
    void aBadValueIsRefusedByTheNameOfItsSettingAndNotShown(String setting) {
        for (String bad : List.of("s3cret value", "-1", "1.5", "99999999999999999999")) {
            ProblemException refused = assertThrows(ProblemException.class, () -> with(setting, bad), bad);

            assertEquals(ProblemType.MISCONFIGURED, refused.type());
            assertEquals(Map.of("setting", setting), refused.members());
            assertTrue(refused.getMessage().contains(setting), refused::getMessage);
            assertFalse(refused.getMessage().contains(bad), refused::getMessage);
        }
    }

    @ParameterizedTest
    @MethodSource("everySetting")
    void itsDefaultIsTakenAndSoIsNone(String setting) {
        assertDoesNotThrow(() -> with(setting, Settings.defaults().get(setting)));
        assertDoesNotThrow(() -> with(setting, " "));
    }

    @ParameterizedTest
    @MethodSource("everyLimit")
    void aLimitIsTakenFromItsLeastToItsGreatestValueAndNoFurther(String setting, long least, long greatest) {
        assertDoesNotThrow(() -> with(setting, " " + least + " "));
        assertDoesNotThrow(() -> with(setting, "" + greatest));
        assertThrows(ProblemException.class, () -> with(setting, "" + (least - 1)));
        assertThrows(ProblemException.class, () -> with(setting, "" + (greatest + 1)));
    }

    @Test
    void namesAreReadInAnyLetters() {
        assertThrows(ProblemException.class, () -> with("NUMERA_MAXWAITINGCALLS", "0"));
    }

    /** The shell that starts the app may define the variables of the examples. */
    @Test
    void variablesOfTheExamplesAreNoSettings() {
        assertDoesNotThrow(() -> with("NUMERA_URL", "http://127.0.0.1:7071/api"));
    }
}
