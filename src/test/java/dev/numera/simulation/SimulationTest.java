package dev.numera.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.numera.counter.Guarantee;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A few hundred runs of the simulation; {@code -Dsimulation.seed=} plays one of them again, from a failure's message. */
class SimulationTest {
    private static final int RUNS = 150;
    private static final Long SEED = Long.getLong("simulation.seed");

    @ParameterizedTest
    @EnumSource(Guarantee.class)
    void everyGuaranteeHoldsWhateverHappens(Guarantee guarantee) {
        LongStream seeds = SEED == null ? LongStream.rangeClosed(1, RUNS) : LongStream.of(SEED);
        seeds.forEach(seed -> Seeds.run(seed, guarantee));
    }

    @Test
    void theSameSeedPlaysTheSamePiece() {
        assertEquals(Seeds.trace(7, Guarantee.GAPLESS), Seeds.trace(7, Guarantee.GAPLESS));
        assertNotEquals(Seeds.trace(7, Guarantee.GAPLESS), Seeds.trace(8, Guarantee.GAPLESS));
    }
}
