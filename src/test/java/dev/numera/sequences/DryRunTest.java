package dev.numera.sequences;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.contract.MemoryWorkerStore;
import dev.numera.core.counter.CounterStore;
import dev.numera.core.counter.PeerRequests;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Deadline;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.definition.Precondition;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A dry run reports for each row what the import then does. */
class DryRunTest {
    private static final SequenceName NAME = new SequenceName("shop", "invoice");
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final Change IMPORT = Change.imported("import", NOW, null);

    private final Sequences sequences = TestSequences.over(new MemoryCounterStore())
            .with(TestClock.standing(NOW))
            .start();

    private static ImportedNumber row(String key, long number, int year, Status.Kind status) {
        return new ImportedNumber(
                key, number, null, LocalDate.of(year, 3, 1), status, status == Status.Kind.VOID ? "misprint" : null);
    }

    private static List<String> shown(List<Result<PrintedAllocation>> results) {
        return results.stream()
                .map(result -> result.isRefused()
                        ? result.refusal().getMessage()
                        : result.orThrow().first() + " of " + result.orThrow().period() + " "
                                + result.orThrow().replayed())
                .toList();
    }

    /**
     * Each part of the list has its own deadline, like each write of an import. The deadline of the call once cut the
     * dry run off.
     */
    @Test
    void aListOfManyPeriodsTakesLongerThanOneCall() {
        Duration deadline = TestLimits.DEFAULT.limits().deadline();
        MemoryCounterStore table = new MemoryCounterStore();
        TestClock clock = TestClock.alone(NOW);
        Duration each = deadline.dividedBy(2).plusMillis(1);
        List<Duration> left = new ArrayList<>();
        CounterStore slow = ForwardingStore.over(CounterStore.class, table, request -> {
            if (request.method().getName().equals("find")) {
                left.add(Deadline.ofThisThread().orElseThrow().leftFor(deadline));
                clock.pass(each);
            }
            return request.forward();
        });
        Sequences slowly = TestSequences.over(
                        new SequenceStores(slow, PeerRequests.NONE, table, table, MemoryWorkerStore::new))
                .with(clock)
                .start();
        slowly.editor()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.RESET_EVERY, ResetEvery.YEAR)
                                .with(DefinitionField.TIME_ZONE, "UTC"),
                        Precondition.ABSENT,
                        ChangeNote.NONE);

        List<Result<PrintedAllocation>> judged = slowly.imports()
                .dryRun(
                        NAME,
                        List.of(
                                row("a", 1, 2021, Status.Kind.ISSUED),
                                row("b", 1, 2022, Status.Kind.ISSUED),
                                row("c", 1, 2023, Status.Kind.ISSUED)),
                        IMPORT);

        assertEquals(List.of("1 of 2021 false", "1 of 2022 false", "1 of 2023 false"), shown(judged));
        assertEquals(List.of(deadline, deadline, deadline), left);
    }

    @Test
    void aKeyThatComesAgainIsJudgedAsItIsImported() {
        sequences
                .editor()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.RESET_EVERY, ResetEvery.YEAR)
                                .with(DefinitionField.TIME_ZONE, "UTC"),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
        List<ImportedNumber> rows = List.of(
                row("k", 7, 2024, Status.Kind.ISSUED),
                row("k", 7, 2024, Status.Kind.ISSUED),
                row("k", 7, 2024, Status.Kind.VOID),
                row("k", 8, 2024, Status.Kind.ISSUED),
                row("k", 9, 2025, Status.Kind.ISSUED),
                row("l", 9, 2025, Status.Kind.ISSUED));

        List<String> judged = shown(sequences.imports().dryRun(NAME, rows, IMPORT));

        assertEquals(List.of("7 of 2024 false", "7 of 2024 true"), judged.subList(0, 2));
        assertEquals(
                "The key 'k' already has the number 7 of the period 2024. Each key has one number for ever: correct the"
                        + " row, or take another key.",
                judged.get(4));
        assertEquals("9 of 2025 false", judged.get(5));
        assertEquals(judged, shown(sequences.imports().importNumbers(NAME, rows, IMPORT)));
    }
}
