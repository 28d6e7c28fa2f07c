package dev.numera.core.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.CounterStates;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Series;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Deadline;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plans of a sequence with ascending dates: a higher number never has an earlier date. */
class AscendingDatesTest {
    private static final Deadline DEADLINE = Deadline.in(Duration.ofSeconds(10), TestClock.alone());
    private static final CounterId ID = new CounterId(new SequenceName("Test", "invoice"), "");
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 21);
    private static final Instant NOW = Instant.parse("2026-11-21T23:59:00Z");

    private static final Sequence PLAIN = StaleDefinition.of(Guarantee.GAPLESS, new Series(1, 1, 1, 1_000, false));

    private Sequence definition = StaleDefinition.ordered(PLAIN);
    private LocalDate last;

    private CounterState state() {
        return CounterStates.of(5, 4, 7, "before", NOW.minusSeconds(9), last);
    }

    private Plan plan(List<CounterRequest> requests, PeerRequest... takes) {
        return planOfCalls(requests.stream().map(List::of).toList(), takes);
    }

    private Plan planOfCalls(List<List<CounterRequest>> calls, PeerRequest... takes) {
        List<WaitingCall.Slot> slots = calls.stream()
                .flatMap(requests -> new WaitingCall(requests, 0, DEADLINE).openSlots().stream())
                .toList();
        return GroupPlanner.planOf(
                ID, new Versioned<>(state(), "v1"), definition, "id", slots, List.of(takes), TestLimits.DATES, NOW);
    }

    private static CounterRequest dated(String key, LocalDate date) {
        return new NumberRequest(key, 1, date).on(date);
    }

    private static NumberRequest unsaid(String key, LocalDate date) {
        return new NumberRequest(key, 1, null).on(date);
    }

    private static PeerRequest posted(NumberRequest... requests) {
        return new PeerRequest("process", "request", List.of(requests)).at("a1");
    }

    private static List<String> ledger(Plan plan) {
        return plan.allocations().stream()
                .map(allocation -> allocation.first() + " " + allocation.key() + " " + allocation.date())
                .toList();
    }

    private static ProblemException refusal(Plan plan) {
        assertEquals(1, plan.refused().size());
        return plan.refused().get(0).result().refusal();
    }

    @Test
    void callsThatAreMergedAreNumberedInTheOrderOfTheirDates() {
        Plan plan = plan(List.of(
                dated("tomorrow", TODAY.plusDays(1)),
                dated("today", TODAY),
                dated("long ago", LocalDate.of(1999, 1, 1)),
                dated("today, too", TODAY)));
        assertEquals(
                List.of(
                        "5 long ago 1999-01-01",
                        "6 today 2026-11-21",
                        "7 today, too 2026-11-21",
                        "8 tomorrow 2026-11-22"),
                ledger(plan));
        assertEquals(TODAY.plusDays(1), plan.after().lastDate());
    }

    private static final LocalDate D1 = TODAY.minusDays(3);
    private static final LocalDate D2 = TODAY.minusDays(2);
    private static final LocalDate D3 = TODAY.minusDays(1);
    private static final LocalDate D4 = TODAY;

    @Test
    void rowsOfOneListKeepTheirOrder() {
        Plan plan = planOfCalls(List.of(List.of(dated("a", D1), dated("b", D3), dated("c", D2), dated("d", D4))));
        assertEquals(List.of("5 a 2026-11-18", "6 b 2026-11-20", "7 d 2026-11-21"), ledger(plan));
        assertEquals(ProblemType.DATE_ORDER, refusal(plan).type());
        assertEquals("2026-11-20", refusal(plan).members().get("lastDate"));
    }

    @Test
    void listsThatAreMergedAreNumberedInTheOrderOfTheirDates() {
        Plan plan = planOfCalls(List.of(
                List.of(dated("a1", D1), dated("a3", D3), dated("a2", D2), dated("a4", D4)),
                List.of(dated("b2", D2), dated("b4", D4)),
                List.of(dated("c3", D3))));
        assertEquals(
                List.of(
                        "5 a1 2026-11-18",
                        "6 b2 2026-11-19",
                        "7 a3 2026-11-20",
                        "8 c3 2026-11-20",
                        "9 a4 2026-11-21",
                        "10 b4 2026-11-21"),
                ledger(plan));
        assertEquals(1, plan.refused().size());
    }

    /**
     * The row with the later date causes the refusal. If this write is lost, that row may get no number, so the refused
     * row must stay open.
     */
    @Test
    void aRowRefusedForTheRowAheadOfItStaysOpen() {
        last = D2;
        Plan plan = planOfCalls(List.of(List.of(dated("before", D1), dated("b", D4), dated("beside", D3))));
        assertEquals(2, plan.refused().size());
        assertEquals(
                List.of("2026-11-19"),
                plan.refusedAnyway().stream()
                        .map(each -> each.result().refusal().members().get("lastDate"))
                        .toList());
    }

    @Test
    void aRowOfATooLateDateHoldsUpNoOther() {
        Plan plan = planOfCalls(
                List.of(List.of(dated("typo", LocalDate.of(2062, 11, 21)), dated("a", D1)), List.of(dated("b", D2))));
        assertEquals(List.of("5 a 2026-11-18", "6 b 2026-11-19"), ledger(plan));
        assertEquals(ProblemType.INVALID_REQUEST, refusal(plan).type());
    }

    @Test
    void dateBeforeTheLastOneIsRefusedWithTheLastOne() {
        last = TODAY;
        Plan plan = plan(List.of(dated("late", TODAY.minusDays(1)), dated("on time", TODAY)));
        assertEquals(ProblemType.DATE_ORDER, refusal(plan).type());
        assertEquals("2026-11-21", refusal(plan).members().get("lastDate"));
        assertEquals(List.of("5 on time 2026-11-21"), ledger(plan));
    }

    /**
     * A caller that arrives a moment before midnight and is served after midnight did not choose its date, so the plan
     * may raise it by one day.
     */
    @Test
    void defaultDateIsRaisedByADayAtMost() {
        last = TODAY.plusDays(1);
        assertEquals(
                List.of("5 before midnight 2026-11-22", "6 after midnight 2026-11-22"),
                ledger(plan(List.of(unsaid("before midnight", TODAY), unsaid("after midnight", TODAY.plusDays(1))))));
        assertEquals(
                ProblemType.DATE_ORDER,
                refusal(plan(List.of(unsaid("a message that came late", TODAY.minusDays(1)))))
                        .type());
    }

    @Test
    void aTypoDoesNotCloseTheYear() {
        ProblemException refusal = refusal(plan(List.of(dated("typo", LocalDate.of(2062, 11, 21)))));
        assertEquals(ProblemType.INVALID_REQUEST, refusal.type());
        assertTrue(refusal.getMessage().contains("2026-11-22"), refusal::getMessage);
        assertEquals(
                ProblemType.INVALID_REQUEST,
                refusal(plan(List.of(dated("day after tomorrow", TODAY.plusDays(2)))))
                        .type());
    }

    /**
     * The writing instance answers a peer request only with the dates that its rows were sent with. Raising a date or
     * refusing a row is left to the instance that sent the request.
     */
    @Test
    void peerRequestIsAnsweredOnlyUnderItsOwnDates() {
        last = TODAY;
        assertAnswered(true, posted(unsaid("a", TODAY), unsaid("b", TODAY.plusDays(1))));
        assertAnswered(false, posted(unsaid("a", TODAY.plusDays(1)), unsaid("b", TODAY)));
        assertAnswered(false, posted(unsaid("a", TODAY.minusDays(1))));
        assertAnswered(false, posted(unsaid("a", TODAY.plusDays(2))));
        Plan plan = plan(List.of(dated("own", TODAY.plusDays(1))), posted(unsaid("a", TODAY)));
        assertEquals(List.of(), plan.answered());
        assertEquals(TODAY.plusDays(1), plan.after().lastDate());
    }

    private void assertAnswered(boolean isAnswered, PeerRequest posted) {
        Plan plan = plan(List.of(dated("own", TODAY)), posted);
        assertEquals(isAnswered ? 1 : 0, plan.answered().size());
        assertEquals(isAnswered ? List.of() : List.of(posted), plan.undecided());
    }

    @Test
    void anAdvanceKeepsTheLastDate() {
        last = TODAY;
        Plan plan = plan(List.of(new CounterRequest.Advance(50, ChangeNote.NONE)));
        assertEquals(TODAY, plan.after().lastDate());
    }

    @Test
    void datesWithoutAnOrderAreNotKept() {
        definition = PLAIN;
        Plan plan = plan(List.of(dated("b", TODAY), dated("a", TODAY.minusDays(3))));
        assertEquals(List.of("5 b 2026-11-21", "6 a 2026-11-18"), ledger(plan));
        assertNull(plan.after().lastDate());
        assertEquals(
                1,
                plan(List.of(dated("far", LocalDate.of(2062, 1, 1)))).shares().size());
        assertEquals(List.of(), plan.refused());
    }
}
