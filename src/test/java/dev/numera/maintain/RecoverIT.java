package dev.numera.maintain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.core.exception.HttpResponseException;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.TableEntity;
import dev.numera.azure.TableNames;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Clock;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import dev.numera.fixtures.proxy.ErrorBody;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.Nth;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.AutoCreate;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.definition.Precondition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command recover: beside running instances, interrupted anywhere, and where it must refuse. */
class RecoverIT {
    private static final SequenceName STRICT = new SequenceName("shop", "strict");
    private static final SequenceName GAPLESS = new SequenceName("shop", "gapless");
    private static final SequenceName CACHED = new SequenceName("shop", "cached");
    private static final SequenceName DAILY = new SequenceName("shop", "daily");
    private static final SequenceName SNOWFLAKE = new SequenceName("shop", "snowflake");
    private static final SequenceName CREATED_SINCE = new SequenceName("shop", "created-since");
    private static final SequenceName UNUSED = new SequenceName("shop", "unused");
    private static final List<SequenceName> USED = List.of(STRICT, GAPLESS, CACHED, DAILY, SNOWFLAKE);
    private static final String MARGIN = "1000";
    private static final Set<String> SYSTEM_PROPERTIES = Set.of("PartitionKey", "RowKey", "Timestamp");
    /**
     * The distance between the requests after which the command or an instance is killed; 1 for each of them, in a
     * quarter of an hour.
     */
    private static final int STEP = Integer.getInteger("recovery.step", 8);
    /** The first of these requests. */
    private static final int FIRST = Integer.getInteger("recovery.first", 1);

    /** Each round makes the ledgers longer, and each row of a partition makes Azurite slower. */
    private static final int MAX_KILLS_OF_AN_ACCOUNT = 50;

    private static final TestLimits LIMITS = TestLimits.DEFAULT.withDeadline(Duration.ofSeconds(20));

    private final Set<String> allocated = new HashSet<>();
    private final Map<String, Long> numberOfKey = new HashMap<>();
    private final LocalDate today = LocalDate.now(ZoneOffset.UTC);
    private final AtomicInteger keys = new AtomicInteger();
    /** The clock of the instances. It passes while the maintenance program waits. */
    private final TestClock clock = TestClock.system();

    private RoundClock round = new RoundClock();

    private final Clock maintenance = ForwardingStore.over(Clock.class, Clock.SYSTEM, request -> {
        if (request.name().equals("pause")) {
            clock.pass((Duration) request.arguments()[0]);
            return null;
        }
        return request.forward();
    });

    @TempDir
    Path folder;

    private String maintain(String storage, String... arguments) {
        try {
            return String.join("\n", Maintain.run(Map.of("NumeraStorage", storage), maintenance, arguments));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String recover(String storage, Path backup) {
        return maintain(storage, "recover", backup.toString(), "--margin", MARGIN);
    }

    /**
     * The clock of the instances of one round. When the round is over, their background threads end at the end of a
     * pause. Otherwise hundreds of instances would renew leases until the end of the test.
     */
    private final class RoundClock implements Clock {
        private final AtomicBoolean isOver = new AtomicBoolean();

        @Override
        public long nanoTime() {
            return clock.nanoTime();
        }

        @Override
        public Instant now() {
            return clock.now();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            clock.sleep(duration);
            if (isOver.get()) {
                throw new InterruptedException("The instance has ended.");
            }
        }

        @Override
        public <T> T await(CompletableFuture<T> result, Duration atMost)
                throws InterruptedException, ExecutionException, TimeoutException {
            return clock.await(result, atMost);
        }
    }

    private Sequences instance(String storage) {
        return TestSequences.over(storage)
                .with(AutoCreate.ALWAYS)
                .with(LIMITS)
                .with(round)
                .start();
    }

    private void endRound() {
        round.isOver.set(true);
        round = new RoundClock();
    }

    private static void define(Sequences sequences, SequenceName name) {
        Guarantee guarantee =
                switch (name.name()) {
                    case "gapless" -> Guarantee.GAPLESS;
                    case "cached" -> Guarantee.CACHED;
                    case "snowflake" -> Guarantee.SNOWFLAKE;
                    default -> Guarantee.STRICT;
                };
        sequences
                .editor()
                .put(
                        name,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.GUARANTEE, guarantee)
                                .with(DefinitionField.RESET_EVERY, name == DAILY ? ResetEvery.DAY : null)
                                .with(DefinitionField.TIME_ZONE, "UTC"),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
    }

    /** Calls again, as a caller does, if a busy machine left the outcome unknown, or storage did not answer in time. */
    private static PrintedAllocation next(Sequences sequences, SequenceName name, String key, LocalDate date) {
        List<NumberRequest> request = List.of(new NumberRequest(key, 1, date));
        try {
            return sequences.allocator().next(name, request).results().get(0).orThrow();
        } catch (ProblemException e) {
            if (e.type() != ProblemType.OUTCOME_UNKNOWN && e.type() != ProblemType.STORAGE_UNAVAILABLE) {
                throw e;
            }
            return sequences.allocator().next(name, request).results().get(0).orThrow();
        }
    }

    /** Allocates numbers, and fails if one of them was allocated before. */
    private void take(Sequences sequences, SequenceName name, LocalDate date, int count) {
        for (int i = 0; i < count; i++) {
            String key = name == GAPLESS ? "key-" + keys.incrementAndGet() : null;
            PrintedAllocation printed = next(sequences, name, key, date);
            LongStream.rangeClosed(printed.first(), printed.last())
                    .forEach(number -> assertTrue(
                            allocated.add(name + (name == DAILY ? " " + date : "") + " " + number),
                            () -> name + " allocated " + number + " twice"));
            if (key != null) {
                numberOfKey.put(key, printed.first());
            }
        }
    }

    private void takeEach(Sequences sequences, int count) {
        USED.forEach(name -> take(sequences, name, today, count));
    }

    private static TableClient table(String storage, String name) {
        return new TableClientBuilder()
                .connectionString(storage)
                .tableName(name)
                .buildClient();
    }

    private static void deleteTables(String storage, String... names) {
        Stream.of(names).forEach(name -> table(storage, name).deleteTable());
    }

    /** Prepares an account with a backup that lacks a sequence, a day, and numbers of every sequence. */
    private Sequences prepare(String storage, Path backup) {
        Sequences running = instance(storage);
        USED.forEach(name -> define(running, name));
        define(running, UNUSED);
        takeEach(running, 3);
        take(running, DAILY, today.minusDays(1), 2);
        maintain(storage, "export", backup.toString());
        takeEach(running, 20);
        take(running, CREATED_SINCE, today, 5);
        take(running, DAILY, today.plusDays(1), 3);
        return running;
    }

    /** Requires that nothing is allocated twice, and that known keys have their numbers. */
    private void requireSound(String storage, Sequences running, Set<String> keysOfBackup) {
        for (Sequences sequences : List.of(running, instance(storage))) {
            takeEach(sequences, 5);
            take(sequences, UNUSED, today, 2);
            take(sequences, DAILY, today.minusDays(1), 2);
            take(sequences, DAILY, today.plusDays(1), 2);
            keysOfBackup.forEach(key -> assertEquals(
                    numberOfKey.get(key),
                    next(sequences, GAPLESS, key, today).first(),
                    () -> key + " has another number"));
        }
    }

    @Test
    void oneCommandRecoversBesideARunningInstance() {
        Path backup = folder.resolve("numera.jsonl.gz");
        String storage = SharedAzurite.emptyAccount();
        Sequences running = prepare(storage, backup);
        deleteTables(storage, TableNames.COUNTERS, TableNames.BATCHES);

        LeftToDecide left = assertThrows(LeftToDecide.class, () -> recover(storage, backup));

        assertTrue(
                left.getMessage().startsWith("Recovered from " + backup + ": 6 sequences, 5 counters"),
                left::getMessage);
        assertTrue(left.getMessage().contains("shop/created-since is not in the backup"), left::getMessage);
        assertFalse(left.getMessage().contains("stays suspended"), left::getMessage);
        requireSound(storage, running, Set.of("key-1", "key-2", "key-3"));
        ProblemException lost = assertThrows(ProblemException.class, () -> next(running, CREATED_SINCE, null, today));
        assertEquals(ProblemType.ROLLED_BACK, lost.type());
    }

    @Test
    void aLostIndexClosesCreation() {
        Path backup = folder.resolve("numera.jsonl.gz");
        String storage = SharedAzurite.emptyAccount();
        Sequences running = prepare(storage, backup);
        TableNames.ALL.forEach(table -> deleteTables(storage, table));

        LeftToDecide left = assertThrows(LeftToDecide.class, () -> recover(storage, backup));

        assertTrue(left.getMessage().contains("Then: allow-creation"), left::getMessage);
        requireSound(storage, running, Set.of("key-1"));
        ProblemException unknown =
                assertThrows(ProblemException.class, () -> next(instance(storage), CREATED_SINCE, null, today));
        assertEquals(ProblemType.UNKNOWN_SEQUENCE, unknown.type());
    }

    /** The table service of an account, reached through the proxy. */
    private static String through(FaultProxy proxy, String storage) {
        return storage.replace(":" + SharedAzurite.ports().table() + "/", ":" + proxy.port() + "/");
    }

    /**
     * Runs a recovery whose requests all fail after this one, which is as if the command was killed when it had sent
     * it.
     *
     * @return whether there were so many requests
     */
    private boolean isKilledAfter(FaultProxy proxy, long request, String storage, Path backup) {
        Fault refused = Fault.status(403, ErrorBody.JSON);
        proxy.inject(Fault.committedButStatus(403, ErrorBody.JSON), Nth.any(request));
        proxy.inject(refused, new Nth(EnumSet.allOf(RequestKind.class), "", request + 1, Long.MAX_VALUE));
        try {
            recover(through(proxy, storage), backup);
            return false;
        } catch (LeftToDecide e) {
            return false;
        } catch (ProblemException | IllegalStateException e) {
            return true;
        } finally {
            proxy.heal();
        }
    }

    @Test
    @Tag("long")
    void killedAfterAnyRequestItContinuesAndNothingIsAllocatedTwice() {
        int request = FIRST;
        try (FaultProxy proxy = FaultProxy.before(SharedAzurite.ports())) {
            while (isKilledAtEach(request, MAX_KILLS_OF_AN_ACCOUNT, proxy)) {
                request += MAX_KILLS_OF_AN_ACCOUNT * STEP;
            }
        }
    }

    private Sequences prepareNew(String storage, int request) {
        allocated.clear();
        numberOfKey.clear();
        keys.set(0);
        Sequences running = prepare(storage, folder.resolve("before-" + request + ".jsonl.gz"));
        // The running instance outlives the rounds.
        round = new RoundClock();
        return running;
    }

    /**
     * Kills recoveries of one account after this request and later ones.
     *
     * @return whether a recovery has more requests than that
     */
    private boolean isKilledAtEach(int first, int kills, FaultProxy proxy) {
        String storage = SharedAzurite.emptyAccount();
        Sequences running = prepareNew(storage, first);
        for (int request = first; request < first + kills * STEP; request += STEP) {
            Path backup = folder.resolve(request + ".jsonl.gz");
            maintain(storage, "export", backup.toString());
            takeEach(running, 3);
            deleteTables(storage, TableNames.COUNTERS, TableNames.BATCHES);
            boolean isKilled = isKilledAfter(proxy, request, storage, backup);
            // The worker numbers of the instances that the check below starts become free again.
            clock.pass(Duration.ofMinutes(5));
            if (isKilled) {
                recoverToTheEnd(storage, backup);
            }
            requireSound(storage, running, Set.of("key-1", "key-2", "key-3"));
            endRound();
            if (!isKilled) {
                assertTrue(request > 60, "only " + request + " requests");
                return false;
            }
        }
        return true;
    }

    /** Calls each sequence once, as far as the instance and its storage answer. */
    private void call(Sequences instance, List<AssertionError> duplicates) {
        for (SequenceName name : USED) {
            try {
                take(instance, name, today, 1);
            } catch (ProblemException e) {
                // The service is suspended, or the instance was killed: its caller has no number.
                assertFalse(e.getMessage().isEmpty());
            } catch (AssertionError e) {
                duplicates.add(e);
            }
        }
    }

    @Test
    @Tag("long")
    void anInstanceThatIsKilledAtAnyStepOfTheRecoveryAllocatesNothingTwice() {
        int request = FIRST;
        while (isReachedByEach(request)) {
            request += MAX_KILLS_OF_AN_ACCOUNT * STEP;
        }
    }

    /**
     * Kills instances while recoveries of one account send this request and later ones.
     *
     * @return whether a recovery has more requests than that
     */
    private boolean isReachedByEach(int first) {
        String storage = SharedAzurite.emptyAccount();
        Sequences running = prepareNew(storage, first);
        List<AssertionError> duplicates = new ArrayList<>();
        AtomicBoolean isReached = new AtomicBoolean(true);
        int request = first;
        for (; isReached.get() && request < first + MAX_KILLS_OF_AN_ACCOUNT * STEP; request += STEP) {
            Path backup = folder.resolve("app-" + request + ".jsonl.gz");
            try (FaultProxy recovery = FaultProxy.before(SharedAzurite.ports());
                    FaultProxy app = FaultProxy.before(SharedAzurite.ports())) {
                Sequences killed = instance(through(app, storage));
                maintain(storage, "export", backup.toString());
                takeEach(killed, 2);
                deleteTables(storage, TableNames.COUNTERS, TableNames.BATCHES);
                isReached.set(false);
                int lastRequest = request % 7 + 1;
                Runnable event = () -> {
                    isReached.set(true);
                    app.inject(Fault.committedButStatus(403, ErrorBody.JSON), Nth.any(lastRequest));
                    app.inject(
                            Fault.status(403, ErrorBody.JSON),
                            new Nth(EnumSet.allOf(RequestKind.class), "", lastRequest + 1, Long.MAX_VALUE));
                    call(killed, duplicates);
                    call(instance(storage), duplicates);
                };
                recovery.inject(Fault.beatenBy(event), Nth.any(request));
                recoverToTheEnd(through(recovery, storage), backup);
                clock.pass(Duration.ofMinutes(5));
                requireSound(storage, running, Set.of("key-1", "key-2", "key-3"));
                assertEquals(List.of(), duplicates);
                endRound();
            }
        }
        assertTrue(isReached.get() || request > 60, "only " + request + " requests");
        return isReached.get();
    }

    private void recoverToTheEnd(String storage, Path backup) {
        String report = report(storage, backup);
        assertFalse(report.contains("stays suspended"), report);
    }

    private String report(String storage, Path backup) {
        try {
            return recover(storage, backup);
        } catch (LeftToDecide e) {
            return e.getMessage();
        }
    }

    /** Interrupts a recovery in this stage. */
    private void interruptAt(String stage, String storage, Path backup) {
        try (FaultProxy proxy = FaultProxy.before(SharedAzurite.ports())) {
            for (int request = 10; ; request += 3) {
                assertTrue(isKilledAfter(proxy, request, storage, backup), "the recovery was never " + stage);
                boolean isThere = table(storage, TableNames.COUNTERS).listEntities().stream()
                        .filter(row -> row.getRowKey().equals("recovery"))
                        .anyMatch(mark -> mark.getProperty("stage").equals(stage));
                if (isThere) {
                    return;
                }
                deleteTables(storage, TableNames.COUNTERS, TableNames.BATCHES);
            }
        }
    }

    private static Path without(String text, Path backup) {
        try {
            List<String> lines = new ArrayList<>(BackupLines.of(backup));
            lines.removeIf(line -> line.contains(text));
            return BackupLines.closed(lines, backup.resolveSibling("other.jsonl.gz"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"restoring", "advancing"})
    void anotherBackupReplacesTheRowsOfAnInterruptedRecovery(String stage) {
        Path backup = folder.resolve("numera.jsonl.gz");
        String storage = SharedAzurite.emptyAccount();
        Sequences running = prepare(storage, folder.resolve("early.jsonl.gz"));
        maintain(storage, "export", backup.toString());
        takeEach(running, 5);
        deleteTables(storage, TableNames.COUNTERS, TableNames.BATCHES);
        interruptAt(stage, storage, backup);

        LeftToDecide left = assertThrows(LeftToDecide.class, () -> recover(storage, without("created-since", backup)));

        assertTrue(left.getMessage().contains("shop/created-since is not in the backup"), left::getMessage);
        requireSound(storage, running, Set.of("key-1", "key-2", "key-3"));
        assertEquals(
                List.of(),
                table(storage, TableNames.COUNTERS).listEntities().stream()
                        .filter(row -> row.getPartitionKey().equals("shop:created-since"))
                        .toList());
    }

    /**
     * The backup reads the rows in number order first. So it may lack that row of a number that is imported meanwhile,
     * and have its row by key. Once, another key could be imported for the number.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aNumberThatWasImportedDuringTheBackupIsNotImportedForAnotherKey(boolean isByOneCommand) throws IOException {
        String storage = SharedAzurite.emptyAccount();
        Sequences running = instance(storage);
        define(running, GAPLESS);
        imported(running, "first", 1);
        imported(running, "last", 99);
        List<String> early = exported(storage);
        imported(running, "during", 50);
        imported(running, "highest", 98);
        imported(running, "beyond", 120);
        List<String> lines = new ArrayList<>(exported(storage));
        lines.removeIf(line -> line.contains("\"number:"));
        early.stream().filter(line -> line.contains("\"number:")).forEach(line -> lines.add(1, line));
        Path backup = BackupLines.closed(lines, folder.resolve("composed.jsonl.gz"));
        deleteTables(storage, TableNames.COUNTERS, TableNames.BATCHES);

        if (isByOneCommand) {
            recoverToTheEnd(storage, backup);
        } else {
            maintain(storage, "restore", backup.toString());
            maintain(storage, "restore", backup.toString(), "--over-rows");
            maintain(storage, "advance", MARGIN);
            maintain(storage, "resume", "--all");
        }

        Sequences recovered = instance(storage);
        assertEquals(
                ProblemType.NUMBER_TAKEN,
                imported(recovered, "other", 50).refusal().type());
        assertEquals(50, imported(recovered, "during", 50).orThrow().first());
        assertEquals(49, imported(recovered, "before", 49).orThrow().first());
        assertEquals(51, imported(recovered, "after", 51).orThrow().first());
        assertEquals(50, next(recovered, GAPLESS, "during", today).first());
        assertEquals(97, imported(recovered, "below the highest", 97).orThrow().first());
        for (long number : List.of(98, 120)) {
            assertEquals(
                    ProblemType.NUMBER_TAKEN,
                    imported(recovered, "other", number).refusal().type());
        }
    }

    private List<String> exported(String storage) throws IOException {
        Path file = folder.resolve(keys.incrementAndGet() + ".jsonl.gz");
        maintain(storage, "export", file.toString());
        return BackupLines.of(file);
    }

    private Result<PrintedAllocation> imported(Sequences sequences, String key, long number) {
        return sequences
                .imports()
                .importNumbers(
                        GAPLESS,
                        List.of(new ImportedNumber(key, number, null, today, Status.Kind.ISSUED, null)),
                        Change.imported(key, clock.now(), null))
                .get(0);
    }

    /**
     * The first recovery opens the day beyond its margin. The second one restores that margin and must add its own, or
     * an instance that starts afterwards would allocate the numbers of the day again.
     */
    @Test
    void aDayThatIsLostTwiceOpensBeyondBothMargins() {
        Path early = folder.resolve("early.jsonl.gz");
        Path late = folder.resolve("late.jsonl.gz");
        String storage = SharedAzurite.emptyAccount();
        prepare(storage, early);
        deleteTables(storage, TableNames.COUNTERS, TableNames.BATCHES);
        report(storage, early);
        maintain(storage, "export", late.toString());
        take(instance(storage), DAILY, today.plusDays(1), 3);
        deleteTables(storage, TableNames.COUNTERS, TableNames.BATCHES);
        report(storage, late);

        take(instance(storage), DAILY, today.plusDays(1), 3);
    }

    @Test
    void anotherBackupIsRefusedOnceNumbersMayHaveBeenAllocated() {
        Path early = folder.resolve("early.jsonl.gz");
        Path late = folder.resolve("late.jsonl.gz");
        String storage = SharedAzurite.emptyAccount();
        Sequences running = prepare(storage, early);
        maintain(storage, "export", late.toString());
        deleteTables(storage, TableNames.COUNTERS, TableNames.BATCHES);
        recover(storage, late);
        takeEach(running, 1);

        IllegalStateException refused = assertThrows(IllegalStateException.class, () -> recover(storage, early));

        assertTrue(refused.getMessage().contains("numbers may have been allocated since"), refused::getMessage);
        takeEach(running, 1);
    }

    @Test
    void rowsFromElsewhereAreRefusedBeforeAnythingIsSuspended() {
        Path backup = folder.resolve("numera.jsonl.gz");
        String storage = SharedAzurite.emptyAccount();
        Sequences running = prepare(storage, backup);

        IllegalStateException refused = assertThrows(IllegalStateException.class, () -> recover(storage, backup));

        assertTrue(
                refused.getMessage().contains("has rows that no recovery wrote, the first is change:"),
                refused::getMessage);
        takeEach(running, 1);
        take(instance(storage), new SequenceName("shop", "new"), today, 1);
    }

    @Test
    void aSecondCommandNamesTheHolderOfARunningOne() {
        Path backup = folder.resolve("numera.jsonl.gz");
        String storage = SharedAzurite.emptyAccount();
        prepare(storage, backup);
        deleteTables(storage, TableNames.COUNTERS, TableNames.BATCHES);
        interruptAt("restoring", storage, backup);
        TableClient counters = table(storage, TableNames.COUNTERS);
        TableEntity mark = counters.getEntity("~service", "recovery");
        assertEquals(
                Set.of(
                        "recoveryId",
                        "backup",
                        "checksum",
                        "margin",
                        "startedAt",
                        "stage",
                        "suspendedAt",
                        "rowsWritten",
                        "replaced",
                        "holder",
                        "heldAt"),
                mark.getProperties().keySet().stream()
                        .filter(name -> !name.contains("odata.") && !SYSTEM_PROPERTIES.contains(name))
                        .collect(Collectors.toSet()));
        mark.addProperty("holder", "anna@laptop, process 42");
        counters.updateEntity(mark);
        String foreseen = maintain(storage, "recover", "" + backup, "--margin", MARGIN, "--dry-run");
        assertTrue(foreseen.contains("refuse if anna@laptop, process 42 is still running"), foreseen);
        Clock renewing = ForwardingStore.over(Clock.class, Clock.SYSTEM, request -> {
            if (request.name().equals("pause")) {
                mark.addProperty("heldAt", Instant.now().toString());
                counters.updateEntity(mark);
                return null;
            }
            return request.forward();
        });

        IllegalStateException refused = assertThrows(
                IllegalStateException.class,
                () -> Maintain.run(
                        Map.of("NumeraStorage", storage), renewing, "recover", "" + backup, "--margin", MARGIN));
        assertTrue(refused.getMessage().contains("anna@laptop, process 42 started it at "), refused::getMessage);

        // The holder renews its hold no more.
        recoverToTheEnd(storage, backup);
    }

    @Test
    void aDryRunChangesNothing() {
        Path backup = folder.resolve("numera.jsonl.gz");
        String storage = SharedAzurite.emptyAccount();
        prepare(storage, backup);
        deleteTables(storage, TableNames.COUNTERS, TableNames.BATCHES);

        String said = maintain(storage, "recover", "" + backup, "--margin", MARGIN, "--dry-run");

        assertTrue(said.startsWith(backup + " is complete: "), said);
        assertTrue(said.contains("6 sequences, 5 counters"), said);
        assertTrue(said.contains("Would suspend the service"), said);
        assertThrows(HttpResponseException.class, () -> table(storage, TableNames.COUNTERS).listEntities().stream()
                .count());
    }

    @Test
    void aBackupOfAnotherAccountNeedsItsName() {
        Path backup = folder.resolve("numera.jsonl.gz");
        String storage = SharedAzurite.emptyAccount();
        prepare(storage, backup);
        String other = SharedAzurite.emptyAccount();

        IOException refused = assertThrows(
                IOException.class,
                () -> Maintain.run(
                        Map.of("NumeraStorage", other), maintenance, "recover", "" + backup, "--margin", MARGIN));

        String account = refused.getMessage().replaceAll(".*--from-account ", "");
        LeftToDecide left = assertThrows(
                LeftToDecide.class,
                () -> maintain(other, "recover", "" + backup, "--margin", MARGIN, "--from-account", account));
        assertTrue(left.getMessage().contains("allow-creation"), left::getMessage);
        take(instance(other), GAPLESS, today, 1);
    }

    private static List<String> changed(List<String> lines, String text, String replacement) {
        return lines.stream().map(line -> line.replaceAll(text, replacement)).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "newer, needs a version of the app",
        "foreign, is a backup of the storage account",
        "changed, has another checksum than the lines before it",
        "half, is cut off or damaged",
        "short, the backup is cut off"
    })
    void aBackupThatCannotBeUsedIsRefusedBeforeAnythingIsSuspended(String kind, String reason) throws Exception {
        Path backup = folder.resolve("numera.jsonl.gz");
        String storage = SharedAzurite.emptyAccount();
        Sequences running = prepare(storage, backup);
        List<String> lines = BackupLines.of(backup);
        byte[] whole = Files.readAllBytes(backup);
        switch (kind) {
            case "newer" -> BackupLines.closed(changed(lines, "\"needs\":\\d+", "\"needs\":99"), backup);
            case "foreign" -> BackupLines.closed(changed(lines, "\"account\":\"\\w+", "\"account\":\"another"), backup);
            case "changed" -> Files.write(backup, BackupLines.packed(changed(lines, "\"next\":", "\"Next\":")));
            case "half" -> Files.write(backup, Arrays.copyOf(whole, whole.length / 2));
            default -> Files.write(backup, BackupLines.packed(lines.subList(0, lines.size() - 1)));
        }

        Exception why = assertThrows(Exception.class, () -> recover(storage, backup));

        assertTrue(why.getMessage().contains(reason), why::getMessage);
        takeEach(running, 1);
        take(instance(storage), new SequenceName("shop", "new"), today, 1);
    }

    @Test
    void aDefinitionOfANewerReleaseIsRefused() throws Exception {
        Path backup = folder.resolve("numera.jsonl.gz");
        String storage = SharedAzurite.emptyAccount();
        Sequences running = prepare(storage, backup);
        List<String> lines = BackupLines.of(backup).stream()
                .map(line -> line.replaceAll("\"needs\":\\d+", "\"needs\":99"))
                .toList();
        Path newer = BackupLines.closed(lines, folder.resolve("newer.jsonl.gz"));
        deleteTables(storage, TableNames.COUNTERS, TableNames.BATCHES);

        ProblemException refused = assertThrows(ProblemException.class, () -> recover(storage, newer));

        assertEquals(ProblemType.NEEDS_NEWER_VERSION, refused.type());
        recoverToTheEnd(storage, backup);
        takeEach(running, 1);
    }

    @Test
    void aCounterWithTooFewNumbersIsListedAndAdvancedByTheNextRun() {
        Path backup = folder.resolve("numera.jsonl.gz");
        String storage = SharedAzurite.emptyAccount();
        Sequences running = prepare(storage, folder.resolve("early.jsonl.gz"));
        SequenceName small = new SequenceName("shop", "small");
        DefinitionDraft range = DefinitionDraft.EMPTY.with(DefinitionField.MAX_VALUE, 1_500L);
        running.editor().put(small, range, Precondition.ABSENT, ChangeNote.NONE);
        take(running, small, today, 3);
        running.lifecycle().retire(CREATED_SINCE, Precondition.PRESENT, ChangeNote.NONE);
        maintain(storage, "export", backup.toString());
        deleteTables(storage, TableNames.COUNTERS, TableNames.BATCHES);

        String left =
                assertThrows(LeftToDecide.class, () -> recover(storage, backup)).getMessage();
        assertTrue(left.contains("shop/small stays suspended: its counter is at 4"), left);
        assertTrue(left.contains("shop/created-since stays retired."), left);
        take(running, GAPLESS, today, 1);
        assertThrows(ProblemException.class, () -> next(instance(storage), small, null, today));

        DefinitionDraft wider = DefinitionDraft.EMPTY.with(DefinitionField.MAX_VALUE, 100_000L);
        running.editor().patch(small, wider, Precondition.PRESENT, ChangeNote.NONE);
        assertFalse(recover(storage, backup).contains("stays suspended"));
        take(instance(storage), small, today, 3);
        take(instance(storage), GAPLESS, today, 1);
    }
}
