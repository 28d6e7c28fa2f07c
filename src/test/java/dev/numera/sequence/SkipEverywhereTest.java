package dev.numera.sequence;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.counter.CounterStore;
import dev.numera.execution.StoreFailure;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.TestClock;
import dev.numera.format.ResetEvery;
import dev.numera.model.Ask;
import dev.numera.model.ChangeNote;
import dev.numera.model.DefinitionDraft;
import dev.numera.model.DefinitionField;
import dev.numera.model.SequenceName;
import dev.numera.problem.ProblemException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What was handed out after a copy was made is not handed out again once the copy was put back and advanced. */
class SkipEverywhereTest {
    private static final long MARGIN = 1_000;
    private static final LocalDate COPIED_ON = LocalDate.of(2026, 11, 20);
    private static final Instant COPIED_AT = COPIED_ON.atTime(12, 0).toInstant(ZoneOffset.UTC);
    private static final int DAYS_AFTER = 3;
    private static final List<SequenceName> DAILY =
            List.of(new SequenceName("shop", "a"), new SequenceName("shop", "b"), new SequenceName("shop", "c"));
    private static final SequenceName UNUSED = new SequenceName("shop", "unused");
    private static final SequenceName NARROW = new SequenceName("shop", "narrow");

    private final MemoryCounterStore memory = new MemoryCounterStore();
    private final Set<String> given = new HashSet<>();

    private Sequences on(LocalDate day) {
        return on(day, memory);
    }

    private Sequences on(LocalDate day, CounterStore counters) {
        return TestSequences.over(memory)
                .with(counters)
                .with(AutoCreate.NEVER)
                .with(TestClock.standing(day.atTime(12, 0).toInstant(ZoneOffset.UTC)))
                .start();
    }

    /** A store that is gone for good after so many writes. */
    private CounterStore lostAfter(int writes) {
        int[] left = {writes};
        return ForwardingStore.over(CounterStore.class, memory, request -> {
            if (request.name().equals("write") && left[0]-- <= 0) {
                throw new StoreFailure("gone", false, null);
            }
            return request.forward();
        });
    }

    private void define(SequenceName name, DefinitionDraft draft) {
        on(COPIED_ON).administration().put(name, draft, Precondition.ABSENT, ChangeNote.NONE);
    }

    private void take(Sequences sequences, SequenceName name, LocalDate date, int count) {
        Numbers numbers = sequences
                .numbering()
                .next(name, List.of(new Ask(null, count, date)))
                .answers()
                .get(0)
                .orThrow();
        String period = DAILY.contains(name) ? date.toString() : "";
        LongStream.rangeClosed(numbers.first(), numbers.last())
                .forEach(number -> assertTrue(
                        given.add(name + " " + period + " " + number), () -> name + " gave " + number + " twice"));
    }

    private void takeOfEach(Sequences sequences, LocalDate date) {
        DAILY.forEach(name -> take(sequences, name, date, 3));
        take(sequences, UNUSED, date, 3);
    }

    @Test
    void aRunThatBrokeOffIsBegunAgain() {
        DAILY.forEach(name -> define(
                name,
                DefinitionDraft.EMPTY
                        .with(DefinitionField.RESET_EVERY, ResetEvery.DAY)
                        .with(DefinitionField.TIME_ZONE, "UTC")));
        define(UNUSED, DefinitionDraft.EMPTY);
        DAILY.forEach(name -> take(on(COPIED_ON), name, COPIED_ON, 3));
        MemoryCounterStore.Backup copy = memory.backup();
        List<LocalDate> days =
                COPIED_ON.datesUntil(COPIED_ON.plusDays(DAYS_AFTER + 1)).toList();
        days.forEach(day -> takeOfEach(on(day), day));
        LocalDate today = days.get(DAYS_AFTER);
        Set<String> givenBefore = Set.copyOf(given);

        int writes = DAILY.size() * days.size() + 1;
        for (int broken = 0; broken < writes; broken++) {
            memory.restore(copy);
            Administration breaking = on(today, lostAfter(broken)).administration();
            assertThrows(ProblemException.class, () -> breaking.skipEverywhere(MARGIN, COPIED_AT, ChangeNote.NONE));
            on(today).administration().skipEverywhere(MARGIN, COPIED_AT, ChangeNote.NONE);
            given.clear();
            given.addAll(givenBefore);
            days.forEach(day -> takeOfEach(on(today), day));
        }
    }

    /** Its time was once taken for that of the copy: the days before it were not opened. */
    @Test
    void whatWasMovedByHandSaysNothingOfTheOthers() {
        SequenceName daily = DAILY.get(0);
        define(
                daily,
                DefinitionDraft.EMPTY
                        .with(DefinitionField.RESET_EVERY, ResetEvery.DAY)
                        .with(DefinitionField.TIME_ZONE, "UTC"));
        define(NARROW, DefinitionDraft.EMPTY);
        take(on(COPIED_ON), NARROW, COPIED_ON, 3);
        MemoryCounterStore.Backup copy = memory.backup();
        LocalDate lost = COPIED_ON.plusDays(1);
        take(on(lost), daily, lost, 3);

        memory.restore(copy);
        Sequences today = on(COPIED_ON.plusDays(DAYS_AFTER));
        today.administration().advance(NARROW, 5_000, null, ChangeNote.NONE);
        today.administration().skipEverywhere(MARGIN, COPIED_AT, ChangeNote.NONE);
        take(today, daily, lost, 3);
    }

    @Test
    void theMarginGoesBeyondARangeThatWasWidened() {
        define(NARROW, DefinitionDraft.EMPTY.with(DefinitionField.MAX_VALUE, 10L));
        take(on(COPIED_ON), NARROW, COPIED_ON, 3);
        MemoryCounterStore.Backup copy = memory.backup();
        widen();
        take(on(COPIED_ON), NARROW, COPIED_ON, 20);

        memory.restore(copy);
        on(COPIED_ON).administration().skipEverywhere(MARGIN, COPIED_AT, ChangeNote.NONE);
        widen();
        take(on(COPIED_ON), NARROW, COPIED_ON, 20);
    }

    private void widen() {
        on(COPIED_ON)
                .administration()
                .patch(
                        NARROW,
                        DefinitionDraft.EMPTY.with(DefinitionField.MAX_VALUE, 100_000L),
                        Precondition.PRESENT,
                        ChangeNote.NONE);
    }
}
