package dev.numera.maintain.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.maintain.history.ObservedCall.Purpose;
import dev.numera.maintain.history.ObservedOutcome.Allocated;
import dev.numera.maintain.history.ObservedOutcome.NoNumbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StatusCheckerTest {
    private static final KeyStatus VOIDED = KeyStatus.voided("lost");

    private final List<ObservedCall> calls = new ArrayList<>();
    private final List<ObservedStatusChange> changes = new ArrayList<>();

    @Test
    void aReservationThatIsConfirmedAndVoidedIsSound() {
        reserved(0, 10);
        changed(11, 20, KeyStatus.ISSUED);
        answered(Purpose.RESERVATION, 21, 30, true, KeyStatus.ISSUED);
        changed(31, 40, VOIDED);
        changed(41, 50, VOIDED);
        refused(51, 60, KeyStatus.ISSUED, "status-final");
        answered(Purpose.RESERVATION, 61, 70, true, VOIDED);

        assertSound(VOIDED);
    }

    @Test
    void concurrentChangesMayTakeEffectInEitherOrder() {
        reserved(0, 10);
        changed(11, 30, VOIDED);
        changed(12, 29, KeyStatus.ISSUED);

        assertSound(VOIDED);
    }

    @Test
    void aChangeWithoutAnAnswerMayHaveTakenEffectOrNot() {
        reserved(0, 10);
        unanswered(11, 20, VOIDED);

        assertSound(VOIDED);
        assertSound(KeyStatus.RESERVED);
        assertBroken(KeyStatus.ISSUED, "no call can have made it ISSUED");
    }

    @Test
    void aVoidIsFinal() {
        answered(Purpose.NUMBERS, 0, 10, false, KeyStatus.ISSUED);
        changed(11, 20, VOIDED);
        changed(21, 30, KeyStatus.ISSUED);

        assertBroken(VOIDED, "it was VOID (lost), and later ISSUED");
    }

    @Test
    void aConfirmationIsNotTakenBack() {
        reserved(0, 10);
        changed(11, 20, KeyStatus.ISSUED);

        assertBroken(KeyStatus.RESERVED, "it was ISSUED, and later RESERVED");
    }

    @Test
    void aReplayShowsWhatWasAnsweredBefore() {
        answered(Purpose.NUMBERS, 0, 10, false, KeyStatus.ISSUED);
        changed(11, 20, VOIDED);
        answered(Purpose.NUMBERS, 21, 30, true, KeyStatus.ISSUED);

        assertBroken(VOIDED, "it was VOID (lost), and later ISSUED");
    }

    @Test
    void aKeyIsVoidedForOneReason() {
        answered(Purpose.NUMBERS, 0, 10, false, KeyStatus.ISSUED);
        changed(11, 20, VOIDED);
        changed(21, 30, KeyStatus.voided("stolen"));

        assertBroken(VOIDED, "it was voided twice: VOID (lost) and VOID (stolen)");
    }

    @Test
    void aRefusalAsFinalMeansThatItIsVoid() {
        answered(Purpose.NUMBERS, 0, 10, false, KeyStatus.ISSUED);
        refused(11, 20, VOIDED, "status-final");

        assertBroken(KeyStatus.ISSUED, "it was VOID, and later ISSUED", "no call can have made it VOID");
    }

    @Test
    void whatNoCallRequestedIsBroken() {
        answered(Purpose.NUMBERS, 0, 10, true, KeyStatus.RESERVED);
        calls.add(call(Purpose.NUMBERS, 0, 5, new NoNumbers(NoNumbers.NO_ANSWER)));

        assertBroken(KeyStatus.ISSUED, "no call can have made it RESERVED");
    }

    @Test
    void aRefusedChangeChangedNothing() {
        reserved(0, 10);
        refused(11, 20, KeyStatus.ISSUED, "overloaded");

        assertSound(KeyStatus.RESERVED);
        assertBroken(KeyStatus.ISSUED, "no call can have made it ISSUED");
    }

    @Test
    void aStatusIsNotSeenBeforeItsCallWasSent() {
        reserved(0, 10);
        answered(Purpose.RESERVATION, 11, 20, true, KeyStatus.ISSUED);
        changed(21, 30, KeyStatus.ISSUED);

        assertBroken(KeyStatus.ISSUED, "no call can have made it ISSUED");
    }

    @Test
    void newNumbersHaveTheRequestedStatus() {
        answered(Purpose.RESERVATION, 0, 10, false, KeyStatus.ISSUED);

        assertTrue(messages(KeyStatus.ISSUED).contains("key 'a': requested as RESERVED, answered as ISSUED"));
    }

    @Test
    void aChangeThatWasDoneShowsWhatWasWanted() {
        reserved(0, 10);
        changes.add(new ObservedStatusChange("p", "c", 11, 20, "a", VOIDED, KeyStatus.RESERVED, null, false));

        assertBroken(KeyStatus.RESERVED, "wanted VOID (lost), answered as RESERVED");
    }

    @Test
    void aKeyIsUnknownOnlyBeforeItsNumbersWereAnswered() {
        reserved(0, 10);
        refused(5, 20, VOIDED, "unknown-key");
        assertSound(KeyStatus.RESERVED);

        refused(11, 20, VOIDED, "unknown-key");
        assertBroken(KeyStatus.RESERVED, "the key was unknown after its numbers were answered");
    }

    @Test
    void aKeyWithAStatusIsInTheLedger() {
        reserved(0, 10);

        assertEquals(
                List.of("key 'a': the ledger does not hold the key"),
                new StatusChecker(calls, changes, Map.of())
                        .violations().stream().map(Violation::what).toList());
    }

    @Test
    void aKeyFromBeforeTheHistoryMayHaveAnyStatus() {
        answered(Purpose.NUMBERS, 0, 10, true, KeyStatus.RESERVED);

        assertSound(KeyStatus.RESERVED);
    }

    private void reserved(long startNanos, long answeredNanos) {
        answered(Purpose.RESERVATION, startNanos, answeredNanos, false, KeyStatus.RESERVED);
    }

    private void answered(Purpose purpose, long startNanos, long answeredNanos, boolean replayed, KeyStatus status) {
        calls.add(call(purpose, startNanos, answeredNanos, new Allocated(1, 1, 1, 1, replayed, status)));
    }

    private static ObservedCall call(Purpose purpose, long startNanos, long answeredNanos, ObservedOutcome outcome) {
        return new ObservedCall("p", "c", startNanos, answeredNanos, "a", 1, outcome, purpose);
    }

    private void changed(long startNanos, long answeredNanos, KeyStatus wanted) {
        changes.add(new ObservedStatusChange("p", "c", startNanos, answeredNanos, "a", wanted, wanted, null, false));
    }

    private void refused(long startNanos, long answeredNanos, KeyStatus wanted, String problem) {
        changes.add(new ObservedStatusChange("p", "c", startNanos, answeredNanos, "a", wanted, null, problem, false));
    }

    private void unanswered(long startNanos, long answeredNanos, KeyStatus wanted) {
        changes.add(new ObservedStatusChange(
                "p", "c", startNanos, answeredNanos, "a", wanted, null, NoNumbers.NO_ANSWER, true));
    }

    private List<String> messages(KeyStatus atEnd) {
        return new StatusChecker(calls, changes, Map.of("a", atEnd))
                .violations().stream().map(Violation::what).toList();
    }

    private void assertSound(KeyStatus atEnd) {
        assertEquals(List.of(), messages(atEnd));
    }

    private void assertBroken(KeyStatus atEnd, String... expected) {
        assertEquals(List.of(expected).stream().map(what -> "key 'a': " + what).toList(), messages(atEnd));
    }
}
