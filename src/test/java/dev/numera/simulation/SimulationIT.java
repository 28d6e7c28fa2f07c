package dev.numera.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.core.model.Guarantee;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * 2,000 runs of the simulation, each with a seed of its own, on all processors. The guarantees take turns, and
 * {@code -Dsimulation.runs} sets another number of runs.
 */
@Tag("long")
class SimulationIT {
    private static final long RUNS = Long.getLong("simulation.runs", 2_000);
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    @Test
    void everyGuaranteeHoldsUnderFaults() throws Exception {
        AtomicLong seed = new AtomicLong();
        ExecutorService processors = Executors.newFixedThreadPool(PROCESSORS);
        try {
            List<Callable<Long>> players = new ArrayList<>();
            for (int player = 0; player < PROCESSORS; player++) {
                players.add(() -> play(seed));
            }
            long played = 0;
            for (Future<Long> player : processors.invokeAll(players)) {
                played += player.get();
            }
            assertEquals(RUNS, played);
        } finally {
            processors.shutdownNow();
        }
    }

    private static long play(AtomicLong seed) {
        Guarantee[] guarantees = Seeds.COUNTED.toArray(Guarantee[]::new);
        long played = 0;
        for (long own = seed.incrementAndGet(); own <= RUNS; own = seed.incrementAndGet()) {
            Seeds.run(own, guarantees[(int) (own % guarantees.length)]);
            played++;
        }
        return played;
    }
}
