package dev.numera.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.counter.Guarantee;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A few hundred runs of the simulation; {@code -Dsimulation.seed=} plays one of them again, from a failure's message.
 */
class SimulationTest {
    private static final int RUNS = 200;
    /** It ends with the first run that notices. */
    private static final int RUNS_FOR_A_BUG = 4_000;

    private static final Long SEED = Long.getLong("simulation.seed");

    @ParameterizedTest
    @EnumSource(value = Guarantee.class, mode = EnumSource.Mode.EXCLUDE, names = "SNOWFLAKE")
    void everyGuaranteeHoldsWhateverHappens(Guarantee guarantee) {
        LongStream seeds = SEED == null ? LongStream.rangeClosed(1, RUNS) : LongStream.of(SEED);
        seeds.forEach(seed -> Seeds.run(seed, guarantee));
    }

    /** A test that cannot fail proves nothing. */
    @Test
    void whatIsWrongIsNoticed() {
        assertNoticed(Guarantee.STRICT, WrongStore.writingUnconditionally());
        assertNoticed(Guarantee.GAPLESS, WrongStore.writingUnconditionally());
        assertNoticed(Guarantee.CACHED, WrongStore.writingUnconditionally());
        assertNoticed(Guarantee.STRICT, WrongStore.readingTheVersionApart());
        assertNoticed(Guarantee.GAPLESS, WrongStore.readingTheVersionApart());
        assertNoticed(Guarantee.CACHED, WrongStore.readingTheVersionApart());
        assertNoticed(Guarantee.STRICT, WrongStore.takingUnknownForWon());
        assertNoticed(Guarantee.GAPLESS, WrongStore.takingUnknownForWon());
        assertNoticed(Guarantee.CACHED, WrongStore.takingUnknownForWon());
        assertNoticed(Guarantee.CACHED, WrongStore.forgettingTheEpoch());
        assertNoticed(Guarantee.STRICT, WrongStore.answeringApart());
        assertNoticed(Guarantee.CACHED, WrongStore.answeringApart());
        assertNoticed(Guarantee.GAPLESS, WrongStore.answeringWhateverBecameOfTheAsk());
        assertNoticed(Guarantee.GAPLESS, WrongStore.postingUnconditionally());
        for (Guarantee guarantee : Seeds.COUNTED) {
            assertNoticed(guarantee, WrongStore.markingUnconditionally());
            assertNoticed(guarantee, WrongStore.openingUnconditionally());
        }
    }

    private static void assertNoticed(Guarantee guarantee, WrongStore.Wrong wrong) {
        assertTrue(
                LongStream.rangeClosed(1, RUNS_FOR_A_BUG)
                        .parallel()
                        .anyMatch(seed -> Seeds.fails(seed, guarantee, wrong)),
                () -> "No run of " + guarantee + " noticed what is wrong.");
    }

    @Test
    void theSameSeedPlaysTheSamePiece() {
        assertEquals(Seeds.trace(7, Guarantee.GAPLESS), Seeds.trace(7, Guarantee.GAPLESS));
        assertNotEquals(Seeds.trace(7, Guarantee.GAPLESS), Seeds.trace(8, Guarantee.GAPLESS));
    }
}
