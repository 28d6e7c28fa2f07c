package dev.numera.sequences;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Page;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.problem.Result;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.fixtures.proxy.Traffic;
import dev.numera.sequences.definition.Precondition;
import dev.numera.sequences.ledger.CheckedPage;
import dev.numera.sequences.ledger.LedgerFilter;
import dev.numera.sequences.ledger.LedgerLine;
import dev.numera.sequences.ledger.LedgerPosition;
import dev.numera.sequences.ledger.UnsentStatusChanges;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The requests that reach storage. They are counted, because the emulator's times grow with its tables and Azure's do
 * not.
 */
class RequestsIT {
    private static final SequenceName NAME = new SequenceName("requests", "ledger");

    private final FaultProxy proxy = FaultProxy.before(SharedAzurite.ports());
    private final Sequences sequences = over(proxy.connectionString());

    private static Sequences over(String connection) {
        return TestSequences.over(connection).start();
    }

    @AfterEach
    void close() {
        proxy.close();
    }

    private static DefinitionDraft gapless() {
        return DefinitionDraft.EMPTY
                .with(DefinitionField.GUARANTEE, Guarantee.GAPLESS)
                .with(DefinitionField.FORMAT, "N{n:5}");
    }

    private void number(int from, int to) {
        List<NumberRequest> requests = IntStream.rangeClosed(from, to)
                .mapToObj(i -> new NumberRequest("key-" + i, 1, null))
                .toList();
        for (int at = 0; at < requests.size(); at += 98) {
            sequences
                    .allocator()
                    .next(NAME, requests.subList(at, Math.min(at + 98, requests.size())))
                    .results()
                    .forEach(Result::orThrow);
        }
    }

    /**
     * Returns the requests of a call except looks for peer requests. One is due with a write at least every 100 ms,
     * whatever the purpose of the write.
     */
    private List<Traffic.Forwarded> during(Runnable call) {
        proxy.traffic().forget();
        call.run();
        return proxy.traffic().forwarded().stream()
                .filter(request -> request.kind() != RequestKind.LOOK)
                .toList();
    }

    @Test
    @Tag("long")
    void neitherAllocationsNorLookUpsGrowWithTheLedgerAndACheckOnlyByItsRows() {
        sequences.editor().put(NAME, gapless(), Precondition.ABSENT, ChangeNote.NONE);
        List<List<String>> costs = new ArrayList<>();
        int last = 0;
        for (int rows : List.of(10, 5_000)) {
            number(last + 1, rows);
            // After these numbers the turn of the instance may be over, so that one call reads regardless of the
            // ledger's size.
            number(rows + 1, rows + 1);
            last = rows + 2;
            int key = last;
            int number = rows - 5;
            List<Traffic.Forwarded> allocation = during(() -> number(key, key));
            List<Traffic.Forwarded> whoGot = during(() -> {
                Page<LedgerLine, LedgerPosition> page = read(NAME, number, number);
                assertEquals(
                        List.of("key-" + number),
                        page.items().stream().map(LedgerLine::key).toList());
            });
            List<Traffic.Forwarded> byKey = during(() -> assertEquals(
                    number,
                    sequences.ledger().find(NAME, "key-" + number).orElseThrow().first()));
            costs.add(List.of(cost(allocation), cost(whoGot), cost(byKey)));
        }
        assertEquals(costs.get(0), costs.get(1));
        assertEquals(
                List.of("TRANSACTION 3 operations", "READ 1 entities, READ 0 entities", "READ 1 entities"),
                costs.get(1));
        int greatest = last;
        // The counter, then one query for up to a hundred rows with up to 98 numbers each, and one for marks.
        assertEquals("READ 1 entities, READ 56 entities, READ 0 entities", cost(during(() -> {
            CheckedPage<?> page = sequences.ledgerCheck().check(NAME, 1, greatest, null, null, null);
            assertEquals(greatest, page.allocated());
            assertNull(page.next());
        })));
    }

    @Test
    void reservationCostsOneOperationAndAStatusOneRead() {
        SequenceName name = new SequenceName("requests", "reserved");
        take(sequences, name, "first");
        assertEquals("TRANSACTION 3 operations", cost(during(() -> take(sequences, name, "issued"))));
        assertEquals("TRANSACTION 4 operations", cost(during(() -> sequences
                .allocator()
                .next(name, List.of(new NumberRequest("reserved", 1, null, true)))
                .results()
                .forEach(Result::orThrow))));
        assertEquals(
                "READ 1 entities, TRANSACTION 2 operations",
                cost(during(() -> UnsentStatusChanges.issue(sequences.statusChanges(), name, "reserved", null))));
        assertEquals(
                "READ 1 entities, TRANSACTION 2 operations",
                cost(during(
                        () -> UnsentStatusChanges.makeVoid(sequences.statusChanges(), name, "issued", "lost", null))));
        assertEquals(
                "READ 1 entities",
                cost(during(
                        () -> UnsentStatusChanges.makeVoid(sequences.statusChanges(), name, "issued", "lost", null))));
        // One query for all entries of a page, and one for their statuses.
        assertEquals("READ 3 entities, READ 1 entities", cost(during(() -> read(name, 1, 1_000))));
    }

    /** Sends one query each for counters, for rows and for statuses. */
    @Test
    void aPageOfTheNewestNumbersCostsFewRequests() {
        SequenceName name = new SequenceName("requests", "newest");
        for (int group = 0; group < 12; group++) {
            String prefix = group + "-";
            List<NumberRequest> keys = IntStream.range(0, 98)
                    .mapToObj(i -> new NumberRequest(prefix + i, 1, null))
                    .toList();
            sequences.allocator().next(name, keys).results().forEach(Result::orThrow);
        }
        List<Traffic.Forwarded> page = during(() -> {
            LedgerFilter all = new LedgerFilter(1, 2_000);
            List<LedgerLine> newest = sequences
                    .ledger()
                    .readNewestFirst(name, all, null, null, 1_000)
                    .items();
            assertEquals(1_176, newest.get(0).first());
            assertEquals(177, newest.get(999).first());
        });
        assertEquals("READ 1 entities, READ 11 entities, READ 0 entities", cost(page));
    }

    private Page<LedgerLine, LedgerPosition> read(SequenceName name, long from, long to) {
        return sequences.ledger().read(name, new LedgerFilter(from, to), null, null, 1_000);
    }

    private static String cost(List<Traffic.Forwarded> requests) {
        return String.join(
                ", ",
                requests.stream()
                        .map(request -> request.kind() + " "
                                + (request.kind() == RequestKind.TRANSACTION
                                        ? request.operations() + " operations"
                                        : request.entities() + " entities"))
                        .toList());
    }

    /**
     * Each write except the first was once lost, because it used the definition from before the previous write had
     * marked it.
     */
    @Test
    void eachWriteOfAnImportIsWonAtOnce() {
        SequenceName name = new SequenceName("requests", "imported");
        take(sequences, name, "first");
        List<ImportedNumber> rows = LongStream.rangeClosed(2, 200)
                .mapToObj(number -> new ImportedNumber("old-" + number, number, null, null, Status.Kind.ISSUED, null))
                .toList();
        Change note = Change.imported("import", Instant.now(), null);
        assertEquals(
                3,
                during(() -> sequences.imports().importNumbers(name, rows, note).forEach(Result::orThrow)).stream()
                        .filter(request -> request.kind() == RequestKind.TRANSACTION)
                        .count());
    }

    @Test
    @Tag("long")
    void neitherAllocationsNorLookUpsGrowWithTheNumberOfSequences() {
        Sequences others = over(SharedAzurite.connectionString());
        List<List<String>> costs = new ArrayList<>();
        int made = 0;
        for (int count : List.of(10, 1_000)) {
            IntStream.range(made, count)
                    .parallel()
                    .forEach(i -> take(others, new SequenceName("many", "sequence-" + i), "first"));
            made = count;
            SequenceName one = new SequenceName("many", "sequence-" + (count - 1));
            take(sequences, one, "second");
            List<Traffic.Forwarded> allocation = during(() -> take(sequences, one, "third"));
            List<Traffic.Forwarded> whoGot =
                    during(() -> assertEquals(1, read(one, 2, 2).items().size()));
            costs.add(List.of(cost(allocation), cost(whoGot)));
        }
        assertEquals(costs.get(0), costs.get(1));
        assertEquals(List.of("TRANSACTION 3 operations", "READ 1 entities, READ 0 entities"), costs.get(1));
    }

    private static void take(Sequences sequences, SequenceName name, String key) {
        sequences
                .allocator()
                .next(name, List.of(new NumberRequest(key, 1, null)))
                .results()
                .get(0)
                .orThrow();
    }

    /**
     * Retirement once rewrote every counter. Callers decide how many there are, and the host ends a function after five
     * minutes.
     */
    @Test
    @Tag("long")
    void retiringCostsTheSameForAnyCountOfPeriods() {
        List<String> costs = new ArrayList<>();
        for (int periods : List.of(1, 300)) {
            SequenceName daily = new SequenceName("requests", "daily-" + periods);
            sequences
                    .editor()
                    .put(
                            daily,
                            DefinitionDraft.EMPTY
                                    .with(DefinitionField.RESET_EVERY, ResetEvery.DAY)
                                    .with(DefinitionField.TIME_ZONE, "UTC"),
                            Precondition.ABSENT,
                            ChangeNote.NONE);
            for (int period = 0; period < periods; period++) {
                NumberRequest request =
                        new NumberRequest(null, 1, LocalDate.of(2026, 1, 1).minusDays(period));
                sequences
                        .allocator()
                        .next(daily, List.of(request))
                        .results()
                        .get(0)
                        .orThrow();
            }
            costs.add(cost(during(() -> sequences.lifecycle().retire(daily, Precondition.PRESENT, ChangeNote.NONE))));
        }
        assertEquals(costs.get(0), costs.get(1));
        assertEquals("READ 1 entities, READ 1 entities, TRANSACTION 2 operations", costs.get(1));
    }

    /**
     * Counts the first number of an undefined sequence, the second one, and one on an instance that has not read the
     * sequence.
     */
    @Test
    void requestsOfAFirstAWarmAndAColdNumberAreCounted() {
        SequenceName name = new SequenceName("requests", "first-" + UUID.randomUUID());
        NumberRequest request = new NumberRequest(null, 1, null);
        String first = cost(during(() -> sequences
                .allocator()
                .next(name, List.of(request))
                .results()
                .get(0)
                .orThrow()));
        String warm = cost(during(() -> sequences
                .allocator()
                .next(name, List.of(request))
                .results()
                .get(0)
                .orThrow()));
        Sequences stranger = over(proxy.connectionString());
        String cold = cost(during(() -> stranger.allocator()
                .next(name, List.of(request))
                .results()
                .get(0)
                .orThrow()));

        // Reads the definition, the index row, the template and the service's mark in three tables: none exists. Then
        // creates the definition with its change and the index row, reads the marks again, and creates the counter with
        // the first number.
        assertEquals(
                "READ 0 entities, ".repeat(6) + "TRANSACTION 2 operations, INSERT 0 entities, "
                        + "READ 0 entities, ".repeat(4) + "TRANSACTION 2 operations",
                first);
        assertEquals("CONDITIONAL_WRITE 0 entities", warm);
        // Definition, counter, and the definition again: meanwhile the format may have been replaced and the counter
        // advanced.
        assertEquals("READ 1 entities, READ 1 entities, READ 1 entities, CONDITIONAL_WRITE 0 entities", cold);
    }

    @Test
    void anUncontendedNumberIsOneRequest() {
        SequenceName strict = new SequenceName("requests", "strict");
        NumberRequest numberRequest = new NumberRequest(null, 1, null);
        sequences.allocator().next(strict, List.of(numberRequest));
        List<Traffic.Forwarded> requests = during(() -> {
            for (int call = 0; call < 20; call++) {
                sequences
                        .allocator()
                        .next(strict, List.of(numberRequest))
                        .results()
                        .get(0)
                        .orThrow();
            }
        });
        assertEquals(20, requests.size());
        assertTrue(requests.stream().allMatch(request -> request.kind() == RequestKind.CONDITIONAL_WRITE));
    }
}
