package dev.numera.core.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.model.CounterState;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Versioned;
import dev.numera.core.retry.Deadline;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TransactionTest {
    private static final Deadline DEADLINE = Deadline.in(Duration.ofSeconds(10), TestClock.alone());

    @Test
    void shortKeysReachAsFarAsATransaction() {
        assertEquals(98, countThatFits(Collections.nCopies(1_000, "k")));
        assertEquals(98, countThatFits(Collections.nCopies(98, "k")));
        assertEquals(97, countThatFits(Collections.nCopies(97, "k")));
        assertEquals(0, countThatFits(List.of()));
    }

    @Test
    void longKeysReachAsFarAsTheLedgersRow() {
        assertEquals(30_000 / (255 + 70), countThatFits(Collections.nCopies(98, "k".repeat(255))));
        assertEquals(
                30_000 / (2 * 255 + 70),
                countThatFits(Collections.nCopies(98, "\"\\x".repeat(85).replace('x', '"'))));
    }

    @Test
    void theLedgersRowIsFilledToTheLastUnit() {
        List<String> keys = new ArrayList<>(Collections.nCopies(92, "k".repeat(255)));
        int left = WriteLimits.LEDGER_UNITS - 92 * NumberRequest.ledgerUnits("k".repeat(255));
        keys.add("k".repeat(left - NumberRequest.ledgerUnits("")));
        assertEquals(93, countThatFits(keys));
        keys.set(92, keys.get(92) + "k");
        assertEquals(92, countThatFits(keys));
    }

    @Test
    void reachFillsAGroup() {
        List<String> keys = new ArrayList<>(
                IntStream.range(0, 98).mapToObj(i -> "k".repeat(250) + i).toList());
        int reach = countThatFits(keys);
        WriteGroup group = new WriteGroup();
        group.add(call(keys.subList(0, reach - 1)));

        assertTrue(group.admits(call(keys.subList(reach - 1, reach))));
        group.add(call(keys.subList(reach - 1, reach)));
        assertFalse(group.admits(call(keys.subList(reach, reach + 1))));
    }

    /** The definition may have changed since, and the transaction would not notice. */
    @Test
    void noCounterIsOpenedByADefinitionWithoutAVersion() {
        Sequence unstored =
                StaleDefinition.of(Guarantee.STRICT, CounterFixture.NUMBERS).at(null);
        CounterState first = CounterState.first(1, Instant.EPOCH);
        Versioned<CounterState> absent = new Versioned<>(first, null);
        WaitingCall call = new WaitingCall(List.of(CounterFixture.take("a", 1)), 0, DEADLINE);
        assertThrows(
                IllegalArgumentException.class,
                () -> NumberPlan.of(
                        CounterFixture.ID,
                        absent,
                        unstored,
                        "id",
                        call.openSlots(),
                        List.of(),
                        TestLimits.DATES,
                        Instant.EPOCH));
        assertEquals(
                1,
                NumberPlan.preview(
                                CounterFixture.ID, absent, unstored, call.openSlots(), TestLimits.DATES, Instant.EPOCH)
                        .size());
    }

    private static int countThatFits(List<String> keys) {
        return Transaction.countThatFits(takes(keys));
    }

    private static WaitingCall call(List<String> keys) {
        return new WaitingCall(takes(keys), 0, DEADLINE);
    }

    private static List<NumberRequest> takes(List<String> keys) {
        return NumberRequest.ofEach(keys, 1, null, false);
    }
}
