package dev.numera.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.CounterStates;
import dev.numera.execution.Deadline;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import dev.numera.model.ChangeNote;
import dev.numera.model.CounterId;
import dev.numera.model.CounterState;
import dev.numera.model.Guarantee;
import dev.numera.model.Request;
import dev.numera.model.SequenceName;
import dev.numera.model.Series;
import dev.numera.model.Take;
import dev.numera.model.Versioned;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GroupTest {
    private static final Versioned<CounterState> BASE = new Versioned<>(CounterState.first(1, Instant.EPOCH), "v1");

    private final Group group = new Group();

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
        int room = Group.MAX_LEDGER_UNITS / Take.ledgerUnits(plain + "000");
        IntStream.range(0, room).forEach(ordinal -> group.add(keyed(plain + (100 + ordinal))));
        assertFalse(group.admits(keyed(plain + "999")));
        assertTrue(room < Group.MAX_ROWS && group.admits(keyed((String) null)));
    }

    @Test
    void aLedgerRowIsFilledToTheLastUnit() {
        IntStream.range(100, 192).forEach(ordinal -> group.add(keyed("k".repeat(252) + ordinal)));
        int left = Group.MAX_LEDGER_UNITS - 92 * Take.ledgerUnits("k".repeat(255));
        String last = "k".repeat(left - Take.ledgerUnits(""));
        assertTrue(group.admits(keyed(last)));
        assertFalse(group.admits(keyed(last + "k")));
    }

    @Test
    void quotesAndBackslashesCountTwice() {
        assertEquals(Take.ledgerUnits("aaaa") + 2, Take.ledgerUnits("a\"\\a"));
    }

    @Test
    void anythingAloneIsAdmitted() {
        assertTrue(group.admits(keyed(IntStream.range(0, 98)
                .mapToObj(ordinal -> "\"".repeat(250) + ordinal)
                .toArray(String[]::new))));
    }

    @Test
    void onlyAllocationsShareAWrite() {
        assertTrue(group.admits(call(new Request.Advance(9, ChangeNote.NONE))));
        group.add(call(new Request.Advance(9, ChangeNote.NONE)));
        assertFalse(group.admits(keyed("key")));
        assertFalse(group.admits(call(new Request.Advance(9, ChangeNote.NONE))));

        Group allocations = new Group();
        allocations.add(keyed("key"));
        assertFalse(allocations.admits(call(new Request.Skip(1, ChangeNote.NONE))));
        assertTrue(allocations.admits(call(Take.block(100))));
    }

    @Test
    void noCallJoinsAFrozenGroup() {
        group.add(keyed("key"));
        group.freeze(plan());
        assertTrue(group.isFrozen());
        assertFalse(group.admits(keyed((String) null)));
        group.thaw();
        assertTrue(group.admits(keyed((String) null)));
    }

    @Test
    void theIdStaysWhileItIsFrozenAndNoLonger() {
        group.add(keyed("key"));
        String id = group.operationId();
        assertFalse(isWrittenIn(state(id)));
        group.freeze(plan());
        assertEquals(id, group.operationId());
        assertTrue(isWrittenIn(state(id)));
        group.thaw();
        assertNotEquals(id, group.operationId());
        assertFalse(isWrittenIn(state(id)));
    }

    @Test
    void answeredCallMakesRoom() {
        Call first = keyed(
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
        Call answered = keyed("answered");
        group.add(answered);
        IntStream.range(0, 97).forEach(ordinal -> group.add(keyed("key " + ordinal)));
        answered.refuseRest(new ProblemException(ProblemType.EXHAUSTED, "None left."));
        group.dismissAnswered();
        assertFalse(group.admits(keyed("one", "two")));
        assertTrue(group.admits(keyed("answered")));
    }

    @Test
    void callWithSeveralRequestsIsAnsweredOnce() {
        Call call = keyed("one", "two");
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
                StaleTerms.of(Guarantee.STRICT, series),
                "id",
                List.of(),
                List.of(),
                TestLimits.DATES,
                Instant.EPOCH);
    }

    private static CounterState state(String operationId) {
        return CounterStates.of(1, 0, 1, operationId, Instant.EPOCH);
    }

    private static Call keyed(String... keys) {
        return call(Arrays.stream(keys)
                .map(key -> new Take(key, 1, null).on(LocalDate.EPOCH))
                .toArray(Request[]::new));
    }

    private static Call call(Request... requests) {
        return new Call(List.of(requests), 0, new Deadline(TestClock.alone(), 0, 1_000));
    }
}
