package dev.numera.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.numera.core.model.Guarantee;
import dev.numera.simulation.SmallScenario.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every schedule of a few calls, for some seconds. {@link EveryScheduleIT} explores more of them. */
class EveryScheduleTest {
    private static final Logger LOG = Logger.getLogger(EveryScheduleTest.class.getName());
    private static final Set<Setting> LONG =
            EnumSet.of(Setting.TOGETHER, Setting.PEERS_AGAIN, Setting.RESTORE, Setting.RESTORE_BETWEEN_CALLS);

    static Stream<Arguments> settings() {
        return Arrays.stream(Setting.values())
                .filter(setting -> !LONG.contains(setting))
                .flatMap(setting -> Seeds.COUNTED.stream()
                        .filter(setting::isFor)
                        .map(guarantee -> Arguments.of(guarantee, setting, faults(guarantee, setting))));
    }

    /** Returns as many faults as keep the enumeration short. */
    private static int faults(Guarantee guarantee, Setting setting) {
        return switch (setting) {
            case PAIR -> 1;
            case PLAIN, ADVANCE, FIRST -> guarantee == Guarantee.CACHED ? 1 : 0;
            default -> 0;
        };
    }

    @ParameterizedTest
    @MethodSource("settings")
    void keepsEveryPromiseInEachSchedule(Guarantee guarantee, Setting setting, int faults) {
        Exploration.Enumerated result = Exploration.requireSound(setting.of(guarantee), faults);
        LOG.info(() -> guarantee + " " + setting + " with " + faults + " faults: " + result);
    }

    /** A test that cannot fail proves nothing. */
    @ParameterizedTest
    @CsvSource({
        "STRICT_WRITING_UNCONDITIONALLY, PAIR, 0",
        "CACHED_WRITING_UNCONDITIONALLY, PAIR, 0",
        "STRICT_READING_THE_VERSION_APART, PAIR, 0",
        "GAPLESS_READING_THE_VERSION_APART, PAIR, 0",
        "STRICT_TAKING_UNKNOWN_FOR_WON, PAIR, 1",
        "GAPLESS_TAKING_UNKNOWN_FOR_WON, PAIR, 1",
        "CACHED_TAKING_UNKNOWN_FOR_WON, PAIR, 1",
        "CACHED_FORGETTING_THE_EPOCH, ADVANCE, 0",
        "STRICT_ANSWERING_APART, PEERS, 1"
    })
    void findsPlantedBug(Bug bug, Setting setting, int faults) {
        Exploration.Enumerated result =
                new Exploration(setting.of(bug.guarantee), bug.wrong, faults, Seeds.THREADS).run();
        assertNotNull(result.failure(), () -> "No schedule of " + result + " noticed " + bug);
        LOG.info(() -> bug + " was found after " + result);
    }

    @Test
    void sameChoicesRepeatTheSameRun() {
        List<List<String>> traces = new ArrayList<>();
        for (int run = 0; run < 2; run++) {
            List<String> trace = new ArrayList<>();
            new SmallRun(
                            Setting.KEYS.of(Guarantee.GAPLESS),
                            WrongStore.Wrong.NOTHING,
                            2,
                            (moves, faultsLeft) -> moves.size() - 1,
                            Seeds.THREADS,
                            trace)
                    .run();
            traces.add(trace);
        }
        PlainIds one = new PlainIds();
        PlainIds other = new PlainIds();
        assertEquals(
                traces.get(0).stream().map(line -> one.plain("", line)).toList(),
                traces.get(1).stream().map(line -> other.plain("", line)).toList());
    }
}
