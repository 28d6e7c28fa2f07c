package dev.numera.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.CounterStates;
import dev.numera.contract.Defined;
import dev.numera.core.format.ResetEvery;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CounterStateTest {
    private static final Instant NOW = Instant.ofEpochMilli(1_000_000);
    private static final FixedFields UP = fixed(new Series(1, 1, 1, 1_000, false));
    private static final FixedFields DOWN = fixed(new Series(1_000, -1, 1, 1_000, false));
    private static final FixedFields CYCLE = fixed(new Series(1, 1, 1, 1_000, true));

    @Test
    void theNextEpochIsTheTimeButAlwaysALaterOne() {
        assertEquals(1_000_000, at(5, 3, 1).inNewEpoch(9, "op", NOW).epoch());
        assertEquals(1_000_001, at(5, 3, 1_000_000).inNewEpoch(9, "op", NOW).epoch());
        assertEquals(2_000_001, at(5, 3, 2_000_000).inNewEpoch(9, "op", NOW).epoch());
        assertEquals(
                new CounterState(9, 3, 1_000_000, 0, List.of("op", "op"), NOW, null, null, null, null),
                at(5, 3, 1).inNewEpoch(9, "op", NOW));
    }

    @Test
    void behindIsALowerNextNumberInTheDirectionOfTheSeries() {
        assertTrue(at(5, 4, 1).isBehind(at(6, 4, 1), UP));
        assertFalse(at(6, 4, 1).isBehind(at(6, 4, 1), UP));
        assertFalse(at(7, 6, 1).isBehind(at(6, 5, 1), UP));
        assertTrue(at(6, 4, 1).isBehind(at(5, 4, 1), DOWN));
        assertFalse(at(4, 6, 1).isBehind(at(5, 5, 1), DOWN));
    }

    @Test
    void behindIsALowerCountInTheSameEpoch() {
        assertTrue(at(9, 4, 1).isBehind(at(5, 5, 1), CYCLE));
        assertTrue(at(9, 4, 1).isBehind(at(9, 5, 1), UP));
    }

    /**
     * Epochs only rise, with the clock or by one. A lower epoch is from an older table, whatever its next number is.
     */
    @Test
    void behindIsALowerEpoch() {
        assertTrue(at(9, 9, 1).isBehind(at(5, 5, 2), UP));
        assertTrue(at(5, 5, 1).isBehind(at(5, 5, 2), UP));
        assertTrue(at(1, 9, 1).isBehind(at(5, 5, 2), DOWN));
        assertFalse(at(9, 1, 2).isBehind(at(5, 5, 1), UP));
    }

    @Test
    void behindIsALowerNextNumberInARoundOfACycle() {
        assertTrue(at(2, 10, 2).isBehind(at(900, 5, 1), CYCLE));
        CounterState wrapped = at(900, 5, 1).rounds(1, NOW).allocated(1, 2, 6, null, "op", NOW);
        assertEquals(1_000_000, wrapped.epoch());
        assertEquals(1, wrapped.round());
        assertFalse(wrapped.isBehind(at(900, 5, 1), CYCLE));
        assertTrue(at(900, 5, 1).isBehind(wrapped, CYCLE));
    }

    @Test
    void theLastEightOperationsAreKnown() {
        CounterState state = CounterState.first(1, NOW);
        for (int number = 1; number <= 7; number++) {
            CounterState before = state;
            state = state.allocated(number, number + 1, number, null, "op " + number, NOW);
            assertTrue(state.knowsAllSince(before));
            assertTrue(state.isWrittenBy("op 1"));
        }
        assertTrue(state.knowsAllSince(CounterState.first(1, NOW)));
        assertEquals("op 7", state.operationId());
        state = state.inNewEpoch(9, "op 8", NOW);
        assertFalse(state.knowsAllSince(CounterState.first(1, NOW)));
        assertTrue(state.isWrittenBy("op 1"));
        state = state.imported(9, null, null, "op 9", NOW);
        assertFalse(state.isWrittenBy("op 1"));
        assertEquals(CounterState.MAX_OPERATION_IDS, state.operationIds().size());
    }

    @Test
    void theFirstEpochIsTheTime() {
        assertEquals(CounterStates.of(7, 0, 1_000_000, "", NOW), CounterState.first(7, NOW));
    }

    /** The pace counts the allocated numbers since this time. Imported and skipped numbers do not count. */
    @Test
    void theTimeOfTheFirstNumbersThatCountIsKept() {
        CounterState begun = CounterState.first(7, NOW)
                .imported(9, null, 1L, "op", NOW.plusSeconds(1))
                .inNewEpoch(50, "op", NOW.plusSeconds(2));
        assertNull(begun.firstAllocatedAt());
        assertNull(begun.allocated(50, 50, 0, null, "op", NOW.plusSeconds(3)).firstAllocatedAt());

        CounterState opened = begun.allocated(50, 51, 1, null, "op", NOW.plusSeconds(4));
        assertEquals(NOW.plusSeconds(4), opened.firstAllocatedAt());
        assertEquals(
                NOW.plusSeconds(4),
                opened.allocated(51, 52, 2, null, "op", NOW.plusSeconds(5))
                        .inNewEpoch(90, "op", NOW.plusSeconds(6))
                        .imported(95, null, 1L, "op", NOW.plusSeconds(7))
                        .perhapsAllocated()
                        .firstAllocatedAt());
    }

    @Test
    void timeOfFirstNumbersOfAnOlderVersionIsUnknown() {
        assertNull(at(5, 3, 1).allocated(5, 6, 4, null, "op", NOW).firstAllocatedAt());
    }

    @Test
    void noEpochExcusesALowerNextNumberInOneRound() {
        assertTrue(at(5, 9, 2).isBehind(at(6, 5, 1), UP));
        assertTrue(at(6, 9, 2).isBehind(at(5, 5, 1), DOWN));
        assertTrue(at(5, 9, 2).isBehind(at(6, 5, 1), CYCLE));
    }

    private static FixedFields fixed(Series series) {
        return Defined.definition(Guarantee.STRICT, series, ResetEvery.NEVER).fixed();
    }

    private static CounterState at(long next, long allocated, long epoch) {
        return CounterStates.of(next, allocated, epoch, "op", NOW);
    }
}
