package dev.numera.core.snowflake;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.snowflake.LeaseSimulation.Defect;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Repeats the run of a failure's message with {@code -Dsimulation.seed=}. */
class LeaseSimulationTest {
    private static final long RUNS = Long.getLong("simulation.runs", 60);
    /** The most runs for a defect. The test ends with the first run that notices the defect. */
    private static final int RUNS_FOR_A_BUG = 2_000;

    private static final Long SEED = Long.getLong("simulation.seed");

    @Test
    void noIdIsIssuedTwiceUnderAnySchedule() {
        requireEachIdOnce(RUNS);
    }

    @Test
    @Tag("long")
    void noIdIsIssuedTwiceUnderManySchedules() {
        requireEachIdOnce(5 * RUNS);
    }

    private static void requireEachIdOnce(long runs) {
        LongStream seeds = SEED == null ? LongStream.rangeClosed(1, runs) : LongStream.of(SEED);
        long allocated = seeds.map(LeaseSimulationTest::run).sum();
        assertTrue(allocated > 100, "ids are allocated: " + allocated);
    }

    private static long run(long seed) {
        try {
            return new LeaseSimulation(seed, Defect.NOTHING).run();
        } catch (AssertionError e) {
            throw new AssertionError("Seed " + seed + ": " + e.getMessage(), e);
        }
    }

    /**
     * A test that cannot fail proves nothing. {@link Defect#ROWS_LOST_AT_ANY_TIME} is no defect but the limit of the
     * promise: a row that is lost twice within minutes.
     */
    @ParameterizedTest
    @EnumSource(value = Defect.class, mode = EnumSource.Mode.EXCLUDE, names = "NOTHING")
    void noticesEachDefect(Defect wrong) {
        assertTrue(
                LongStream.rangeClosed(1, RUNS_FOR_A_BUG).anyMatch(seed -> fails(seed, wrong)),
                () -> "No run noticed " + wrong);
    }

    private static boolean fails(long seed, Defect wrong) {
        try {
            new LeaseSimulation(seed, wrong).run();
            return false;
        } catch (AssertionError e) {
            return true;
        }
    }
}
