package dev.numera.operations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.TableClientBuilder;
import dev.numera.counter.Backoff;
import dev.numera.counter.ChangeNote;
import dev.numera.counter.CounterLimits;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Timekeeper;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.Nth;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.format.ResetEvery;
import dev.numera.localhost.Azurite;
import dev.numera.sequence.Ask;
import dev.numera.sequence.AutoCreate;
import dev.numera.sequence.DefinitionDraft;
import dev.numera.sequence.DefinitionField;
import dev.numera.sequence.Listing;
import dev.numera.sequence.Numbers;
import dev.numera.sequence.Precondition;
import dev.numera.sequence.SequenceLimits;
import dev.numera.sequence.Sequences;
import dev.numera.storage.StorageAccount;
import dev.numera.storage.StorageConnection;
import dev.numera.storage.TableNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The runbook of docs/operations.md on what a backup lacks: a row of the index, the counters of a day that began after
 * it, a counter that was opened while it was made, the first numbers of a sequence that had none. A restore then gave
 * numbers twice.
 */
class RunbookIT {
    private static final CounterLimits RETRIES = new CounterLimits(
            50,
            Duration.ofMinutes(1),
            new Backoff.FullJitter(Duration.ofMillis(1), Duration.ofMillis(4)),
            Duration.ofSeconds(2),
            200);
    private static final Duration HELD = Duration.ofSeconds(5);
    private static final SequenceName UNLISTED = new SequenceName("shop", "unlisted");
    private static final SequenceName DAILY = new SequenceName("shop", "daily");
    private static final SequenceName UNUSED = new SequenceName("shop", "unused");
    private static final SequenceName OPENED = new SequenceName("shop", "opened");
    private static final SequenceName OPENED_DAILY = new SequenceName("shop", "opened-daily");
    private static final List<SequenceName> ALL = List.of(UNLISTED, DAILY, UNUSED, OPENED, OPENED_DAILY);
    private static final long MARGIN = 1_000;

    private final Set<String> given = new HashSet<>();
    private final LocalDate today = LocalDate.now(ZoneOffset.UTC);

    @TempDir
    Path folder;

    /** The system's clock a day ago. */
    private record Yesterday() implements Timekeeper {
        @Override
        public long nanoTime() {
            return SYSTEM.nanoTime();
        }

        @Override
        public Instant now() {
            return SYSTEM.now().minus(Duration.ofDays(1));
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            SYSTEM.sleep(duration);
        }

        @Override
        public <T> T await(CompletableFuture<T> result, Duration atMost)
                throws InterruptedException, ExecutionException, TimeoutException {
            return SYSTEM.await(result, atMost);
        }
    }

    private static Sequences sequences(Azurite azurite, Timekeeper clock) {
        StorageAccount account = new StorageAccount(
                new StorageConnection.ConnectionString(azurite.connectionString()), Duration.ofSeconds(20));
        account.createTables();
        return Sequences.over(account.stores(), AutoCreate.NEVER, new SequenceLimits(RETRIES, 100, 400), clock);
    }

    private void define(Sequences sequences, SequenceName name) {
        ResetEvery reset = name == DAILY || name == OPENED_DAILY ? ResetEvery.DAY : null;
        sequences
                .administration()
                .put(
                        name,
                        DefinitionDraft.EMPTY.with(DefinitionField.RESET_EVERY, reset),
                        new Precondition.Absent(),
                        ChangeNote.NONE);
    }

    /** @throws AssertionError a number was given before */
    private void take(Sequences sequences, SequenceName name, LocalDate date, int count) {
        Numbers numbers = sequences
                .numbering()
                .next(name, List.of(new Ask(null, count, date)))
                .answers()
                .get(0)
                .orThrow();
        String period = name == DAILY || name == OPENED_DAILY ? date.toString() : "";
        LongStream.rangeClosed(numbers.first(), numbers.last())
                .forEach(number -> assertTrue(
                        given.add(name + " " + period + " " + number), () -> name + " gave " + number + " twice"));
    }

    @Test
    void whatTheBackupLacksIsNotHandedOutTwice() throws Exception {
        Path file = folder.resolve("numera.jsonl.gz");
        try (Azurite lost = Azurite.inMemory()) {
            Sequences before = sequences(lost, new Yesterday());
            ALL.forEach(name -> define(before, name));
            take(before, UNLISTED, today.minusDays(1), 3);
            take(before, DAILY, today.minusDays(1), 2);
            new TableClientBuilder()
                    .connectionString(lost.connectionString())
                    .tableName(TableNames.SEQUENCES)
                    .buildClient()
                    .deleteEntity(UNLISTED.scope(), UNLISTED.name());

            Sequences now = sequences(lost, Timekeeper.SYSTEM);
            exportWhile(lost, file, () -> {
                take(now, OPENED, today, 5);
                take(now, OPENED_DAILY, today, 5);
            });
            requireOpenedWithoutCounter(file);

            ALL.forEach(name -> take(now, name, today, 7));
            take(now, DAILY, today.minusDays(1), 7);
        }
        try (Azurite fresh = Azurite.inMemory()) {
            maintain(fresh.connectionString(), "restore", file.toString());
            maintain(fresh.connectionString(), "advance", "" + MARGIN);
            Sequences after = sequences(fresh, Timekeeper.SYSTEM);

            ALL.forEach(name -> take(after, name, today, 20));
            take(after, DAILY, today.minusDays(1), 20);
            assertEquals(
                    Set.copyOf(ALL),
                    after.listing().list("shop", Set.of(), 100, null).entries().stream()
                            .map(Listing.Entry::name)
                            .collect(Collectors.toSet()));
        }
    }

    /**
     * Its third request for the counters' table is for the definitions: the counters are read, and what is opened now
     * is not among them.
     */
    private void exportWhile(Azurite azurite, Path file, Runnable openings) throws Exception {
        try (FaultProxy proxy = FaultProxy.before(azurite.ports())) {
            proxy.inject(Fault.forwardedLate(HELD), Nth.of(RequestKind.READ, 3).onPath(TableNames.COUNTERS));
            CompletableFuture<List<String>> export =
                    CompletableFuture.supplyAsync(() -> maintain(proxy.connectionString(), "export", file.toString()));
            while (proxy.traffic().faults().isEmpty()) {
                LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
            }
            openings.run();
            export.get();
        }
    }

    private static void requireOpenedWithoutCounter(Path file) throws Exception {
        List<String> rows = BackupLines.rowsOf(file).stream()
                .filter(line -> line.contains("\"shop:opened\"") && !line.contains("\"rowKey\":\"change:"))
                .toList();
        assertEquals(1, rows.size(), rows::toString);
        assertTrue(rows.get(0).contains("\"inUse\":true"), rows::toString);
        assertFalse(rows.get(0).contains("\"rowKey\":\"counter"), rows::toString);
    }

    private static List<String> maintain(String connection, String... arguments) {
        try {
            return Maintain.run(Map.of("NumeraStorage", connection), arguments);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
