package dev.numera.sequences.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Page;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Suspension;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.CharacterBudget;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.catalog.AttentionEntry.Kind;
import dev.numera.sequences.definition.Precondition;
import dev.numera.sequences.ledger.LedgerStore;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.OldUploads;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.UploadReader;
import dev.numera.sequences.lists.UploadStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The entries for each kind of trouble, and none without trouble. The year is 1971, because the store starts in 1970.
 */
class AttentionTest {
    private static final SequenceName NAME = new SequenceName("shop", "invoice");
    private static final YearMonth DECEMBER = YearMonth.of(1970, 12);
    /** The open months after {@link #allocateFromFebruaryToMay}. */
    private static final List<YearMonth> OPEN_MONTHS =
            List.of(YearMonth.of(1971, 2), YearMonth.of(1971, 4), YearMonth.of(1971, 5));

    private final TestClock clock = TestClock.alone(Instant.EPOCH);
    private final MemoryCounterStore table = new MemoryCounterStore(clock::nanoTime);
    private final AtomicBoolean needsScan = new AtomicBoolean();
    private final AtomicReference<Duration> delay = new AtomicReference<>(Duration.ZERO);
    private final Sequences sequences = TestSequences.over(table)
            .with(clock)
            .with(TestLimits.SMALL.withDeadline(Duration.ofSeconds(10)))
            .with(ForwardingStore.over(LedgerStore.class, table, this::forward))
            .start();
    private final List<Upload> uploads = new ArrayList<>();
    private final UploadStore lists =
            ForwardingStore.over(UploadStore.class, null, request -> listed((Upload.Kind) request.arguments()[1]));
    private final UploadReader reader = new UploadReader(lists, sequences.ledger());
    private final OldUploads old = new OldUploads(lists, InstantSource.system(), Duration.ofDays(30));

    private Object forward(ForwardingStore.StoreRequest request) {
        clock.pass(delay.get());
        Object answer = request.forward();
        return needsScan.get() && request.name().equals("writtenSince") ? new Page<>(List.of(), "more") : answer;
    }

    private Page<UploadStore.Listed, String> listed(Upload.Kind kind) {
        return new Page<>(
                uploads.stream()
                        .filter(upload -> upload.id().kind() == kind)
                        .map(upload -> new UploadStore.Listed(upload.id().id(), Result.of(upload)))
                        .toList(),
                null);
    }

    @BeforeEach
    void begin() {
        clock.pass(Duration.ofDays(400));
    }

    @Test
    void aSequenceInGoodOrderIsNoEntry() {
        allocate("key", LocalDate.of(1971, 2, 1), false);
        assertEquals(List.of(), look());
    }

    @Test
    void aSuspensionIsAnEntryUntilItIsLifted() {
        allocate("key", null, false);
        sequences.lifecycle().suspend(NAME, new ChangeNote("anna", "audit"));
        AttentionEntry entry = only(Kind.SUSPENDED);
        assertEquals("audit", entry.note());
        assertEquals(clock.now(), entry.since());
        assertEquals("Resume the sequence when the reason is gone.", entry.action());
        sequences.lifecycle().resume(NAME, ChangeNote.NONE);
        assertEquals(List.of(), look());
    }

    /** The owner's resume would answer 200 and leave the sequence suspended. */
    @Test
    void onlyTheOperatorResumesAfterAMaintenance() {
        allocate("key", null, false);
        sequences.maintenance().suspendForMaintenance(NAME);
        sequences.lifecycle().suspend(NAME, new ChangeNote("anna", "audit"));
        AttentionEntry entry = only(Kind.SUSPENDED);
        assertEquals(Suspension.MAINTENANCE, entry.note());
        assertEquals(
                "Ask the operator, who alone can resume it: docs/operations.md, \"Left to decide\".", entry.action());
    }

    @Test
    void theWarningShareIsAnEntry() {
        DefinitionDraft draft = DefinitionDraft.EMPTY.with(DefinitionField.MAX_VALUE, 100L);
        sequences.editor().put(NAME, draft, Precondition.ABSENT, ChangeNote.NONE);
        IntStream.rangeClosed(1, 89).forEach(number -> allocate("key-" + number, null, false));
        assertEquals(List.of(), look());
        allocate("key-90", null, false);
        AttentionEntry entry = only(Kind.NEARLY_USED);
        assertEquals(10, entry.left());
        assertEquals(0.9, entry.used());
    }

    @Test
    void numbersThatAreReservedTooLongAreOneEntryWithTheOldestKey() {
        allocate("first", null, true);
        Instant since = clock.now();
        clock.pass(Duration.ofDays(1));
        allocate("second", null, true);
        clock.pass(Duration.ofDays(6));
        assertEquals(List.of(), look());
        clock.pass(Duration.ofHours(1));
        AttentionEntry entry = only(Kind.RESERVED);
        assertEquals(1, entry.count());
        assertEquals("first", entry.note());
        assertEquals(since, entry.since());
        assertEquals(2, look(Duration.ofDays(1)).get(0).count(), "reserved before yesterday");
    }

    @Test
    void refusedRowsAndListsThatDoNotMoveAreEntries() {
        allocate("key", null, false);
        upload(Upload.Kind.IMPORT, new Upload.Progress(1, 10, 7, 0));
        upload(Upload.Kind.IMPORT, new Upload.Progress(1, 10, 10, 0));
        upload(Upload.Kind.BATCH, new Upload.Progress(0, 0, 0, 0));
        AttentionEntry refused = only(Kind.REFUSED_ROWS);
        assertEquals(3, refused.count());
        assertEquals(uploads.get(0).id(), refused.upload());
        assertEquals(uploads.get(0).movedAt().plus(Duration.ofDays(30)), refused.until());
        clock.pass(Duration.ofMinutes(31));
        assertEquals(
                List.of(Kind.STANDING_STILL, Kind.REFUSED_ROWS),
                look().stream().map(AttentionEntry::kind).toList());
    }

    @Test
    void aMonthThatIsNotRecordedOrHasChangedIsAnEntry() {
        allocate("november", LocalDate.of(1970, 11, 11), false);
        allocate("december", LocalDate.of(1970, 12, 12), false);
        assertEquals(List.of(), look(), "no closing, so no month is expected to be recorded");

        close(DECEMBER.minusMonths(1));
        clock.pass(Duration.ofMinutes(10));
        close(DECEMBER);
        clock.pass(Duration.ofMinutes(10));
        AttentionEntry open = only(Kind.MONTH_OPEN);
        assertEquals(YearMonth.of(1971, 1), open.month());
        assertNull(open.since());
        close(YearMonth.of(1971, 1));
        assertEquals(List.of(), look());

        clock.pass(Duration.ofMinutes(10));
        allocate("late", LocalDate.of(1970, 12, 31), false);
        makeVoid("december");
        AttentionEntry changed = only(Kind.MONTH_CHANGED);
        assertEquals(DECEMBER, changed.month());
        assertEquals(2, changed.count());
        assertNotNull(changed.since());
        close(DECEMBER);
        assertEquals(List.of(), look());
    }

    /** The counter of the earliest period is the one that was opened last. */
    @ParameterizedTest
    @EnumSource(names = {"YEAR", "MONTH", "DAY"})
    void aLateNumberOfAnEarlierPeriodHidesNoOpenMonth(ResetEvery resetEvery) {
        allocateFromFebruaryToMay(resetEvery);
        assertEquals(OPEN_MONTHS, openMonths());
        allocate("late", LocalDate.of(1970, 12, 31), false);
        assertEquals(OPEN_MONTHS, openMonths());
    }

    @ParameterizedTest
    @EnumSource(names = {"YEAR", "MONTH", "DAY"})
    void aPeriodThatAnAdvanceOpensAddsNoOpenMonth(ResetEvery resetEvery) {
        allocateFromFebruaryToMay(resetEvery);
        sequences.moves().advance(NAME, 1, LocalDate.of(1970, 12, 31), ChangeNote.NONE);
        assertEquals(OPEN_MONTHS, openMonths());
    }

    /** The first number may be in a period that was not read, so all twelve months are judged. */
    @Test
    void theFirstNumberIsUnknownBehindTooManyPeriods() {
        allocateFromFebruaryToMay(ResetEvery.DAY);
        LocalDate day = LocalDate.of(1970, 1, 1);
        for (int i = 0; i < 403; i++) {
            allocate("late-" + i, day.plusDays(i), false);
        }
        assertEquals(
                IntStream.range(0, 12)
                        .mapToObj(DECEMBER.minusMonths(6)::plusMonths)
                        .filter(month -> !month.equals(YearMonth.of(1971, 3)))
                        .toList(),
                openMonths());
    }

    @Test
    void aRetiredSequenceNeedsNoClosingOfTheMonthsAfterItsRetirement() {
        allocateFromFebruaryToMay(ResetEvery.NEVER);
        sequences.lifecycle().retire(NAME, Precondition.PRESENT, ChangeNote.NONE);
        YearMonth june = YearMonth.of(1971, 6);
        clock.pass(Duration.ofDays(200));
        assertEquals(
                List.of(YearMonth.of(1971, 2), YearMonth.of(1971, 4), YearMonth.of(1971, 5), june),
                openMonths(),
                "numbers were allocated until June");

        OPEN_MONTHS.forEach(this::close);
        close(june);
        makeVoid("key-3");
        AttentionEntry changed = only(Kind.MONTH_CHANGED);
        assertEquals(YearMonth.of(1971, 3), changed.month());
        clock.pass(Duration.ofDays(400));
        assertEquals(List.of(), look(), "retired for more than twelve months");
    }

    /** Allocates one number in each of these months, closes March, and leaves the clock in June. */
    private void allocateFromFebruaryToMay(ResetEvery resetEvery) {
        DefinitionDraft draft = DefinitionDraft.EMPTY
                .with(DefinitionField.RESET_EVERY, resetEvery)
                .with(DefinitionField.TIME_ZONE, "UTC");
        sequences.editor().put(NAME, draft, Precondition.ABSENT, ChangeNote.NONE);
        for (int month = 2; month <= 5; month++) {
            allocate("key-" + month, null, false);
            clock.pass(Duration.ofDays(30));
        }
        close(YearMonth.of(1971, 3));
        clock.pass(Duration.ofMinutes(10));
    }

    private List<YearMonth> openMonths() {
        return look().stream()
                .filter(entry -> entry.kind() == Kind.MONTH_OPEN)
                .map(AttentionEntry::month)
                .toList();
    }

    @Test
    void monthsAreNotJudgedWhereThatNeedsAScan() {
        allocate("december", LocalDate.of(1970, 12, 12), false);
        close(DECEMBER);
        close(DECEMBER.plusMonths(1));
        needsScan.set(true);
        assertEquals(
                List.of(Kind.MONTH_NOT_JUDGED, Kind.MONTH_NOT_JUDGED),
                look().stream().map(AttentionEntry::kind).toList());
    }

    @Test
    void aSequenceThatCannotBeReadIsOneEntryAndTheOthersAreLookedAt() {
        allocate("key", null, false);
        SequenceName other = new SequenceName("shop", "lost");
        sequences.allocator().next(other, List.of(new NumberRequest("key", 1, null)));
        table.loseDefinition(other);
        sequences.lifecycle().suspend(NAME, ChangeNote.NONE);
        List<AttentionEntry> entries = look();
        assertEquals(
                List.of(Kind.SUSPENDED, Kind.UNREADABLE),
                entries.stream().map(AttentionEntry::kind).toList());
        assertEquals("lost", entries.get(1).name());
        assertNotNull(entries.get(1).problem());
    }

    @Test
    void aPageLooksAtAsManySequencesAsRequested() {
        for (String name : List.of("a", "b", "c")) {
            SequenceName sequence = new SequenceName("shop", name);
            sequences.allocator().next(sequence, List.of(new NumberRequest("key", 1, null)));
            sequences.lifecycle().suspend(sequence, ChangeNote.NONE);
        }
        Attention.Found first = sequences.attention().look("shop", Duration.ofDays(7), 2, null, reader, old);
        assertEquals(2, first.searched());
        Attention.Found second = sequences.attention().look("shop", Duration.ofDays(7), 2, first.next(), reader, old);
        assertEquals(
                List.of("c"),
                second.entries().stream().map(AttentionEntry::name).toList());
        assertNull(second.next());
    }

    /** Each request to the ledger takes 300 ms, so 50 sequences take longer than half the time of a call. */
    @Test
    void aPageEndsInTimeAndTheNextOneContinuesAfterItsLastSequence() {
        for (int i = 0; i < Attention.MAX_SEQUENCES; i++) {
            SequenceName sequence = new SequenceName("slow", "s-%02d".formatted(i));
            sequences.allocator().next(sequence, List.of(new NumberRequest("key", 1, null)));
            sequences.lifecycle().suspend(sequence, ChangeNote.NONE);
        }
        delay.set(Duration.ofMillis(300));
        List<String> names = new ArrayList<>();
        String next = null;
        int pages = 0;
        do {
            long before = clock.nanoTime();
            Attention.Found page =
                    sequences.attention().look("slow", Duration.ofDays(7), Attention.MAX_SEQUENCES, next, reader, old);
            Duration took = Duration.ofNanos(clock.nanoTime() - before);
            assertTrue(took.compareTo(Duration.ofSeconds(10)) < 0, took::toString);
            assertTrue(page.searched() > 0);
            page.entries().forEach(entry -> {
                assertEquals(Kind.SUSPENDED, entry.kind());
                names.add(entry.name());
            });
            next = page.next();
            pages++;
        } while (next != null);
        assertEquals(Attention.MAX_SEQUENCES, names.size());
        assertEquals(names.stream().distinct().sorted().toList(), names);
        assertTrue(pages > 1, "one page had time for all sequences");
    }

    private void allocate(String key, LocalDate date, boolean isReserved) {
        sequences
                .allocator()
                .next(NAME, List.of(new NumberRequest(key, 1, date, isReserved)))
                .results()
                .forEach(Result::orThrow);
    }

    private void makeVoid(String key) {
        sequences.statusChanges().makeVoid(NAME, key, "lost", null, CharacterBudget.OF_THE_PROCESS.open());
    }

    private void close(YearMonth month) {
        sequences.closings().close(NAME, month.atDay(1), month.atEndOfMonth(), null, 0);
    }

    private void upload(Upload.Kind kind, Upload.Progress progress) {
        uploads.add(new Upload(
                Upload.Id.random(NAME, kind),
                "fingerprint",
                clock.now(),
                ListColumns.ofKeys(null, 1),
                null,
                10,
                1,
                progress,
                clock.now(),
                "version"));
    }

    private AttentionEntry only(Kind kind) {
        List<AttentionEntry> entries = look();
        assertEquals(List.of(kind), entries.stream().map(AttentionEntry::kind).toList());
        return entries.get(0);
    }

    private List<AttentionEntry> look() {
        return look(Duration.ofDays(7));
    }

    private List<AttentionEntry> look(Duration reserved) {
        return sequences
                .attention()
                .look(null, reserved, Attention.MAX_SEQUENCES, null, reader, old)
                .entries();
    }
}
