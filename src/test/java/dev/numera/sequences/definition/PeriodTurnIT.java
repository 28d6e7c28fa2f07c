package dev.numera.sequences.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.azure.StorageAccount;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DateOrder;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.retry.Clock;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.TestAccount;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.ledger.LedgerFilter;
import dev.numera.sequences.ledger.LedgerLine;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The start of a new period during calls of 64 callers on two instances, with a test clock and a real Azurite. */
class PeriodTurnIT {
    private static final int CALLERS = 64;
    private static final int CALLS_BEFORE_THE_TURN = 320;
    private static final int CALLS = 640;

    private final StorageAccount account = TestAccount.withTables(SharedAzurite.connectionString());

    private Sequences instance(Clock clock) {
        return TestSequences.over(account)
                .with(TestLimits.DEFAULT.withMaxAttempts(200))
                .with(clock)
                .start();
    }

    private static DefinitionDraft resetting(ResetEvery resetEvery, String timeZone) {
        return DefinitionDraft.EMPTY
                .with(DefinitionField.RESET_EVERY, resetEvery)
                .with(DefinitionField.TIME_ZONE, timeZone);
    }

    private void race(
            String name, ResetEvery resetEvery, String timeZone, Instant before, Instant after, List<String> periods)
            throws Exception {
        TestClock clock = TestClock.showing(before);
        List<Sequences> instances = List.of(instance(clock), instance(clock));
        SequenceName sequence = new SequenceName("turn", name);
        instances.get(0).editor().put(sequence, resetting(resetEvery, timeZone), Precondition.ABSENT, ChangeNote.NONE);
        AtomicInteger requested = new AtomicInteger();
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        List<Future<List<Long>>> served = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            Sequences instance = instances.get(caller % instances.size());
            served.add(callers.submit(() -> {
                List<Long> numbers = new ArrayList<>();
                for (int call = requested.getAndIncrement(); call < CALLS; call = requested.getAndIncrement()) {
                    if (call == CALLS_BEFORE_THE_TURN) {
                        clock.set(after);
                    }
                    numbers.add(instance.allocator()
                            .next(sequence, List.of(new NumberRequest(null, 1, null)))
                            .results()
                            .get(0)
                            .orThrow()
                            .first());
                }
                return numbers;
            }));
        }
        Map<Long, Integer> times = new TreeMap<>();
        for (Future<List<Long>> numbers : served) {
            numbers.get().forEach(number -> times.merge(number, 1, Integer::sum));
        }
        callers.shutdown();

        long first = allocated(instances.get(0), sequence, before, timeZone, periods.get(0));
        long second = allocated(instances.get(0), sequence, after, timeZone, periods.get(1));
        assertEquals(CALLS, first + second);
        // A call that was sent before the turn may be served after it, at most one per caller.
        assertTrue(first >= CALLS_BEFORE_THE_TURN - CALLERS, () -> "only " + first + " before the turn");
        assertTrue(second >= CALLS - CALLS_BEFORE_THE_TURN - CALLERS, () -> "only " + second + " after the turn");
        Map<Long, Integer> expected = new TreeMap<>();
        LongStream.concat(LongStream.rangeClosed(1, first), LongStream.rangeClosed(1, second))
                .forEach(number -> expected.merge(number, 1, Integer::sum));
        assertEquals(expected, times, "each period begins at 1, and allocates each number once");
    }

    /** A call that is sent before midnight and served after it gets a number of the new day instead of a refusal. */
    @Test
    void datesStayInOrderAndNoCallIsRefusedAtMidnight() throws Exception {
        Instant midnight = Instant.parse("2026-11-22T00:00:00Z");
        TestClock clock = TestClock.showing(midnight.minusMillis(1));
        List<Sequences> instances = List.of(instance(clock), instance(clock));
        SequenceName sequence = new SequenceName("turn", "dated");
        DefinitionDraft dated = DefinitionDraft.EMPTY
                .with(DefinitionField.GUARANTEE, Guarantee.GAPLESS)
                .with(DefinitionField.DATE_ORDER, DateOrder.ASCENDING);
        instances.get(0).editor().put(sequence, dated, Precondition.ABSENT, ChangeNote.NONE);
        AtomicInteger requested = new AtomicInteger();
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        List<Future<?>> served = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            Sequences instance = instances.get(caller % instances.size());
            served.add(callers.submit(() -> {
                for (int call = requested.getAndIncrement(); call < CALLS; call = requested.getAndIncrement()) {
                    if (call == CALLS_BEFORE_THE_TURN) {
                        clock.set(midnight);
                    }
                    NumberRequest request = new NumberRequest("key-" + call, 1, null);
                    instance.allocator()
                            .next(sequence, List.of(request))
                            .results()
                            .get(0)
                            .orThrow();
                }
            }));
        }
        for (Future<?> call : served) {
            call.get();
        }
        callers.shutdown();

        LedgerFilter all = new LedgerFilter(1, CALLS);
        List<LocalDate> dates = instances.get(0).ledger().read(sequence, all, null, null, CALLS).items().stream()
                .map(LedgerLine::date)
                .toList();
        assertEquals(CALLS, dates.size());
        assertEquals(dates.stream().sorted().toList(), dates);
        assertEquals(2, dates.stream().distinct().count());
    }

    private static long allocated(
            Sequences instance, SequenceName sequence, Instant at, String timeZone, String period) {
        SequenceState state = instance.states().state(sequence, LocalDate.ofInstant(at, java.time.ZoneId.of(timeZone)));
        assertEquals(period, state.period());
        assertEquals(state.allocated() + 1, state.next());
        return state.allocated();
    }

    @Test
    void aYearTurnsAtMidnightOfItsTimeZone() throws Exception {
        race(
                "year",
                ResetEvery.YEAR,
                "Europe/Berlin",
                Instant.parse("2026-12-31T22:59:59.999Z"),
                Instant.parse("2026-12-31T23:00:00Z"),
                List.of("2026", "2027"));
    }

    @Test
    void aDayOf23HoursTurnsAtItsOwnMidnight() throws Exception {
        // Clocks go forward in the night to 2026-03-29, which starts at 23:00 UTC. The next day starts at 22:00 UTC.
        race(
                "short-day",
                ResetEvery.DAY,
                "Europe/Berlin",
                Instant.parse("2026-03-29T21:59:59.999Z"),
                Instant.parse("2026-03-29T22:00:00Z"),
                List.of("2026-03-29", "2026-03-30"));
    }

    @Test
    void aDayWhoseMidnightDoesNotExistStillTurns() throws Exception {
        // Clocks in Santiago go forward at midnight, so 2026-09-06 starts at 01:00.
        race(
                "no-midnight",
                ResetEvery.DAY,
                "America/Santiago",
                Instant.parse("2026-09-06T03:59:59.999Z"),
                Instant.parse("2026-09-06T04:00:00Z"),
                List.of("2026-09-05", "2026-09-06"));
    }
}
