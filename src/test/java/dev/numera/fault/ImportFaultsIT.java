package dev.numera.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.TestAccount;
import dev.numera.fixtures.TestLimits;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.Nth;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.maintain.history.LedgerEntry;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.definition.Precondition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Imports over a network that fails, at the same time as other imports and callers. */
@Tag("long")
class ImportFaultsIT {
    /** The failure of the nth request. */
    private enum Failure {
        /** The nth request and all later ones do not arrive, as if the process were killed. */
        KILLED(Fault.closedBeforeForwarding(), Long.MAX_VALUE),
        REPLY_LOST(Fault.replyLost(), 0),
        SENT_TWICE(Fault.forwardedTwice(), 0),
        LATE(Fault.forwardedLate(Instance.STORAGE_TIMEOUT.multipliedBy(2)), 0),
        REFUSED(Fault.statusThenForwarded(503, Duration.ofMillis(100)), 0);

        private final Fault fault;
        private final long later;

        Failure(Fault fault, long later) {
            this.fault = fault;
            this.later = later;
        }

        Nth from(long place) {
            return new Nth(EnumSet.allOf(RequestKind.class), "", place, later == 0 ? place : later);
        }
    }

    private final RawTables tables = new RawTables(SharedAzurite.connectionString());
    private final FaultProxy proxy = FaultProxy.before(SharedAzurite.ports());
    private final Instance patient = Instance.patient(SharedAzurite.connectionString());

    @AfterEach
    void closeProxy() {
        proxy.close();
    }

    /**
     * Imports, in one write, numbers before the first own number, within a skipped range and beyond the next number.
     */
    @ParameterizedTest
    @EnumSource
    void continuesAfterAnInterruptionAtAnyPoint(Failure failure) {
        long place = 0;
        boolean isMet = true;
        while (isMet) {
            place++;
            SequenceName sequence = gapless(100);
            patient.next(sequence, "own", 1);
            patient.sequences().moves().advance(sequence, 110, null, ChangeNote.NONE);
            List<ImportedNumber> rows = List.of(
                    issued("old-1", 50),
                    new ImportedNumber("old-2", 51L, null, null, Status.Kind.VOID, "misprint"),
                    issued("old-3", 103),
                    issued("old-4", 104),
                    issued("old-5", 112));
            Change note = note();
            Instance troubled = Instance.hasty("troubled", proxy.connectionString());
            proxy.traffic().forget();
            proxy.inject(failure.fault, failure.from(place));
            report(troubled, sequence, rows, note);
            isMet = !proxy.traffic().faults().isEmpty();
            proxy.heal();

            List<Result<PrintedAllocation>> results =
                    patient.sequences().imports().importNumbers(sequence, rows, note);

            String where = failure + " at " + place;
            assertTrue(
                    results.stream()
                            .allMatch(result ->
                                    !result.isRefused() && !result.orThrow().replayed()),
                    () -> where + ": " + results);
            assertEquals(113, patient.next(sequence, "own 2", 1).first(), where);
            assertEquals(
                    List.of(
                            "old-1 50 50",
                            "old-2 51 51",
                            "own 100 100",
                            "null 101 102",
                            "old-3 103 103",
                            "old-4 104 104",
                            "null 105 109",
                            "null 110 111",
                            "old-5 112 112",
                            "own 2 113 113"),
                    ledger(sequence),
                    where);
        }
        assertTrue(place > 5, "there were " + place + " requests only");
    }

    private static void report(Instance instance, SequenceName sequence, List<ImportedNumber> rows, Change note) {
        try {
            instance.sequences().imports().importNumbers(sequence, rows, note);
        } catch (ProblemException e) {
            assertTrue(Instance.CLEAR_PROBLEMS.contains(e.type()), e::toString);
        }
    }

    /** The files overlap in their numbers, under different keys, so no two of their rows are one row of the ledger. */
    @Test
    void twoInstancesAndCallersAtOnce() {
        for (int round = 0; round < 4; round++) {
            SequenceName sequence = gapless(1);
            List<Instance> instances =
                    IntStream.range(0, 3).mapToObj(i -> direct("i" + i)).toList();
            List<Long> allocated = new ArrayList<>();
            CompletableFuture<List<Long>> callers = CompletableFuture.supplyAsync(() -> IntStream.range(0, 20)
                    .mapToObj(call ->
                            instances.get(2).next(sequence, "own " + call, 1).first())
                    .toList());
            List<CompletableFuture<List<Long>>> imports = Stream.of(new long[] {1, 50}, new long[] {40, 90})
                    .map(range -> CompletableFuture.supplyAsync(() -> imported(
                            instances.get(range[0] == 1 ? 0 : 1),
                            sequence,
                            LongStream.rangeClosed(range[0], range[1])
                                    .mapToObj(number -> issued("from " + range[0] + " " + number, number))
                                    .toList())))
                    .toList();
            allocated.addAll(callers.join());
            imports.forEach(one -> allocated.addAll(one.join()));

            assertEquals(allocated.size(), allocated.stream().distinct().count(), () -> "twice: " + allocated);
            List<Long> stored = new ArrayList<>();
            for (LedgerEntry entry : tables.ledger(sequence, "")) {
                LongStream.rangeClosed(entry.first(), entry.last()).forEach(stored::add);
            }
            assertEquals(LongStream.rangeClosed(1, stored.size()).boxed().toList(), stored, "no gap, and no overlap");
            assertTrue(stored.containsAll(allocated));
        }
    }

    private static List<Long> imported(Instance instance, SequenceName sequence, List<ImportedNumber> rows) {
        List<Long> imported = new ArrayList<>();
        for (int from = 0; from < rows.size(); from += 10) {
            List<ImportedNumber> part = rows.subList(from, Math.min(from + 10, rows.size()));
            for (Result<PrintedAllocation> result :
                    instance.sequences().imports().importNumbers(sequence, part, note())) {
                if (result.isRefused()) {
                    assertEquals(ProblemType.NUMBER_TAKEN, result.refusal().type());
                } else {
                    imported.add(result.orThrow().first());
                }
            }
        }
        return imported;
    }

    /**
     * Returns an instance with a long deadline, because storage may be slow on a busy machine and this instance is to
     * meet no fault.
     */
    private static Instance direct(String name) {
        return new Instance(
                name,
                TestSequences.over(TestAccount.at(SharedAzurite.connectionString()))
                        .with(TestLimits.DEFAULT.withDeadline(Duration.ofSeconds(30)))
                        .start());
    }

    private SequenceName gapless(long start) {
        SequenceName sequence = new SequenceName("imports", UUID.randomUUID().toString());
        patient.sequences()
                .editor()
                .put(
                        sequence,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.GUARANTEE, Guarantee.GAPLESS)
                                .with(DefinitionField.START, start),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
        return sequence;
    }

    private static ImportedNumber issued(String key, long number) {
        return new ImportedNumber(key, number, null, null, Status.Kind.ISSUED, null);
    }

    private static Change note() {
        return Change.imported(
                UUID.randomUUID().toString().replace("-", ""), java.time.Instant.parse("2026-11-21T09:30:00Z"), "Anna");
    }

    private List<String> ledger(SequenceName sequence) {
        return tables.ledger(sequence, "").stream()
                .map(entry -> entry.key() + " " + entry.first() + " " + entry.last())
                .toList();
    }
}
