package dev.numera.simulation;

import dev.numera.core.model.Guarantee;
import dev.numera.fixtures.Effort;
import dev.numera.simulation.SmallScenario.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every schedule of a few calls, with more faults or calls than in {@link EveryScheduleTest}, on all processors. Set
 * {@code -Dschedules.faults=} for still more faults, and {@code -Dtimes=2} for every setting.
 */
@Tag("long")
class EveryScheduleIT {
    private static final Logger LOG = Logger.getLogger(EveryScheduleIT.class.getName());
    private static final int MORE_FAULTS = Integer.getInteger("schedules.faults", 0);

    @Test
    void keepsEveryPromiseInEachSchedule() throws Exception {
        ExecutorService processors =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            List<Callable<Exploration.Enumerated>> explorations = new ArrayList<>();
            Arrays.stream(Setting.values()).forEach(setting -> Seeds.COUNTED.stream()
                    .filter(setting::isFor)
                    .filter(guarantee -> Effort.isMore() || isOfItsOwn(guarantee, setting))
                    .forEach(guarantee -> explorations.add(() -> explored(guarantee, setting))));
            long schedules = 0;
            long cut = 0;
            for (Future<Exploration.Enumerated> result : processors.invokeAll(explorations)) {
                schedules += result.get().schedules();
                cut += result.get().cut();
            }
            String all = schedules + " schedules, and " + cut + " cut";
            LOG.info(() -> "All: " + all);
        } finally {
            processors.shutdownNow();
        }
    }

    private static Exploration.Enumerated explored(Guarantee guarantee, Setting setting) {
        int faults = faults(guarantee, setting) + MORE_FAULTS;
        Exploration.Enumerated result = Exploration.requireSound(setting.of(guarantee), faults);
        LOG.info(() -> guarantee + " " + setting + " with " + faults + " faults: " + result);
        return result;
    }

    /**
     * Whether the setting is explored for this guarantee. The two settings with the most schedules take most of the
     * time, so each of them runs for one guarantee.
     */
    private static boolean isOfItsOwn(Guarantee guarantee, Setting setting) {
        return switch (setting) {
            case PEERS_AGAIN -> guarantee == Guarantee.GAPLESS;
            case RESTORE_BETWEEN_CALLS -> guarantee == Guarantee.STRICT;
            default -> true;
        };
    }

    private static int faults(Guarantee guarantee, Setting setting) {
        return switch (setting) {
            case PAIR -> 2;
            case PLAIN -> guarantee == Guarantee.CACHED ? 2 : 1;
            case FIRST -> guarantee == Guarantee.CACHED && Effort.isMore() ? 2 : 1;
            case KEYS, ADVANCE -> 1;
            case TOGETHER, PEERS, PEERS_AGAIN, RESTORE, RESTORE_BETWEEN_CALLS -> 0;
        };
    }
}
