package dev.numera.sequences.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.counter.Transaction;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.StoreFailure;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.AutoCreate;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.definition.Precondition;
import dev.numera.sequences.ledger.LedgerFilter;
import dev.numera.sequences.ledger.LedgerLine;
import dev.numera.sequences.ledger.LedgerStore;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The search for a key, a text or a number over all sequences. */
class SequenceSearchTest {
    private final MemoryCounterStore table = new MemoryCounterStore();
    private final TestClock clock = TestClock.alone();
    private final Sequences sequences =
            TestSequences.over(table).with(clock).with(AutoCreate.NEVER).start();

    @BeforeEach
    void allocate() {
        define("shop/invoice", format("INV-{yyyy}-{n:4}", ResetEvery.YEAR));
        define("shop/order", DefinitionDraft.EMPTY.with(DefinitionField.GUARANTEE, Guarantee.GAPLESS));
        define("shop/ticket", DefinitionDraft.EMPTY.with(DefinitionField.GUARANTEE, Guarantee.CACHED));
        define("shop/event", DefinitionDraft.EMPTY.with(DefinitionField.GUARANTEE, Guarantee.SNOWFLAKE));
        define("~/invoice", DefinitionDraft.EMPTY);
        define("west/order", DefinitionDraft.EMPTY);
        define("west/unused", DefinitionDraft.EMPTY);
        take("shop/invoice", "order-1", "2025-06-01");
        take("shop/invoice", "order-2", null);
        take("shop/order", "order-1", null);
        take("west/order", "order-1", null);
        take("west/order", "42", null);
    }

    private static DefinitionDraft format(String format, ResetEvery reset) {
        return DefinitionDraft.EMPTY
                .with(DefinitionField.GUARANTEE, Guarantee.GAPLESS)
                .with(DefinitionField.FORMAT, format)
                .with(DefinitionField.RESET_EVERY, reset)
                .with(DefinitionField.TIME_ZONE, "UTC");
    }

    private static SequenceName name(String path) {
        return new SequenceName(path.split("/")[0], path.split("/")[1]);
    }

    private void define(String path, DefinitionDraft draft) {
        sequences.editor().put(name(path), draft, Precondition.ABSENT, ChangeNote.NONE);
    }

    private void take(String path, String key, String date) {
        LocalDate day = date == null ? null : LocalDate.parse(date);
        sequences.allocator().next(name(path), List.of(new NumberRequest(key, 1, day)));
    }

    private static List<String> hits(SequenceSearch.Found found) {
        return found.hits().stream()
                .map(hit -> hit.sequence() + " " + hit.foundBy() + " "
                        + hit.entry().period() + "#" + hit.entry().first())
                .toList();
    }

    private List<String> find(String query) {
        return hits(sequences.search().find(null, query, 100, null));
    }

    @Test
    void findsAKeyInEachSequenceThatHasIt() {
        assertEquals(List.of("shop/invoice KEY 2025#1", "shop/order KEY #1", "west/order KEY #1"), find("order-1"));
        assertEquals(List.of("west/order KEY #1"), hits(sequences.search().find("west", "order-1", 100, null)));
        assertEquals(List.of(), find("Order-1"));
    }

    @Test
    void findsATextInAnyCase() {
        assertEquals(List.of("shop/invoice TEXT 2026#1"), find("inv-2026-0001"));
        assertEquals(List.of("shop/invoice TEXT 2025#1"), find("INV-2025-0001"));
        assertEquals(List.of(), find("INV-2025-0002"));
    }

    @Test
    void findsNoNumberBetweenThoseOfAnAllocation() {
        define("shop/odd", DefinitionDraft.EMPTY.with(DefinitionField.INCREMENT, 20L));
        sequences.allocator().next(name("shop/odd"), List.of(new NumberRequest("order-7", 3, null)));

        assertEquals(List.of("shop/odd NUMBER #1"), find("21"));
        assertEquals(List.of(), find("22"));
        assertTrue(sequences.ledger().findText(name("shop/odd"), "21").isPresent());
        assertTrue(sequences.ledger().findText(name("shop/odd"), "22").isEmpty());
    }

    /** A later format never printed texts for earlier numbers. */
    @Test
    void findsNoNumberByATextThatItNeverHad() {
        sequences
                .editor()
                .patch(
                        name("shop/order"),
                        DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, "ORD-{n}"),
                        Precondition.PRESENT,
                        ChangeNote.NONE);
        take("shop/order", "order-2", null);

        assertEquals(List.of(), find("ORD-1"));
        assertEquals(List.of("shop/order TEXT #2"), find("ORD-2"));
    }

    @Test
    void findsANumberInEveryPeriodAndEachEntryOnce() {
        assertEquals(
                List.of(
                        "shop/invoice NUMBER 2026#1",
                        "shop/invoice NUMBER 2025#1",
                        "shop/order NUMBER #1",
                        "west/order NUMBER #1"),
                find("1"));
        assertEquals(List.of("west/order KEY #2"), find("42"));
    }

    @Test
    void findsWhatWasAdvancedOver() {
        sequences.moves().advance(name("shop/order"), 100, null, ChangeNote.NONE);

        SequenceSearch.Found found = sequences.search().find("shop", "50", 100, null);

        assertEquals(List.of("shop/order NUMBER #2"), hits(found));
        assertEquals("advance", found.hits().get(0).entry().kind());
    }

    @ParameterizedTest
    @CsvSource({"5, 1, 31, 26, 28, 21", "-5, 100, 70, 75, 73, 80"})
    void anAdvanceEndsWithANumberOfTheSeries(long increment, long start, long next, long last, long none, long one) {
        gapless("shop/odd", increment, start);
        take("shop/odd", "order-1", null);
        sequences.moves().advance(name("shop/odd"), next, null, ChangeNote.NONE);

        long first = start + increment;
        assertEquals(List.of(first + " to " + last), advances("shop/odd"));
        assertEquals(List.of(), find(Long.toString(none)));
        assertEquals(List.of("shop/odd NUMBER #" + first), find(Long.toString(one)));
        assertEquals(List.of("shop/odd NUMBER #" + first), find(Long.toString(last)));
    }

    /** Earlier releases stored the number before the next one as the last number that an advance skipped. */
    @ParameterizedTest
    @CsvSource({"5, 1, 31, 30, 26, 28", "-5, 100, 70, 71, 75, 73"})
    void anAdvanceOfAnEarlierReleaseEndsWithANumberOfTheSeries(
            long increment, long start, long next, long stored, long last, long none) {
        gapless("shop/odd", increment, start);
        take("shop/odd", "order-1", null);
        sequences.moves().advance(name("shop/odd"), next, null, ChangeNote.NONE);
        CounterId id = new CounterId(name("shop/odd"), "");
        LedgerRow row = table.rowsFrom(id, 1, 10).stream()
                .filter(LedgerRow::isAdvance)
                .findFirst()
                .orElseThrow();
        LedgerRow earlier = LedgerRow.passed(
                row.first(), stored, row.allocatedAt(), row.note(), increment > 0 ? null : row.version());
        Versioned<CounterState> counter = table.read(id).orElseThrow();
        List<LedgerRow> removed = increment > 0 ? List.of(row) : List.of();
        table.write(new Transaction(
                id, counter.version(), counter.value(), List.of(earlier), removed, null, List.of(), null));

        assertEquals(List.of(start + increment + " to " + last), advances("shop/odd"));
        assertEquals(List.of(), find(Long.toString(none)));
        LedgerFilter between = new LedgerFilter(Math.min(none, stored), Math.max(none, stored));
        assertEquals(
                List.of(),
                sequences
                        .ledger()
                        .read(name("shop/odd"), between, null, null, 10)
                        .items());
    }

    private void gapless(String path, long increment, long start) {
        define(
                path,
                DefinitionDraft.EMPTY
                        .with(DefinitionField.GUARANTEE, Guarantee.GAPLESS)
                        .with(DefinitionField.INCREMENT, increment)
                        .with(DefinitionField.MAX_VALUE, 100L)
                        .with(DefinitionField.START, start));
    }

    private List<String> advances(String path) {
        return sequences.ledger().read(name(path), new LedgerFilter(1, 100), null, null, 10).items().stream()
                .filter(LedgerLine::isAdvance)
                .map(entry -> entry.first() + " to " + entry.last())
                .toList();
    }

    @Test
    void pagesFollowOneAnotherAndCountWhatTheySearched() {
        List<String> all = new ArrayList<>();
        int searched = 0;
        String next = null;
        do {
            SequenceSearch.Found page = sequences.search().find(null, "order-1", 2, next);
            all.addAll(hits(page));
            searched += page.searched();
            next = page.next();
        } while (next != null);

        assertEquals(find("order-1"), all);
        assertEquals(7, searched);
    }

    @Test
    void reportsWhichPeriodsWereNotSearched() {
        define("daily/ticket", format("{yyyy}{MM}{dd}-{n}", ResetEvery.DAY));
        for (int day = 1; day <= 28; day++) {
            take("daily/ticket", "k" + day, String.format("2026-02-%02d", day));
        }
        SequenceSearch.Found found = sequences.search().find("daily", "1", 100, null);

        assertEquals(SequenceSearch.MAX_PERIODS, found.hits().size());
        assertEquals("2026-02-28", found.hits().get(0).entry().period());
        assertEquals("2026-02-05", found.unsearched().get(0).before());

        assertEquals(
                List.of(),
                find("2").stream().filter(hit -> hit.startsWith("daily")).toList());
        assertEquals(List.of(), sequences.search().find("daily", "2", 100, null).unsearched());
    }

    @Test
    void reportsDaysThatAreOlderThanItReads() {
        define("daily/ticket", format("{yyyy}{MM}{dd}-{n}", ResetEvery.DAY));
        take("daily/ticket", "old", "2024-01-01");
        take("daily/ticket", "new", null);

        SequenceSearch.Found found = sequences.search().find("daily", "1", 100, null);

        assertEquals(List.of("daily/ticket NUMBER 2026-11-21#1"), hits(found));
        assertEquals("2025-03-31", found.unsearched().get(0).before());
    }

    @Test
    void findsTheLastOfMoreDaysThanOneRequestReturns() {
        define("daily/ticket", format("{yyyy}{MM}{dd}-{n}", ResetEvery.DAY));
        LocalDate today = LocalDate.parse("2026-11-21");
        today.minusDays(700).datesUntil(today.plusDays(401)).forEach(day -> take("daily/ticket", "k" + day, "" + day));

        SequenceSearch.Found found = sequences.search().find("daily", "1", 100, null);

        assertEquals(today.plusDays(400).toString(), found.hits().get(0).entry().period());
        assertEquals(SequenceSearch.MAX_PERIODS, found.hits().size());
        assertEquals(today.plusDays(377).toString(), found.unsearched().get(0).before());
        assertNull(found.unsearched().get(0).after());
    }

    /** The sequence has a counter for every possible day. */
    @Test
    void reportsDaysThatAreLaterThanItReads() {
        define("daily/ticket", format("{yyyy}{MM}{dd}-{n}", ResetEvery.DAY));
        take("daily/ticket", "new", null);
        CounterState state = table.counters(name("daily/ticket"), "", 1)
                .firstEntry()
                .getValue()
                .value();
        DefinitionStore endless = ForwardingStore.over(DefinitionStore.class, table, request -> {
            if (!request.name().equals("counters")) {
                return request.forward();
            }
            String first = (String) request.arguments()[1];
            LocalDate day = LocalDate.parse(first.isEmpty() ? "1970-01-01" : first);
            return day.datesUntil(day.plusDays((int) request.arguments()[2]))
                    .collect(Collectors.toMap(
                            LocalDate::toString, each -> Result.of(state), (one, other) -> one, TreeMap::new));
        });

        SequenceSearch.Unsearched unsearched = TestSequences.over(table)
                .with(clock)
                .with(endless)
                .start()
                .search()
                .find("daily", "1", 100, null)
                .unsearched()
                .get(0);

        LocalDate last = LocalDate.parse("2025-03-31").plusDays(40 * 999);
        assertEquals(last.minusDays(SequenceSearch.MAX_PERIODS - 1).toString(), unsearched.before());
        assertEquals(last.toString(), unsearched.after());
    }

    @Test
    void aSequenceThatCannotBeReadIsReportedAndTheOthersAreSearched() {
        DefinitionStore failing = ForwardingStore.over(DefinitionStore.class, table, request -> {
            if (request.name().equals("find") && request.arguments()[0].equals(name("shop/order"))) {
                throw new StoreFailure("The row cannot be read.", false, null);
            }
            return request.forward();
        });
        SequenceSearch.Found found = TestSequences.over(table)
                .with(clock)
                .with(failing)
                .start()
                .search()
                .find(null, "order-1", 100, null);

        assertEquals(List.of("shop/invoice KEY 2025#1", "west/order KEY #1"), hits(found));
        assertEquals("order", found.unsearched().get(0).name());
        assertEquals(
                ProblemType.STORAGE_UNAVAILABLE,
                found.unsearched().get(0).problem().type());
    }

    /** Each of many sequences costs few requests, and a page ends after half of the call's time. */
    @Test
    void aPageIsBounded() {
        for (int i = 0; i < 40; i++) {
            define(String.format("many/s%02d", i), DefinitionDraft.EMPTY);
            take(String.format("many/s%02d", i), "k", null);
        }
        AtomicInteger requests = new AtomicInteger();
        LedgerStore slow = ForwardingStore.over(LedgerStore.class, table, request -> {
            requests.incrementAndGet();
            clock.pass(Duration.ofMillis(100));
            return request.forward();
        });
        SequenceSearch.Found found = TestSequences.over(table)
                .with(clock)
                .with(slow)
                .start()
                .search()
                .find("many", "1", 100, null);

        assertEquals(16, found.searched());
        assertNotNull(found.next());
        assertEquals(3 * 16, requests.get());
        assertNull(sequences.search().find("many", "1", 100, found.next()).next());
    }
}
