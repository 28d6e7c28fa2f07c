package dev.numera.sequences.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.contract.Allocations;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.Change.FieldChange;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Page;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.retry.CharacterBudget;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.ForwardingStore.StoreRequest;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The changes since an earlier closing that a closing lists, by the clock of the store. */
class ClosingsTest {
    private static final SequenceName NAME = new SequenceName("shop", "invoice");
    private static final LocalDate FIRST = LocalDate.of(1970, 1, 1);
    private static final LocalDate SECOND = FIRST.plusDays(1);

    private final TestClock clock = TestClock.alone(Instant.EPOCH);
    private final MemoryCounterStore table = new MemoryCounterStore(clock::nanoTime);
    private final Sequences sequences = instance(StoreRequest::forward);

    private Sequences instance(Function<StoreRequest, Object> ledger) {
        return TestSequences.over(table)
                .with(clock)
                .with(ForwardingStore.over(LedgerStore.class, table, ledger))
                .start();
    }

    private void take(String key, LocalDate date) {
        sequences.allocator().next(NAME, List.of(new NumberRequest(key, 1, date)));
    }

    private void voided(String key) {
        UnsentStatusChanges.makeVoid(sequences.statusChanges(), NAME, key, "Late.", "anna");
    }

    private Closing close(Sequences instance, LocalDate to) {
        clock.pass(Duration.ofMillis(1));
        return instance.closings().close(NAME, FIRST, to, "anna", 0);
    }

    private Closing close() {
        return close(sequences, FIRST);
    }

    private static String changed(Closing closing) {
        return result(closing, Closing.CHANGED_COUNT) + " " + shown(closing);
    }

    private static List<String> shown(Closing closing) {
        return closing.changed().stream()
                .map(changed -> changed.key() + " " + changed.status())
                .toList();
    }

    private static Object result(Closing closing, String name) {
        return closing.results().stream()
                .filter(field -> field.field().equals(name))
                .findFirst()
                .map(FieldChange::after)
                .orElse("none");
    }

    @Test
    void listsWhatWasAddedOrChangedSinceTheLatestClosingOfTheSameDates() {
        take("a", FIRST);
        take("b", FIRST);
        take("other", SECOND);
        Closing first = close();
        assertFalse(first.isCompared());
        voided("a");
        Closing second = close();
        take("late", FIRST);
        voided("other");
        Closing third = close();

        assertEquals("1 [a void]", changed(second));
        assertEquals(first.change().position().id(), result(second, "comparedWith"));
        assertEquals("1 [late issued]", changed(third));
        assertEquals("0 []", changed(close()));
        assertFalse(close(sequences, SECOND).isCompared(), "another range");
        assertEquals("2 [b void, late void]", changedAfter(Duration.ofDays(60), "b", "late"));
    }

    @Test
    void countsWhatIsNewSinceAClosingWithoutNumbers() {
        take("other", SECOND);
        close();
        take("late", FIRST);

        assertEquals("1 [late issued]", changed(close()));
    }

    /** The earlier closing lists only some of the recent allocations, but the hashes are equal. */
    @Test
    void countsNothingBetweenEqualClosingsOfManyRecentNumbers() {
        for (int i = 0; i < 2 * Closing.MAX_LISTED; i++) {
            take("key-" + i, FIRST);
        }
        close();

        assertEquals("0 []", changed(close()));
    }

    private String changedAfter(Duration passed, String... keys) {
        clock.pass(passed);
        List.of(keys).forEach(this::voided);
        return changed(close());
    }

    /**
     * The earlier closing had read the ledger by then and counted the number as issued, so the next closing must list
     * it.
     */
    @Test
    void listsWhatChangedWhileTheEarlierClosingRead() {
        take("a", FIRST);
        clock.pass(Duration.ofDays(1));
        AtomicInteger reads = new AtomicInteger();
        Closing first = close(
                instance(request -> {
                    Object read = request.forward();
                    if (request.name().equals("marked") && reads.incrementAndGet() == 2) {
                        clock.pass(Duration.ofMinutes(5));
                        voided("a");
                        clock.pass(Duration.ofHours(1));
                    }
                    return read;
                }),
                FIRST);
        assertEquals(0L, result(first, "void"));
        assertEquals("1 [a void]", changed(close()));
    }

    /** The server whose time was read is ahead of the server that dates the rows. */
    @Test
    void listsWhatWasDatedBeforeTheTimeOfTheEarlierClosing() {
        take("a", FIRST);
        clock.pass(Duration.ofDays(1));
        close(
                instance(request -> request.name().equals("time")
                        ? ((Instant) request.forward()).plusSeconds(30)
                        : request.forward()),
                FIRST);
        voided("a");
        assertEquals("1 [a void]", changed(close()));
    }

    @Test
    void countsWhatItHasNoRoomFor() {
        for (int i = 0; i < 150; i++) {
            take("key-" + i, FIRST);
        }
        close();
        clock.pass(Duration.ofDays(1));
        for (int i = 149; i >= 0; i--) {
            voided("key-" + i);
        }
        Closing closing = close();
        assertEquals(150L, result(closing, Closing.CHANGED_COUNT));
        assertEquals(Closing.MAX_LISTED, closing.changed().size());
        assertEquals("key-0 void", shown(closing).get(0));
    }

    /** All numbers are recent to the first closing, which names the first hundred of them individually. */
    @Test
    void listsExactlyWhatDiffersAmongManyRecentNumbers() {
        for (int i = 0; i < 300; i++) {
            take("key-" + i, FIRST);
        }
        clock.pass(Duration.ofSeconds(3));
        close();
        voided("key-250");
        Closing second = close();

        assertEquals("1 [key-250 void]", changed(second));
        assertTrue(second.isChangedExact());
        Closing.Changed one = second.changed().get(0);
        assertEquals(
                "251 251  anna Late.",
                one.first() + " " + one.last() + " " + one.period() + " " + one.actor() + " " + one.reason());
        assertEquals(Instant.EPOCH, Instant.parse(String.valueOf(one.at())).truncatedTo(ChronoUnit.DAYS));
        take("key-0", SECOND);
        assertEquals("0 []", changed(close()));
    }

    @Test
    void listsAReservationThatWasConfirmedAndCountsEachNumber() {
        sequences.allocator().next(NAME, List.of(new NumberRequest("many", 5, FIRST, true)));
        close();
        try (CharacterBudget.Share share = CharacterBudget.OF_THE_PROCESS.open()) {
            sequences.statusChanges().issue(NAME, "many", "anna", share);
        }

        assertEquals("5 [many issued]", changed(close()));
    }

    /** Earlier versions stored no runs, so numbers that the closing had counted may be listed again. */
    @Test
    void saysThatItMayNameTooManyAfterAClosingWithoutRuns() {
        for (int i = 0; i < 300; i++) {
            take("key-" + i, FIRST);
        }
        keptByAnEarlierVersion(close());
        voided("key-250");
        Closing second = close();

        assertEquals(200L, result(second, Closing.CHANGED_COUNT));
        assertFalse(second.isChangedExact());
        assertEquals(Closing.MAX_LISTED, second.changed().size());
        assertTrue(close().isChangedExact());
    }

    @Test
    void keepsNoRunsWhereTheyAreTooMany() {
        ClosedRuns runs = new ClosedRuns();
        for (long number = 0; number <= 2L * ClosedRuns.MAX_RUNS; number += 2) {
            runs.add("", number, number, 1, Status.Kind.ISSUED);
        }
        assertEquals(List.of(), runs.fields());
        assertTrue(ClosedRuns.of(runs.fields()).isEmpty());
    }

    @Test
    void findsEachNumberInItsRun() {
        ClosedRuns written = new ClosedRuns();
        written.add("2026", 1, 11, 5, Status.Kind.ISSUED);
        written.add("2026", 16, 16, 5, Status.Kind.ISSUED);
        written.add("2026", 21, 21, 5, Status.Kind.VOID);
        written.add("2027", 1, 1, 5, Status.Kind.RESERVED);
        List<FieldChange> fields = written.fields();
        assertEquals(6, fields.size(), fields::toString);
        ClosedRuns read = ClosedRuns.of(fields).orElseThrow();
        assertFalse(read.isOther("2026", 16, Status.Kind.ISSUED));
        assertTrue(read.isOther("2026", 21, Status.Kind.ISSUED));
        assertFalse(read.isOther("2026", 21, Status.Kind.VOID));
        assertTrue(read.isOther("2026", 26, Status.Kind.VOID));
        assertTrue(read.isOther("2027", 6, Status.Kind.RESERVED));
        assertTrue(read.isOther("2028", 1, Status.Kind.RESERVED));
        assertTrue(ClosedRuns.of(fields.subList(0, 5)).isEmpty(), "not all of them");
    }

    /** Stores a later copy of a closing without the fields that earlier versions did not store. */
    private void keptByAnEarlierVersion(Closing closing) {
        List<FieldChange> fields = closing.change().fields().stream()
                .filter(field ->
                        !field.field().endsWith(":run") && !field.field().startsWith(ClosedRuns.RUN))
                .toList();
        Instant later = closing.change().position().at().plusMillis(1);
        clock.pass(Duration.ofMillis(2));
        table.keep(NAME, Change.closed(fields, ChangeNote.NONE, later));
    }

    @Test
    void namesTheEarlierClosingWhereItCannotFindAllThatChanged() {
        take("a", FIRST);
        keptByAnEarlierVersion(close());
        voided("a");
        Closing closing = close(
                instance(request ->
                        request.name().equals("writtenSince") ? new Page<>(List.of(), "more") : request.forward()),
                FIRST);
        assertFalse(closing.isCompared());
        assertTrue(result(closing, "comparedWith").toString().length() > 10);
    }

    @Test
    void namesThePeriodOfEachGap() {
        LedgerGap missing = new LedgerGap(4, 5, LedgerGap.Kind.MISSING, null, null, null);
        LedgerGap skipped = new LedgerGap(7, 8, LedgerGap.Kind.ADVANCED, "Torn.", null, null);
        Map<String, List<LedgerGap>> gaps = new TreeMap<>(
                Map.of("2026-10", List.of(), "2026-11", List.of(missing, skipped), "2026-12", List.of(missing)));

        assertEquals(
                List.of("2026-11 missing 4 to 5 null", "2026-11 advanced 7 to 8 Torn.", "2026-12 missing 4 to 5 null"),
                shownGaps(gaps));
        assertEquals(List.of("null missing 4 to 5 null"), shownGaps(Map.of("", List.of(missing))));
    }

    private static List<String> shownGaps(Map<String, List<LedgerGap>> gaps) {
        return new Closing(Change.closed(Closing.gaps(gaps), ChangeNote.NONE, Instant.EPOCH))
                .gaps().stream()
                        .map(gap -> gap.period() + " " + gap.kind() + " "
                                + gap.numbers().before() + " to "
                                + gap.numbers().after() + " " + gap.reason())
                        .toList();
    }

    /**
     * A row holds 1 MiB with two bytes per character, which must be enough for the longest numbers, reasons and keys.
     */
    @Test
    void fitsIntoItsRow() throws IOException {
        long number = -4_000_000_000_000_000_000L;
        Status reserved = Status.reserved(Instant.EPOCH, null);
        take("a", FIRST);
        for (int characters : List.of(1, 30, 35, 40, 200)) {
            String text = "\"".repeat(characters);
            LedgerGap gap = new LedgerGap(number, number, LedgerGap.Kind.UNRECORDED, text, null, null);
            Allocation allocation = Allocations.of(
                    text, number, number, 1, "1970-01-01", FIRST, null, 0, Instant.EPOCH, true, reserved, null);
            List<FieldChange> fields = new ArrayList<>(close().change().fields());
            Map<String, List<LedgerGap>> gaps = new TreeMap<>();
            FIRST.datesUntil(FIRST.plusDays(1_000)).forEach(day -> gaps.put(day.toString(), List.of(gap)));
            fields.addAll(Closing.gaps(gaps));
            fields.addAll(Collections.nCopies(Closing.MAX_LISTED, Closing.seen(reserved, "1970-01-01", number)));
            fields.addAll(Closing.changed(Collections.nCopies(Closing.MAX_LISTED, Closing.Changed.of(allocation))));
            ClosedRuns runs = new ClosedRuns();
            FIRST.datesUntil(FIRST.plusDays(ClosedRuns.MAX_RUNS))
                    .forEach(day -> runs.add(day.toString(), number, number, 1, Status.Kind.RESERVED));
            fields.addAll(runs.fields());
            List<List<Object>> json = fields.stream()
                    .map(field -> Arrays.asList(field.field(), field.before(), field.after()))
                    .toList();
            int units = new ObjectMapper().writeValueAsString(json).length();
            assertTrue(units < 400_000, () -> units + " characters");
        }
    }
}
