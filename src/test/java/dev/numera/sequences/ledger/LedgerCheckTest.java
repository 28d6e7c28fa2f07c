package dev.numera.sequences.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.Allocations;
import dev.numera.contract.CounterStates;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.contract.Transactions;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Series;
import dev.numera.core.model.Status;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.WriteResult;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.definition.Precondition;
import dev.numera.sequences.ledger.LedgerGap.Kind;
import dev.numera.sequences.ledger.LedgerGap.Neighbor;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares the reports of the check with ledgers that the test builds row by row. */
class LedgerCheckTest {
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 21);
    private static final SequenceName NAME = new SequenceName("shop", "invoice");
    private static final long LARGEST = Series.LARGEST_VALUE;

    private static final Clock STOPPED = TestClock.standing(NOW);

    private final MemoryCounterStore memory = new MemoryCounterStore();
    private final Map<String, TreeMap<Long, LedgerRow>> rows = new TreeMap<>();
    private final List<Allocation> marks = new ArrayList<>();
    private int rowsRead;

    private final LedgerStore ledger = new LedgerStore() {
        @Override
        public Optional<Versioned<Allocation>> findKey(SequenceName name, String key) {
            throw new AssertionError("No check reads keys.");
        }

        @Override
        public WriteResult setStatus(SequenceName name, Versioned<Allocation> present, Status status) {
            throw new AssertionError("Nothing is said.");
        }

        @Override
        public List<Allocation> marked(CounterId id, long from, long to) {
            return marks.stream()
                    .filter(mark -> mark.period().equals(id.period()) && mark.highest() >= from && mark.highest() <= to)
                    .toList();
        }

        @Override
        public List<Allocation> markedFrom(SequenceName name, LedgerPosition position, Status.Kind status, int limit) {
            throw new AssertionError("No check reads all marks.");
        }

        @Override
        public List<LedgerRow> rowsFrom(CounterId id, long number, int limit) {
            List<LedgerRow> read = rows.getOrDefault(id.period(), new TreeMap<>()).tailMap(number).values().stream()
                    .limit(limit)
                    .toList();
            rowsRead += read.size();
            return read;
        }

        @Override
        public List<LedgerRow> rows(CounterId id, long from, long to, int limit) {
            throw new AssertionError("No check reads rows in descending order.");
        }

        @Override
        public List<Allocation> marked(CounterId id, long from, long to, Status.Kind status, int limit) {
            throw new AssertionError("No check reads marks in descending order.");
        }

        @Override
        public Instant time(SequenceName name) {
            throw new AssertionError("No check needs the store's time.");
        }

        @Override
        public dev.numera.core.model.Page<Allocation, String> writtenSince(
                SequenceName name, Instant since, LedgerFilter wanted, String continuation) {
            throw new AssertionError("No check asks when rows were written.");
        }
    };

    private final Sequences sequences = instance();

    private Sequences instance() {
        return TestSequences.over(memory)
                .with(ledger)
                .with(TestLimits.SMALL.withRequestTimeout(Duration.ofMillis(30)))
                .with(STOPPED)
                .start();
    }

    private static DefinitionDraft draft(Guarantee guarantee, long start, long increment, ResetEvery resetEvery) {
        return DefinitionDraft.EMPTY
                .with(DefinitionField.GUARANTEE, guarantee)
                .with(DefinitionField.START, start)
                .with(DefinitionField.INCREMENT, increment)
                .with(DefinitionField.MIN_VALUE, -LARGEST)
                .with(DefinitionField.MAX_VALUE, LARGEST)
                .with(DefinitionField.RESET_EVERY, resetEvery)
                .with(DefinitionField.TIME_ZONE, "UTC");
    }

    private void define(Guarantee guarantee, long start, long increment, ResetEvery resetEvery) {
        sequences
                .editor()
                .put(NAME, draft(guarantee, start, increment, resetEvery), Precondition.ABSENT, ChangeNote.NONE);
    }

    private void count(String period, long next) {
        memory.write(Transactions.of(
                new CounterId(NAME, period),
                null,
                CounterStates.of(next, 1, 1, "operation", NOW),
                List.of(),
                memory.find(NAME).orElseThrow().version()));
    }

    private void put(String period, long first, long last, List<Allocation> allocations) {
        rows.computeIfAbsent(period, any -> new TreeMap<>())
                .put(
                        Math.max(first, last),
                        new LedgerRow(
                                first,
                                last,
                                NOW,
                                allocations,
                                allocations.isEmpty() ? new ChangeNote(null, "moved in") : ChangeNote.NONE,
                                "1"));
    }

    private static Allocation allocation(String key, long first, int count, long increment) {
        return allocation(key, first, count, increment, TODAY);
    }

    private static Allocation allocation(String key, long first, int count, long increment, LocalDate date) {
        long last = first + (count - 1) * increment;
        return Allocations.of(key, first, last, count, "", date, null, 0, NOW, true, Status.SIMPLY_ISSUED);
    }

    private List<CheckedPage<DateCheck.Position>> checkDates(LocalDate from, LocalDate to) {
        List<CheckedPage<DateCheck.Position>> pages = new ArrayList<>();
        DateCheck.Position position = null;
        do {
            rowsRead = 0;
            LedgerFilter wanted = new LedgerFilter(-LARGEST, LARGEST, from, to, null);
            CheckedPage<DateCheck.Position> page = sequences.dateCheck().check(NAME, wanted, null, position);
            assertTrue(rowsRead <= 2_000, "rows");
            pages.add(page);
            position = page.next();
            assertTrue(pages.size() < 100, "a check without an end");
        } while (position != null);
        return pages;
    }

    private List<CheckedPage<LedgerPosition>> check(long from, long to, LocalDate date) {
        List<CheckedPage<LedgerPosition>> pages = new ArrayList<>();
        LedgerPosition position = null;
        do {
            CheckedPage<LedgerPosition> page = sequences.ledgerCheck().check(NAME, from, to, date, null, position);
            pages.add(page);
            position = page.next();
            assertTrue(pages.size() < 100, "a check without an end");
        } while (position != null);
        return pages;
    }

    /** A series of writes of which some rows are missing, and the key of each number by the remaining rows. */
    private final class Book {
        private final Random random;
        private final Guarantee guarantee;
        private final long start;
        private final long increment;
        /** The key of each number, or a blank and the first number for an advance. */
        private final TreeMap<Long, String> recorded = new TreeMap<>();

        private final Map<String, LocalDate> dates = new HashMap<>();

        private long next;
        private int keys;

        Book(Random random) {
            this.random = random;
            guarantee = random.nextBoolean() ? Guarantee.GAPLESS : Guarantee.STRICT;
            increment = List.of(1L, -1L, 5L, -7L, 1_000_000_000L).get(random.nextInt(5));
            long most = LARGEST - 2_000 * Math.abs(increment);
            start = List.of(1L, -12L, -most, most, increment > 0 ? -LARGEST : LARGEST)
                    .get(random.nextInt(5));
            next = start;
        }

        void write() {
            define(guarantee, start, increment, ResetEvery.NEVER);
            int writes = random.nextInt(30);
            for (int i = 0; i < writes; i++) {
                if (random.nextInt(4) == 0) {
                    advance(1 + random.nextInt(9));
                } else {
                    allocate(1 + random.nextInt(5), random.nextInt(4) == 0);
                }
            }
            count("", next);
        }

        private void advance(int numbers) {
            long first = next;
            next += numbers * increment;
            if (guarantee == Guarantee.GAPLESS && random.nextInt(4) > 0) {
                put("", first, next - Long.signum(increment), List.of());
                record(first, numbers, " " + first);
            }
        }

        private void allocate(int members, boolean isLost) {
            List<Allocation> allocations = new ArrayList<>();
            for (int member = 0; member < members; member++) {
                int count = 1 + random.nextInt(3);
                if (guarantee == Guarantee.GAPLESS || random.nextBoolean()) {
                    keys++;
                    LocalDate date = TODAY.plusDays(random.nextInt(4));
                    dates.put("key-" + keys, date);
                    allocations.add(allocation("key-" + keys, next, count, increment, date));
                }
                next += count * increment;
            }
            if (!allocations.isEmpty() && !isLost) {
                put(
                        "",
                        allocations.get(0).first(),
                        allocations.get(allocations.size() - 1).last(),
                        allocations);
                allocations.forEach(one -> record(one.first(), one.count(), one.key()));
            }
        }

        private void record(long first, int count, String key) {
            for (int i = 0; i < count; i++) {
                recorded.put(first + i * increment, key);
            }
        }

        /** Returns each number in a range that the counter has passed, with the expected report. */
        private TreeMap<Long, String> expected(long from, long to) {
            TreeMap<Long, String> expected = new TreeMap<>();
            for (long number = start; number != next; number += increment) {
                if (number >= from && number <= to) {
                    String key = recorded.get(number);
                    String withoutKey = guarantee == Guarantee.GAPLESS ? "MISSING" : "UNRECORDED";
                    expected.put(number, key == null ? withoutKey : key.startsWith(" ") ? "ADVANCED" : "allocated");
                }
            }
            return expected;
        }

        void compare(long from, long to) {
            TreeMap<Long, String> answered = new TreeMap<>();
            long results = 0;
            Long last = null;
            for (CheckedPage<LedgerPosition> page : check(from, to, null)) {
                if (page.from() == null) {
                    continue;
                }
                assertTrue(last == null || page.from() == last + Math.abs(increment), "pages adjoin");
                last = page.to();
                for (long number = page.from(); number <= page.to(); number += Math.abs(increment)) {
                    answered.put(number, "allocated");
                }
                page.gaps().forEach(gap -> report(gap, answered));
                results += page.allocated();
            }
            TreeMap<Long, String> expected = expected(from, to);
            assertEquals(expected, answered);
            assertEquals(expected.values().stream().filter("allocated"::equals).count(), results);
        }

        /**
         * Compares a check by dates with the expected report: the numbers of these dates, and adjoining numbers without
         * a key.
         */
        void compareDates(LocalDate from, LocalDate to) {
            TreeMap<Long, String> all = expected(-LARGEST, LARGEST);
            List<Long> wanted = all.keySet().stream()
                    .filter(number -> {
                        LocalDate date = dates.get(recorded.get(number));
                        return date != null && !date.isBefore(from) && !date.isAfter(to);
                    })
                    .toList();
            TreeMap<Long, String> answered = new TreeMap<>();
            long results = 0;
            long others = 0;
            CheckedPage<DateCheck.Position> last = null;
            for (CheckedPage<DateCheck.Position> page : checkDates(from, to)) {
                page.gaps().forEach(gap -> {
                    for (long number = gap.first(); number != gap.last() + increment; number += increment) {
                        assertNull(answered.put(number, "allocated"), "returned twice");
                    }
                    report(gap, answered);
                });
                results += page.allocated();
                others += page.otherDates();
                last = page;
            }
            assertEquals(wanted.size(), results);
            if (wanted.isEmpty()) {
                assertEquals(Map.of(), answered);
                assertNull(last.from());
                return;
            }
            long least = wanted.get(0);
            long greatest = wanted.get(wanted.size() - 1);
            assertEquals(List.of(least, greatest), List.of(last.from(), last.to()));
            TreeMap<Long, String> expected = new TreeMap<>();
            long spannedKeys = 0;
            for (Map.Entry<Long, String> number :
                    all.subMap(least, true, greatest, true).entrySet()) {
                if (number.getValue().equals("allocated")) {
                    spannedKeys++;
                } else {
                    expected.put(number.getKey(), number.getValue());
                }
            }
            putUntilAllocated(all.headMap(least, false).descendingMap(), expected);
            putUntilAllocated(all.tailMap(greatest, false), expected);
            assertEquals(expected, answered);
            assertEquals(spannedKeys - results, others);
        }

        private void putUntilAllocated(Map<Long, String> numbers, Map<Long, String> expected) {
            for (Map.Entry<Long, String> number : numbers.entrySet()) {
                if (number.getValue().equals("allocated")) {
                    return;
                }
                expected.put(number.getKey(), number.getValue());
            }
        }

        private void report(LedgerGap gap, Map<Long, String> answered) {
            for (long number = gap.first(); number != gap.last() + increment; number += increment) {
                assertEquals(
                        "allocated", answered.put(number, gap.kind().name()), "returned twice or outside of the page");
            }
            compareNeighbor(gap.first(), -increment, gap.before());
            compareNeighbor(gap.last(), increment, gap.after());
        }

        private void compareNeighbor(long end, long step, Neighbor neighbor) {
            String key = recorded.get(end + step);
            boolean isCut = key == null || key.equals(recorded.get(end));
            assertEquals(
                    isCut ? null : new Neighbor(key.startsWith(" ") ? null : key, end + step, NOW),
                    neighbor,
                    () -> "beside " + end);
        }
    }

    @Test
    void everyNumberIsReportedAsStoredForAnySeries() {
        for (int seed = 0; seed < 1_000; seed++) {
            LedgerCheckTest fresh = new LedgerCheckTest();
            Random random = new Random(seed);
            Book book = fresh.new Book(random);
            book.write();
            long least = Math.min(book.start, book.next);
            long greatest = Math.max(book.start, book.next);
            try {
                book.compare(-LARGEST, LARGEST);
                for (int days = 0; days < 4; days++) {
                    book.compareDates(TODAY.plusDays(1), TODAY.plusDays(days));
                    book.compareDates(TODAY, TODAY.plusDays(days));
                }
                for (int i = 0; i < 5; i++) {
                    long from = random.nextLong(least - 3, greatest + 4);
                    book.compare(Math.max(from, -LARGEST), Math.min(random.nextLong(from, greatest + 5), LARGEST));
                }
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1,1,1", "-1,1,1", "1,2,1", "-3,2,1", "1,2,10", "-3,2,10"})
    void aPageReadsAtMostAThousandRowsAndTellsAtMostAThousandHoles(long increment, int everySo, int entriesPerRow) {
        define(Guarantee.STRICT, 0, increment, ResetEvery.NEVER);
        int numbers = 3_210;
        Set<Long> absent = new HashSet<>();
        List<Allocation> row = new ArrayList<>();
        for (int i = 0; i < numbers; i++) {
            long number = i * increment;
            if (i % everySo > 0) {
                absent.add(number);
                continue;
            }
            row.add(allocation("key-" + i, number, 1, increment));
            if (row.size() == entriesPerRow) {
                put("", row.get(0).first(), number, List.copyOf(row));
                row.clear();
            }
        }
        row.forEach(left -> absent.add(left.first()));
        count("", numbers * increment);
        Set<Long> answered = new HashSet<>();
        LedgerPosition position = null;
        do {
            rowsRead = 0;
            CheckedPage<LedgerPosition> page =
                    sequences.ledgerCheck().check(NAME, -LARGEST, LARGEST, null, null, position);
            assertTrue(rowsRead <= 1_000, "rows");
            assertTrue(page.gaps().size() <= 1_000, "gaps");
            for (LedgerGap gap : page.gaps()) {
                for (long number = gap.first(); number != gap.last() + increment; number += increment) {
                    assertTrue(answered.add(number), () -> "returned twice: " + gap);
                }
            }
            position = page.next();
        } while (position != null);
        assertEquals(absent, answered);
    }

    @Test
    void periodsComeOneAfterTheOtherEachWithTheWholeRange() {
        define(Guarantee.GAPLESS, 1, 1, ResetEvery.YEAR);
        count("0226", 3);
        count("2025", 1);
        count("2026", 4);
        put("0226", 1, 1, List.of(allocation("typo", 1, 1, 1)));
        put("2026", 1, 2, List.of(allocation("a", 1, 2, 1)));

        LedgerGap second = new LedgerGap(2, 2, Kind.MISSING, null, new Neighbor("typo", 1, NOW), null);
        LedgerGap third = new LedgerGap(3, 3, Kind.MISSING, null, new Neighbor("a", 2, NOW), null);
        assertEquals(
                List.of(
                        new CheckedPage<>(
                                "0226", 2L, 2L, null, NOW, 0, 0, 0, List.of(second), new LedgerPosition("2025", 2)),
                        new CheckedPage<>(
                                "2025", null, null, null, NOW, 0, 0, 0, List.of(), new LedgerPosition("2026", 2)),
                        new CheckedPage<>("2026", 2L, 3L, null, NOW, 1, 0, 0, List.of(third), null)),
                check(2, LARGEST, null));
        assertEquals(
                List.of(new CheckedPage<>("2026", 2L, 2L, null, NOW, 1, 0, 0, List.of(), null)),
                check(2, 2, LocalDate.of(2026, 1, 1)));
        assertEquals(
                List.of(new CheckedPage<>("2024", null, null, null, NOW, 0, 0, 0, List.of(), null)),
                check(2, 2, LocalDate.of(2024, 1, 1)));
    }

    /** The dates are out of order, in a ledger with more rows than a page reads. */
    @Test
    void datesAreFoundAmongMoreRowsThanAPageReads() {
        define(Guarantee.GAPLESS, 1, 1, ResetEvery.NEVER);
        for (int i = 1; i <= 4_000; i++) {
            boolean isWanted = i == 1_500 || i == 2_700 || i > 2_701 && i < 2_720;
            if (i != 1_499 && i != 2_701 && i != 2_800) {
                put("", i, i, List.of(allocation("key-" + i, i, 1, 1, isWanted ? TODAY : TODAY.minusDays(i % 5 + 1))));
            }
        }
        count("", 4_001);

        List<CheckedPage<DateCheck.Position>> pages = checkDates(TODAY, TODAY);

        CheckedPage<DateCheck.Position> last = pages.get(pages.size() - 1);
        assertEquals(List.of(1_500L, 2_719L), List.of(last.from(), last.to()));
        assertEquals(20, pages.stream().mapToLong(CheckedPage::allocated).sum());
        assertEquals(1_199, pages.stream().mapToLong(CheckedPage::otherDates).sum());
        assertEquals(
                List.of(
                        new LedgerGap(
                                1_499,
                                1_499,
                                Kind.MISSING,
                                null,
                                new Neighbor("key-1498", 1_498, NOW),
                                new Neighbor("key-1500", 1_500, NOW)),
                        new LedgerGap(
                                2_701,
                                2_701,
                                Kind.MISSING,
                                null,
                                new Neighbor("key-2700", 2_700, NOW),
                                new Neighbor("key-2702", 2_702, NOW))),
                pages.stream().flatMap(page -> page.gaps().stream()).toList());
        assertTrue(pages.size() <= 6, () -> pages.size() + " pages");
    }

    /** The number before the first one is outside the range of numbers. */
    @ParameterizedTest
    @CsvSource({"-1, 4000000000000000000", "1, -4000000000000000000"})
    void nothingIsAllocatedAtTheEndOfAllNumbers(long increment, long start) {
        define(Guarantee.GAPLESS, start, increment, ResetEvery.MONTH);
        count("2026-11", start);

        List<CheckedPage<DateCheck.Position>> pages = checkDates(LocalDate.of(2026, 11, 1), LocalDate.of(2026, 11, 30));
        assertEquals(1, pages.size());
        assertEquals(0, pages.get(0).allocated());
        assertEquals(List.of(), pages.get(0).gaps());
    }

    /** All numbers of a month have its dates, including those without a key. */
    @Test
    void aPeriodWhoseDaysAreAllWantedIsJudgedWhole() {
        define(Guarantee.GAPLESS, 1, 1, ResetEvery.MONTH);
        count("2026-10", 2);
        count("2026-11", 4);
        count("2026-12", 2);
        put("2026-10", 1, 1, List.of(allocation("a", 1, 1, 1, LocalDate.of(2026, 10, 31))));
        put("2026-11", 1, 3, List.of());
        put("2026-12", 1, 1, List.of(allocation("b", 1, 1, 1, LocalDate.of(2026, 12, 1))));

        LedgerGap advanced = new LedgerGap(1, 3, Kind.ADVANCED, "moved in", null, null);
        assertEquals(
                List.of(new CheckedPage<>("2026-11", null, null, 0L, NOW, 0, 0, 0, List.of(advanced), null)),
                checkDates(LocalDate.of(2026, 11, 1), LocalDate.of(2026, 11, 30)));
        assertEquals(
                List.of(new CheckedPage<>("2026-11", null, null, 0L, NOW, 0, 0, 0, List.of(), null)),
                checkDates(LocalDate.of(2026, 11, 2), LocalDate.of(2026, 11, 30)));
        assertEquals(
                List.of("2026-10 1", "2026-11 0", "2026-12 1"),
                checkDates(null, null).stream()
                        .map(page -> page.period() + " " + page.allocated())
                        .toList());
        assertEquals(
                List.of("2026-10 1", "2026-11 0"),
                checkDates(LocalDate.of(2026, 10, 31), LocalDate.of(2026, 11, 30)).stream()
                        .map(page -> page.period() + " " + page.allocated())
                        .toList());
    }

    @Test
    void onlyNumbersOfTheDatesCountAsVoidOrReserved() {
        define(Guarantee.GAPLESS, 1, 1, ResetEvery.NEVER);
        count("", 5);
        for (int i = 1; i < 5; i++) {
            Allocation allocation = allocation("key-" + i, i, 1, 1, i == 3 ? TODAY.plusDays(1) : TODAY);
            put("", i, i, List.of(allocation));
            marks.add(allocation.with(
                    i == 4 ? Status.reserved(NOW, null) : new Status(Status.Kind.VOID, "left", null, NOW)));
        }

        assertEquals(
                List.of(new CheckedPage<>("", 1L, 4L, 1L, NOW, 3, 2, 1, List.of(), null)), checkDates(TODAY, TODAY));
    }

    /** Another program may write such rows into the ledger. */
    @Test
    void numberUnderTwoKeysIsReported() {
        define(Guarantee.GAPLESS, 1, 1, ResetEvery.NEVER);
        count("", 5);
        put("", 1, 2, List.of(allocation("a", 1, 2, 1)));
        put("", 2, 3, List.of(allocation("b", 2, 2, 1)));
        put("", 4, 4, List.of(allocation("c", 4, 1, 1)));

        LedgerGap twice = new LedgerGap(2, 2, Kind.TWICE, null, new Neighbor("a", 2, NOW), new Neighbor("b", 2, NOW));
        assertEquals(
                List.of(new CheckedPage<>("", 1L, 4L, null, NOW, 5, 0, 0, List.of(twice), null)), check(1, 9, null));
    }

    /** An instance may have cached a definition before the first number, which was allocated under a changed one. */
    @Test
    void checkReadsADefinitionAgainUntilItIsInUse() {
        define(Guarantee.GAPLESS, 1, 1, ResetEvery.NEVER);
        assertEquals(
                List.of(new CheckedPage<>("", null, null, null, NOW, 0, 0, 0, List.of(), null)), check(1, 9, null));
        instance()
                .editor()
                .put(NAME, draft(Guarantee.GAPLESS, 100, 1, ResetEvery.NEVER), Precondition.PRESENT, ChangeNote.NONE);
        count("", 101);
        put("", 100, 100, List.of(allocation("a", 100, 1, 1)));

        assertEquals(
                List.of(new CheckedPage<>("", 100L, 100L, null, NOW, 1, 0, 0, List.of(), null)), check(1, 900, null));
    }

    @Test
    void sequenceWithoutALedgerHasNothingToCheck() {
        define(Guarantee.CACHED, 1, 1, ResetEvery.NEVER);

        ProblemException refused = assertThrows(ProblemException.class, () -> check(1, 9, null));

        assertEquals(ProblemType.NOT_FOR_GUARANTEE, refused.type());
        assertEquals(Map.of("guarantee", "cached"), refused.members());
    }

    @Test
    void aCounterThatIsGoneIsNoSequenceWithoutNumbers() {
        define(Guarantee.GAPLESS, 1, 1, ResetEvery.NEVER);
        count("", 2);
        memory.remove(new CounterId(NAME, ""));

        assertEquals(
                ProblemType.ROLLED_BACK,
                assertThrows(ProblemException.class, () -> check(1, 9, null)).type());
        assertEquals(
                ProblemType.ROLLED_BACK,
                assertThrows(ProblemException.class, () -> sequences.states().periods(NAME, "", 10))
                        .type());
    }
}
