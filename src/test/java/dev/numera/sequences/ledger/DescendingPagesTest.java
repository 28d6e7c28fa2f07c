package dev.numera.sequences.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Page;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Series;
import dev.numera.core.model.Status;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.CharacterBudget;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.definition.Precondition;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The pages from the newest entry are the ascending ones reversed, for a bounded number of storage requests. */
class DescendingPagesTest {
    private static final SequenceName NAME = new SequenceName("shop", "order");
    private static final LedgerFilter ALL = new LedgerFilter(-Series.LARGEST_VALUE, Series.LARGEST_VALUE);
    private static final LocalDate TODAY = LocalDate.of(2026, 3, 1);

    private final AtomicInteger requests = new AtomicInteger();
    private final MemoryCounterStore table = new MemoryCounterStore();
    private final Sequences sequences = TestSequences.over(table)
            .with(ForwardingStore.over(LedgerStore.class, table, this::counted))
            .with(ForwardingStore.over(DefinitionStore.class, table, this::counted))
            .with(TestClock.standing(Instant.parse("2026-03-01T12:00:00Z")))
            .start();

    private Object counted(ForwardingStore.StoreRequest request) {
        requests.incrementAndGet();
        return request.forward();
    }

    @Test
    void aPageOfAThousandDenseNumbersTakesAtMostEightRequests() {
        define(1, ResetEvery.NEVER);
        IntStream.rangeClosed(1, 2_100).forEach(number -> allocate("key-" + number, 1, null));

        Page<LedgerLine, LedgerPosition> page = read(ALL, null, null, 1_000);

        assertTrue(requests.get() <= 8, requests + " requests");
        assertEquals(IntStream.range(0, 1_000).mapToObj(i -> 2_100L - i).toList(), firsts(page.items()));
        requests.set(0);
        LedgerPosition next = page.next();
        allocate("new", 1, null);
        requests.set(0);
        assertEquals(1_100L, read(ALL, null, next, 1_000).items().get(0).first());
        assertTrue(requests.get() <= 8, requests + " requests");
    }

    @Test
    void fullRowsAreReadWithFewRequests() {
        define(1, ResetEvery.NEVER);
        IntStream.range(0, 40).forEach(group -> allocateTogether("group-" + group, 98, 1));
        Page<LedgerLine, LedgerPosition> page = read(ALL, null, null, 1_000);
        assertTrue(requests.get() <= 8, requests + " requests");
        assertEquals(3_920L, page.items().get(0).first());
        assertEquals(1_000, page.items().size());
    }

    @Test
    void anyLedgerIsTheAscendingOneReversed() {
        for (long seed = 1; seed <= 12; seed++) {
            Random random = new Random(seed);
            SequenceName name = new SequenceName("random", "seed-" + seed);
            long increment = List.of(1L, 7L, -1L, -3L, 1_000_000L).get(random.nextInt(5));
            fill(name, increment, random);
            List<LedgerLine> expected = ascending(name, ALL);
            if (increment > 0) {
                Collections.reverse(expected);
            }
            for (int limit : List.of(1, 7, 100, 1_000)) {
                assertEquals(expected, descending(name, ALL, null, limit), "seed " + seed + ", limit " + limit);
            }
            requireMarked(name, expected);
            requireRange(name, expected, random);
        }
    }

    private void requireMarked(SequenceName name, List<LedgerLine> expected) {
        for (Status.Kind status : List.of(Status.Kind.RESERVED, Status.Kind.VOID)) {
            List<LedgerLine> marked = expected.stream()
                    .filter(entry -> !entry.isAdvance() && entry.status().kind() == status)
                    .toList();
            assertEquals(marked, descending(name, ALL.with(status), null, 3));
        }
    }

    private void requireRange(SequenceName name, List<LedgerLine> expected, Random random) {
        LedgerLine first = expected.get(random.nextInt(expected.size()));
        LedgerLine last = expected.get(random.nextInt(expected.size()));
        long from = Math.min(first.first(), last.last());
        long to = Math.max(first.first(), last.last());
        LedgerFilter range = new LedgerFilter(from, to);
        List<LedgerLine> inRange = expected.stream()
                .filter(entry -> range.holds(entry.first(), entry.last(), entry.key(), entry.date()))
                .toList();
        assertEquals(inRange, descending(name, range, null, 5));
    }

    /** Fills a ledger with rows of many kinds, with gaps of up to 10^15 numbers between them. */
    private void fill(SequenceName name, long increment, Random random) {
        define(name, increment, ResetEvery.NEVER);
        long next = 0;
        for (int step = 0; step < 12; step++) {
            switch (random.nextInt(3)) {
                case 0 -> {
                    next = sequences.states().state(name, null).next()
                            + increment * (1 + (long) Math.pow(10, random.nextInt(9)));
                    sequences.moves().advance(name, next, null, ChangeNote.NONE);
                }
                case 1 -> {
                    int keys = 1 + random.nextInt(150);
                    for (int i = 0; i < keys; i++) {
                        allocate(name, new NumberRequest(step + "-" + i, 1, null, random.nextInt(4) == 0));
                    }
                }
                default -> allocateTogether(name, "together-" + step, 1 + random.nextInt(98), 1 + random.nextInt(300));
            }
        }
        allocate(name, new NumberRequest("last", 1, null));
        allocate(name, new NumberRequest("void", 1, null));
        sequences.statusChanges().makeVoid(name, "void", "a reason", "anna", CharacterBudget.OF_THE_PROCESS.open());
    }

    @Test
    void noPageOfASparseLedgerTakesMoreThanFortyRequests() {
        define(1, ResetEvery.NEVER);
        IntStream.rangeClosed(1, 300).forEach(number -> allocate("key-" + number, 1, null));
        for (long power = 10_000; power < 1_000_000_000_000_000L; power *= 100) {
            sequences.moves().advance(NAME, power, null, ChangeNote.NONE);
            allocate("at-" + power, 1, null);
        }
        sequences.moves().advance(NAME, 9_000_000_000_000_000L, null, ChangeNote.NONE);
        List<LedgerLine> all = new ArrayList<>();
        LedgerPosition position = null;
        int pages = 0;
        do {
            requests.set(0);
            Page<LedgerLine, LedgerPosition> page = read(ALL, null, position, 100);
            assertTrue(requests.get() <= 40, requests + " requests");
            all.addAll(page.items());
            position = page.next();
            pages++;
        } while (position != null);
        assertEquals(306, all.size());
        assertTrue(pages <= 8, pages + " pages");
    }

    @Test
    void periodsAreReadFromTheLastOne() {
        for (ResetEvery reset : List.of(ResetEvery.DAY, ResetEvery.MONTH, ResetEvery.YEAR)) {
            SequenceName name = new SequenceName("periods", "by-" + reset);
            define(name, 1, reset);
            List<LocalDate> days =
                    List.of(TODAY.plusDays(30), TODAY, TODAY.minusDays(1), TODAY.minusDays(59), TODAY.minusYears(9));
            for (LocalDate day : days) {
                allocate(name, new NumberRequest("first-" + day, 1, day));
                allocate(name, new NumberRequest("second-" + day, 2, day, true));
            }
            List<LedgerLine> expected = new ArrayList<>(
                    ascending(name, new LedgerFilter(ALL.from(), ALL.to(), LocalDate.of(1990, 1, 1), null, null)));
            expected.sort(Comparator.comparing(LedgerLine::period)
                    .thenComparing(LedgerLine::first)
                    .reversed());
            assertEquals(10, expected.size());
            for (int limit : List.of(1, 3, 100)) {
                assertEquals(expected, descending(name, ALL, null, limit));
            }
            assertEquals(
                    expected.stream().filter(entry -> entry.count() == 2).toList(),
                    descending(name, ALL.with(Status.Kind.RESERVED), null, 2));
            assertEquals(
                    expected.stream()
                            .filter(entry ->
                                    !entry.date().isAfter(TODAY) && entry.date().isAfter(TODAY.minusDays(40)))
                            .toList(),
                    descending(
                            name, new LedgerFilter(ALL.from(), ALL.to(), TODAY.minusDays(39), TODAY, null), null, 2));
            String today = expected.stream()
                    .filter(entry -> entry.date().equals(TODAY))
                    .findFirst()
                    .orElseThrow()
                    .period();
            assertEquals(
                    expected.stream()
                            .filter(entry -> entry.period().equals(today))
                            .toList(),
                    descending(name, ALL, TODAY, 2));
        }
    }

    @Test
    void aPageOfManyDaysTakesAtMostFortyRequests() {
        define(1, ResetEvery.DAY);
        IntStream.range(0, 700)
                .forEach(day -> allocate(NAME, new NumberRequest("key-" + day, 1, TODAY.minusDays(day))));
        requests.set(0);
        Page<LedgerLine, LedgerPosition> page = read(ALL, null, null, 1_000);
        assertTrue(requests.get() <= 40, requests + " requests");
        assertTrue(page.items().size() >= 10, page.items().size() + " entries");
        assertEquals(700, descending(NAME, ALL, null, 1_000).size());
    }

    private List<LedgerLine> ascending(SequenceName name, LedgerFilter wanted) {
        List<LedgerLine> all = new ArrayList<>();
        LedgerPosition position = null;
        do {
            Page<LedgerLine, LedgerPosition> page = sequences.ledger().read(name, wanted, null, position, 1_000);
            all.addAll(page.items());
            position = page.next();
        } while (position != null);
        return all;
    }

    private List<LedgerLine> descending(SequenceName name, LedgerFilter wanted, @Nullable LocalDate date, int limit) {
        List<LedgerLine> all = new ArrayList<>();
        LedgerPosition position = null;
        do {
            requests.set(0);
            Page<LedgerLine, LedgerPosition> page =
                    sequences.ledger().readNewestFirst(name, wanted, date, position, limit);
            assertTrue(requests.get() <= 40, requests + " requests");
            assertTrue(page.items().size() <= limit);
            all.addAll(page.items());
            position = page.next();
        } while (position != null);
        return all;
    }

    private Page<LedgerLine, LedgerPosition> read(
            LedgerFilter wanted, @Nullable LocalDate date, @Nullable LedgerPosition position, int limit) {
        requests.set(0);
        return sequences.ledger().readNewestFirst(NAME, wanted, date, position, limit);
    }

    private static List<Long> firsts(List<LedgerLine> entries) {
        return entries.stream().map(LedgerLine::first).toList();
    }

    private void define(long increment, ResetEvery reset) {
        define(NAME, increment, reset);
    }

    private void define(SequenceName name, long increment, ResetEvery reset) {
        DefinitionDraft draft = DefinitionDraft.EMPTY
                .with(DefinitionField.START, increment < 0 ? -5L : 5L - 4)
                .with(DefinitionField.INCREMENT, increment)
                .with(DefinitionField.RESET_EVERY, reset)
                .with(DefinitionField.TIME_ZONE, "UTC");
        sequences.editor().put(name, draft, Precondition.ABSENT, ChangeNote.NONE);
    }

    private void allocate(String key, int count, @Nullable LocalDate date) {
        allocate(NAME, new NumberRequest(key, count, date));
    }

    private void allocate(SequenceName name, NumberRequest request) {
        sequences.allocator().next(name, List.of(request)).results().forEach(Result::orThrow);
    }

    private void allocateTogether(String prefix, int keys, int count) {
        allocateTogether(NAME, prefix, keys, count);
    }

    private void allocateTogether(SequenceName name, String prefix, int keys, int count) {
        sequences
                .allocator()
                .next(
                        name,
                        IntStream.range(0, keys)
                                .mapToObj(i -> new NumberRequest(prefix + "-" + i, count, null))
                                .toList())
                .results()
                .forEach(Result::orThrow);
    }
}
