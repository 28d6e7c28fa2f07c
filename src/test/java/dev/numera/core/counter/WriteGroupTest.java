package dev.numera.core.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.CounterStates;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Series;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Deadline;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WriteGroupTest {
    private static final Versioned<CounterState> BASE = new Versioned<>(CounterState.first(1, Instant.EPOCH), "v1");

    private final WriteGroup group = new WriteGroup();

    @Test
    void takes98KeysAndNotOneMore() {
        IntStream.range(0, 97).forEach(ordinal -> group.add(keyed("key " + ordinal)));
        assertFalse(group.admits(keyed("one", "two")));
        assertTrue(group.admits(keyed("one")));
        group.add(keyed("one"));
        assertFalse(group.admits(keyed("two")));
    }

    @Test
    void aKeyThatIsInItTakesNoRoom() {
        IntStream.range(0, 98).forEach(ordinal -> group.add(keyed("key " + ordinal)));
        assertTrue(group.admits(keyed("key 7", "key 7", "key 97")));
        assertTrue(group.admits(keyed((String) null)));
    }

    @Test
    void closesBeforeItsLedgerRowIsTooLong() {
        String plain = "k".repeat(252);
        int room = WriteLimits.LEDGER_UNITS / NumberRequest.ledgerUnits(plain + "000");
        IntStream.range(0, room).forEach(ordinal -> group.add(keyed(plain + (100 + ordinal))));
        assertFalse(group.admits(keyed(plain + "999")));
        assertTrue(room < WriteLimits.KEYS && group.admits(keyed((String) null)));
    }

    @Test
    void aLedgerRowIsFilledToTheLastUnit() {
        IntStream.range(100, 192).forEach(ordinal -> group.add(keyed("k".repeat(252) + ordinal)));
        int left = WriteLimits.LEDGER_UNITS - 92 * NumberRequest.ledgerUnits("k".repeat(255));
        String last = "k".repeat(left - NumberRequest.ledgerUnits(""));
        assertTrue(group.admits(keyed(last)));
        assertFalse(group.admits(keyed(last + "k")));
    }

    @Test
    void quotesAndBackslashesCountTwice() {
        assertEquals(NumberRequest.ledgerUnits("aaaa") + 2, NumberRequest.ledgerUnits("a\"\\a"));
    }

    @Test
    void anythingAloneIsAdmitted() {
        assertTrue(group.admits(keyed(IntStream.range(0, 98)
                .mapToObj(ordinal -> "\"".repeat(250) + ordinal)
                .toArray(String[]::new))));
    }

    /** A look-up for the group is useful until its last caller gives up. */
    @Test
    void itsDeadlineIsTheLatestOfItsCallers() {
        group.add(waiting(2_000));
        group.add(waiting(3_000));
        group.add(waiting(1_000));
        assertEquals(3_000, group.deadline().nanos());
    }

    private static WaitingCall waiting(long deadlineNanos) {
        List<CounterRequest> one = List.of(new NumberRequest(null, 1, null).on(LocalDate.EPOCH));
        return new WaitingCall(one, 0, new Deadline(TestClock.alone(), 0, deadlineNanos));
    }

    @Test
    void onlyAllocationsShareAWrite() {
        assertTrue(group.admits(call(new CounterRequest.Advance(9, ChangeNote.NONE))));
        group.add(call(new CounterRequest.Advance(9, ChangeNote.NONE)));
        assertFalse(group.admits(keyed("key")));
        assertFalse(group.admits(call(new CounterRequest.Advance(9, ChangeNote.NONE))));

        WriteGroup allocations = new WriteGroup();
        allocations.add(keyed("key"));
        assertFalse(allocations.admits(call(new CounterRequest.Skip(1, ChangeNote.NONE))));
        assertTrue(allocations.admits(call(NumberRequest.block(100))));
    }

    @Test
    void noCallJoinsAFrozenGroup() {
        group.add(keyed("key"));
        group.freezeOn(plan());
        assertTrue(group.isFrozen());
        assertFalse(group.admits(keyed((String) null)));
        group.reopen();
        assertTrue(group.admits(keyed((String) null)));
    }

    @Test
    void theIdStaysWhileItIsFrozenAndNoLonger() {
        group.add(keyed("key"));
        String id = group.operationId();
        assertFalse(isWrittenIn(state(id)));
        group.freezeOn(plan());
        assertEquals(id, group.operationId());
        assertTrue(isWrittenIn(state(id)));
        group.reopen();
        assertNotEquals(id, group.operationId());
        assertFalse(isWrittenIn(state(id)));
    }

    @Test
    void answeredCallMakesRoom() {
        WaitingCall first = keyed(
                IntStream.range(0, 98).mapToObj(ordinal -> "key " + ordinal).toArray(String[]::new));
        group.add(first);
        first.refuseRest(new ProblemException(ProblemType.EXHAUSTED, "None left."));
        group.dismissAnswered();
        assertTrue(first.answers().isDone());
        assertTrue(group.isEmpty());
        group.add(keyed("key 1"));
        assertTrue(group.admits(keyed("key 2")));
    }

    @Test
    void anAnsweredCallMakesNoRoomButItsOwn() {
        WaitingCall answered = keyed("answered");
        group.add(answered);
        IntStream.range(0, 97).forEach(ordinal -> group.add(keyed("key " + ordinal)));
        answered.refuseRest(new ProblemException(ProblemType.EXHAUSTED, "None left."));
        group.dismissAnswered();
        assertFalse(group.admits(keyed("one", "two")));
        assertTrue(group.admits(keyed("answered")));
    }

    @Test
    void callWithSeveralRequestsIsAnsweredOnce() {
        WaitingCall call = keyed("one", "two");
        group.add(call);
        group.openSlots().get(0).refuse(new ProblemException(ProblemType.EXHAUSTED, "None left."));
        group.dismissAnswered();
        assertFalse(call.answers().isDone());
        assertEquals(1, group.openSlots().size());
    }

    private boolean isWrittenIn(CounterState state) {
        return group.state() instanceof GroupState.Pending pending && state.isWrittenBy(pending.operationId());
    }

    private static Plan plan() {
        Series series = new Series(1, 1, 1, 10, false);
        return GroupPlanner.planOf(
                new CounterId(new SequenceName("a", "b"), ""),
                BASE,
                StaleDefinition.of(Guarantee.STRICT, series),
                "id",
                List.of(),
                List.of(),
                TestLimits.DATES,
                Instant.EPOCH);
    }

    private static CounterState state(String operationId) {
        return CounterStates.of(1, 0, 1, operationId, Instant.EPOCH);
    }

    private static WaitingCall keyed(String... keys) {
        return call(Arrays.stream(keys)
                .map(key -> new NumberRequest(key, 1, null).on(LocalDate.EPOCH))
                .toArray(CounterRequest[]::new));
    }

    private static WaitingCall call(CounterRequest... requests) {
        return new WaitingCall(List.of(requests), 0, new Deadline(TestClock.alone(), 0, 1_000));
    }
}
