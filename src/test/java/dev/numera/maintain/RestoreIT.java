package dev.numera.maintain;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import dev.numera.azure.StorageAccount;
import dev.numera.azure.StorageConnection;
import dev.numera.azure.TableNames;
import dev.numera.azure.backup.BackupBlobs;
import dev.numera.core.counter.CounterStore;
import dev.numera.core.counter.PeerRequest;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Suspension;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.snowflake.WorkerRow;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.TestAccount;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import dev.numera.sequences.SequenceStores;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.AutoCreate;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.catalog.SequenceList;
import dev.numera.sequences.definition.DefinitionEditor;
import dev.numera.sequences.definition.Precondition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A restore while one instance keeps running and another is paused in the middle of its writes. */
class RestoreIT {
    private static final SequenceName STRICT = new SequenceName("shop", "strict");
    private static final SequenceName GAPLESS = new SequenceName("shop", "gapless");
    private static final SequenceName CACHED = new SequenceName("shop", "cached");
    private static final SequenceName DAILY = new SequenceName("shop", "daily");
    private static final SequenceName SNOWFLAKE = new SequenceName("shop", "snowflake");
    private static final SequenceName CREATED_SINCE = new SequenceName("shop", "created-since");
    private static final List<SequenceName> RESTORED = List.of(STRICT, GAPLESS, CACHED, DAILY);
    private static final int SEEN_BY_ALL = 3;
    private static final int TAKEN_SINCE = 20;
    /** More numbers than one cached block. */
    private static final int TAKEN_FROM_BLOCKS_SINCE = 150;

    private static final TestLimits LIMITS = TestLimits.DEFAULT.withDeadline(Duration.ofSeconds(2));
    private static final int PATIENT_TRIES = 5;
    private static final Set<ProblemType> WORTH_RETRYING =
            Set.of(ProblemType.STORAGE_UNAVAILABLE, ProblemType.OVERLOADED);
    private static final Duration LONG = Duration.ofMinutes(5);

    /** The step after which a paused write continues that was computed before the first step. */
    enum RunbookStep {
        SUSPENDED,
        DELETED,
        RESTORED,
        ADVANCED,
        RESUMED
    }

    private final Set<String> allocated = new HashSet<>();
    private final LocalDate today = LocalDate.now(ZoneOffset.UTC);
    private final AtomicInteger keys = new AtomicInteger();
    /** The clock of the instances, which advances while the maintenance program waits. */
    private final TestClock clock = TestClock.system();

    /** The actions of instances while the maintenance program waits. */
    private Runnable whileItWaits = () -> {};

    private final Clock maintenance = ForwardingStore.over(Clock.class, Clock.SYSTEM, request -> {
        if (request.name().equals("pause")) {
            whileItWaits.run();
            clock.pass((Duration) request.arguments()[0]);
            return null;
        }
        return request.forward();
    });

    private static final Clock INTERRUPTED = ForwardingStore.over(Clock.class, Clock.SYSTEM, request -> {
        if (request.name().equals("pause")) {
            throw new StoreFailure("The thread was interrupted while it waited for another attempt.", false, null);
        }
        return request.forward();
    });

    @TempDir
    Path folder;

    private String maintain(String storage, String... arguments) {
        try {
            return String.join("\n", Maintain.run(environment(storage), maintenance, arguments));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Sequences instance(String storage, TestLimits limits) {
        return TestSequences.over(storage)
                .with(AutoCreate.ALWAYS)
                .with(limits)
                .with(clock)
                .start();
    }

    private static void define(Sequences sequences, SequenceName name) {
        Guarantee guarantee = name == GAPLESS
                ? Guarantee.GAPLESS
                : name == CACHED ? Guarantee.CACHED : name == SNOWFLAKE ? Guarantee.SNOWFLAKE : Guarantee.STRICT;
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

    private PrintedAllocation next(Sequences sequences, SequenceName name, LocalDate date) {
        String key = name == GAPLESS ? "key-" + keys.incrementAndGet() : null;
        return sequences
                .allocator()
                .next(name, List.of(new NumberRequest(key, 1, date)))
                .results()
                .get(0)
                .orThrow();
    }

    /**
     * Records the numbers.
     *
     * @throws AssertionError if a number was allocated before
     */
    private void note(SequenceName name, LocalDate date, PrintedAllocation printed) {
        String period = name == DAILY ? " " + date : "";
        LongStream.rangeClosed(printed.first(), printed.last())
                .forEach(number -> assertTrue(
                        allocated.add(name + period + " " + number),
                        () -> name + period + " allocated " + number + " twice"));
    }

    private void take(Sequences sequences, SequenceName name, int count) {
        take(sequences, name, today, count);
    }

    private void take(Sequences sequences, SequenceName name, LocalDate date, int count) {
        for (int i = 0; i < count; i++) {
            note(name, date, nextPatiently(sequences, name, date));
        }
    }

    /** Retries if nothing was consumed, because storage may answer too late on a busy machine. */
    private PrintedAllocation nextPatiently(Sequences sequences, SequenceName name, LocalDate date) {
        for (int attempt = 1; attempt < PATIENT_TRIES; attempt++) {
            try {
                return next(sequences, name, date);
            } catch (ProblemException e) {
                assertTrue(WORTH_RETRYING.contains(e.type()), () -> name + ": " + e.getMessage());
            }
        }
        return next(sequences, name, date);
    }

    private void takeMany(Sequences sequences, SequenceName name) {
        take(sequences, name, name == CACHED ? TAKEN_FROM_BLOCKS_SINCE : TAKEN_SINCE);
    }

    private void requireNothingIsAllocated(Sequences sequences, RunbookStep step) {
        Stream.concat(RESTORED.stream(), Stream.of(CREATED_SINCE, new SequenceName("shop", "never-there")))
                .forEach(name -> assertThrows(
                        ProblemException.class,
                        () -> next(sequences, name, today),
                        () -> name + " allocated a number after the step " + step));
    }

    /** A call whose write is held before it reaches the table. */
    private record Paused(
            SequenceName name, CompletableFuture<Optional<PrintedAllocation>> answer, CountDownLatch goesOn) {}

    private Paused pause(String storage, SequenceName name) {
        CountDownLatch isThere = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        StorageAccount account =
                new StorageAccount(new StorageConnection.ConnectionString(storage), Duration.ofSeconds(5));
        CounterStore pausing =
                ForwardingStore.over(CounterStore.class, account.stores().counters(), request -> {
                    if (request.name().equals("write")) {
                        isThere.countDown();
                        await(goesOn);
                    }
                    return request.forward();
                });
        Sequences sequences = TestSequences.over(account.stores())
                .with(pausing)
                .with(AutoCreate.ALWAYS)
                .with(LIMITS.withDeadline(LONG))
                .with(clock)
                .start();
        CompletableFuture<Optional<PrintedAllocation>> answer = CompletableFuture.supplyAsync(() -> {
            try {
                return Optional.of(next(sequences, name, today));
            } catch (ProblemException e) {
                return Optional.empty();
            }
        });
        await(isThere);
        return new Paused(name, answer, goesOn);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void goOn(RunbookStep present, RunbookStep wanted, List<Paused> paused) {
        if (present == wanted) {
            paused.forEach(call -> {
                call.goesOn().countDown();
                call.answer().join().ifPresent(printed -> note(call.name(), today, printed));
            });
        }
    }

    @Test
    void nothingIsAllocatedTwiceByAWriteThatWaitedUntilTheRestore() {
        nothingIsAllocatedTwiceAndNothingWhileAllIsSuspended(RunbookStep.RESTORED);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RESTORED")
    @Tag("long")
    void nothingIsAllocatedTwiceAndNothingWhileAllIsSuspended(RunbookStep pausedUntil) {
        Path file = folder.resolve("numera.jsonl.gz");
        String storage = SharedAzurite.emptyAccount();
        Sequences running = instance(storage, LIMITS);
        Sequences busy = instance(storage, LIMITS.withDeadline(LONG));
        RESTORED.forEach(name -> define(busy, name));
        RESTORED.forEach(name -> take(running, name, SEEN_BY_ALL));
        maintain(storage, "export", file.toString());
        // The running instance does not observe the numbers that the busy one allocates after the backup.
        RESTORED.forEach(name -> takeMany(busy, name));
        take(busy, CREATED_SINCE, 5);
        // Periods that the backup lacks, in the past and in the future.
        take(busy, DAILY, today.minusDays(40), 3);
        take(busy, DAILY, today.plusDays(40), 3);
        List<Paused> paused =
                RESTORED.stream().map(name -> pause(storage, name)).toList();

        maintain(storage, "suspend", "--all");
        requireNothingIsAllocated(running, RunbookStep.SUSPENDED);
        goOn(RunbookStep.SUSPENDED, pausedUntil, paused);

        TableServiceClient tables =
                new TableServiceClientBuilder().connectionString(storage).buildClient();
        Stream.of(TableNames.COUNTERS, TableNames.BATCHES).forEach(tables::deleteTable);
        requireNothingIsAllocated(running, RunbookStep.DELETED);
        goOn(RunbookStep.DELETED, pausedUntil, paused);

        maintain(storage, "restore", file.toString());
        requireNothingIsAllocated(running, RunbookStep.RESTORED);
        goOn(RunbookStep.RESTORED, pausedUntil, paused);

        maintain(storage, "advance", "1000");
        requireNothingIsAllocated(running, RunbookStep.ADVANCED);
        goOn(RunbookStep.ADVANCED, pausedUntil, paused);

        maintain(storage, "resume", "--all");
        goOn(RunbookStep.RESUMED, pausedUntil, paused);
        for (Sequences sequences : List.of(running, busy, instance(storage, LIMITS))) {
            RESTORED.forEach(name -> takeMany(sequences, name));
            take(sequences, DAILY, today.minusDays(40), 3);
            take(sequences, DAILY, today.plusDays(40), 3);
            ProblemException lost = assertThrows(ProblemException.class, () -> next(sequences, CREATED_SINCE, today));
            assertEquals(ProblemType.ROLLED_BACK, lost.type());
        }
    }

    /**
     * The sequence may have restarted beyond any margin. Its remaining index row and the restored definition have
     * different ids.
     */
    @Test
    void aSequenceThatWasRecreatedSinceTheBackupStaysRefused() {
        Path file = folder.resolve("numera.jsonl.gz");
        String storage = SharedAzurite.emptyAccount();
        Sequences before = instance(storage, LIMITS);
        define(before, STRICT);
        take(before, STRICT, SEEN_BY_ALL);
        maintain(storage, "export", file.toString());
        TableServiceClient tables =
                new TableServiceClientBuilder().connectionString(storage).buildClient();
        List.of("definition", "counter")
                .forEach(row -> tables.getTableClient(TableNames.COUNTERS).deleteEntity("shop:strict", row));
        Sequences owner = instance(storage, LIMITS);
        owner.editor()
                .put(
                        STRICT,
                        DefinitionDraft.EMPTY.with(DefinitionField.START, 50_000L),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
        takeMany(owner, STRICT);

        maintain(storage, "suspend", "--all");
        Stream.of(TableNames.COUNTERS, TableNames.BATCHES).forEach(tables::deleteTable);
        maintain(storage, "restore", file.toString());
        assertThrows(ProblemException.class, () -> maintain(storage, "advance", "100000"));
        assertThrows(ProblemException.class, () -> maintain(storage, "resume", "--all"));
        for (Sequences sequences : List.of(before, owner, instance(storage, LIMITS))) {
            assertThrows(ProblemException.class, () -> next(sequences, STRICT, today));
        }

        owner.editor()
                .put(
                        STRICT,
                        DefinitionDraft.EMPTY.with(DefinitionField.START, 1L),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
        assertThrows(ProblemException.class, () -> next(owner, STRICT, today));
        owner.moves().advance(STRICT, 100_000, null, ChangeNote.NONE);
        owner.lifecycle().resume(STRICT, ChangeNote.NONE);
        // Only the operator knows the counter's position, and that nothing was allocated beyond it.
        assertThrows(LeftToDecide.class, () -> maintain(storage, "resume", "--all"));
        assertThrows(ProblemException.class, () -> next(owner, STRICT, today));
        maintain(storage, "resume", "--accept-restored", "shop/strict");
        maintain(storage, "resume", "--all");
        takeMany(instance(storage, LIMITS), STRICT);
    }

    @Test
    void aRefusedRestoreSuspendsNothing() {
        Path file = folder.resolve("numera.jsonl.gz");
        String storage = SharedAzurite.emptyAccount();
        Sequences running = instance(storage, LIMITS);
        define(running, STRICT);
        take(running, STRICT, SEEN_BY_ALL);
        maintain(storage, "export", file.toString());

        assertThrows(IllegalStateException.class, () -> maintain(storage, "restore", file.toString()));

        take(instance(storage, LIMITS), CREATED_SINCE, 1);
    }

    @Test
    void aTemplateArrivesAsItWas() {
        Path file = folder.resolve("numera.jsonl.gz");
        String full = SharedAzurite.emptyAccount();
        SequenceName template = new SequenceName(SequenceName.TEMPLATES, "strict");
        define(instance(full, LIMITS), template);
        maintain(full, "export", file.toString());
        String storage = SharedAzurite.emptyAccount();

        maintain(storage, "restore", file.toString());
        maintain(storage, "resume", "--all");

        assertFalse(
                instance(storage, LIMITS).editor().get(template).suspension().isMaintenance());
    }

    /** A failover may have lost the rows of a sequence in every table. */
    @Test
    void noCallCreatesASequenceWhileCreationIsClosed() {
        String storage = SharedAzurite.emptyAccount();
        TestAccount.withTables(storage);
        maintain(storage, "close-creation");
        ProblemException refused =
                assertThrows(ProblemException.class, () -> next(instance(storage, LIMITS), CREATED_SINCE, today));
        assertEquals(ProblemType.UNKNOWN_SEQUENCE, refused.type());

        maintain(storage, "allow-creation");
        take(instance(storage, LIMITS), CREATED_SINCE, 1);
    }

    /** The tables are lost with every mark, and running instances continue from their cached state. */
    @Test
    void restoreWorksWithoutTheServiceRow() {
        Path file = folder.resolve("numera.jsonl.gz");
        String storage = SharedAzurite.emptyAccount();
        Sequences running = instance(storage, LIMITS);
        Sequences busy = instance(storage, LIMITS.withDeadline(LONG));
        RESTORED.forEach(name -> define(busy, name));
        RESTORED.forEach(name -> take(running, name, SEEN_BY_ALL));
        maintain(storage, "export", file.toString());
        RESTORED.forEach(name -> takeMany(busy, name));
        TableServiceClient tables =
                new TableServiceClientBuilder().connectionString(storage).buildClient();
        TableNames.ALL.forEach(tables::deleteTable);

        maintain(storage, "restore", file.toString());
        requireNothingIsAllocated(running, RunbookStep.RESTORED);
        maintain(storage, "advance", "1000");
        requireNothingIsAllocated(running, RunbookStep.ADVANCED);

        maintain(storage, "resume", "--all");
        RESTORED.forEach(name -> takeMany(running, name));
    }

    @Test
    void creationStaysClosedWhenTheFirstAttemptWasInterruptedInItsWait() {
        Path file = folder.resolve("numera.jsonl.gz");
        String storage = withoutTables(file);

        assertThrows(StoreFailure.class, () -> Maintain.run(environment(storage), INTERRUPTED, restore(file)));
        restoreOnceMore(storage, file);

        requireNoCallCreates(storage);
    }

    /** The second restore finds the index rows that the first one wrote. */
    @Test
    void creationStaysClosedWhenRestoredOverAnIndexOfTheFirstAttempt() {
        Path file = folder.resolve("numera.jsonl.gz");
        String storage = withoutTables(file);

        maintain(storage, restore(file));
        restoreOnceMore(storage, file);

        requireNoCallCreates(storage);
    }

    /** The mark of the first restore was once in a table that the second one discards. */
    @Test
    void creationStaysClosedWhenAnotherBackupIsRestored() {
        Path file = folder.resolve("numera.jsonl.gz");
        String storage = withoutTables(file);

        maintain(storage, restore(file));
        delete(storage, TableNames.COUNTERS, TableNames.BATCHES);
        maintain(storage, restore(earlier(file)));
        maintain(storage, "advance", "1000");
        maintain(storage, "resume", "--all");

        requireNoCallCreates(storage);
    }

    /** A new local app has no backup container yet, which is neither a failure nor a reason to run 'azd provision'. */
    @Test
    void listOfANewAccountIsEmpty() {
        assertEquals("", maintain(SharedAzurite.emptyAccount(), "list"));
    }

    @Test
    void creationStaysClosedWhenEveryTableIsLostAndMadeAgain() {
        Path file = folder.resolve("numera.jsonl.gz");
        String storage = withoutTables(file);
        new BackupBlobs(new StorageConnection.ConnectionString(storage)).create();

        maintain(storage, restore(file));
        assertEquals("", maintain(storage, "list"));
        TableNames.ALL.forEach(table -> delete(storage, table));
        define(instance(storage, LIMITS), DAILY);
        delete(storage, TableNames.COUNTERS, TableNames.BATCHES);
        maintain(storage, restore(file));
        maintain(storage, "advance", "1000");
        maintain(storage, "resume", "--all");
        requireNoCallCreates(storage);

        maintain(storage, "allow-creation");
        take(instance(storage, LIMITS), new SequenceName("shop", "new"), 1);
    }

    /** Each table has the mark, so that an instance finds it in the index even if the counters are lost. */
    @ParameterizedTest
    @EnumSource(Places.class)
    void everyTableAloneKeepsCreationClosed(Places lost) {
        String storage = SharedAzurite.emptyAccount();
        TestAccount.withTables(storage);
        maintain(storage, "close-creation");
        lost.tables.forEach(table -> delete(storage, table));

        requireNoCallCreates(storage);
        assertEquals(
                List.of(),
                instance(storage, LIMITS)
                        .list()
                        .list(new SequenceList.Wanted(null, List.of(), false, Set.of()), 100, null)
                        .items());
    }

    enum Places {
        BUT_THE_INDEX(TableNames.COUNTERS, TableNames.BATCHES),
        BUT_THE_COUNTERS(TableNames.SEQUENCES, TableNames.BATCHES),
        BUT_THE_UPLOADS(TableNames.SEQUENCES, TableNames.COUNTERS);

        private final List<String> tables;

        Places(String... tables) {
            this.tables = List.of(tables);
        }
    }

    /**
     * An instance renews its lease every ten seconds, even during maintenance. This row must not count when the restore
     * requires an empty table.
     */
    @Test
    void aRunningLeaseholderDoesNotHoldUpARestore() {
        Path file = folder.resolve("numera.jsonl.gz");
        String storage = SharedAzurite.emptyAccount();
        Sequences running = instance(storage, LIMITS);
        define(running, SNOWFLAKE);
        take(running, SNOWFLAKE, SEEN_BY_ALL);
        maintain(storage, "export", file.toString());
        take(running, SNOWFLAKE, TAKEN_SINCE);
        maintain(storage, "suspend", "--all");
        delete(storage, TableNames.COUNTERS, TableNames.BATCHES);
        whileItWaits = () -> leave(storage);

        maintain(storage, restore(file));
        maintain(storage, "advance", "1000");
        maintain(storage, "resume", "--all");

        take(running, SNOWFLAKE, TAKEN_SINCE);
        take(instance(storage, LIMITS), SNOWFLAKE, TAKEN_SINCE);
    }

    private static String remedy(SequenceName name) {
        return ": advance it by POST .../advance beyond every number that it allocated since the backup, if any, then run:"
                + " resume --accept-restored " + name
                + ". If you have not run advance MARGIN since the restore, which advances every sequence of the"
                + " service, run it first.";
    }

    /** Resuming was once accepted, and the sequence allocated the numbers since the backup again. */
    @Test
    void nothingResumesASequenceThatWasNotAdvanced() {
        Path file = folder.resolve("numera.jsonl.gz");
        String storage = SharedAzurite.emptyAccount();
        Sequences running = instance(storage, LIMITS);
        List<SequenceName> counted = List.of(STRICT, DAILY);
        counted.forEach(name -> define(running, name));
        define(running, SNOWFLAKE);
        counted.forEach(name -> take(running, name, SEEN_BY_ALL));
        take(running, DAILY, today.minusDays(1), SEEN_BY_ALL);
        maintain(storage, "export", file.toString());
        counted.forEach(name -> takeMany(running, name));
        delete(storage, TableNames.COUNTERS, TableNames.BATCHES);
        maintain(storage, restore(file));

        String left = assertThrows(LeftToDecide.class, () -> maintain(storage, "resume", "--all"))
                .getMessage();
        assertEquals(
                List.of(
                        "2 sequences stay suspended, because they were restored and not advanced since. All"
                                + " others are resumed.",
                        "shop/daily (" + today.minusDays(1) + ", " + today + ")" + remedy(DAILY),
                        "shop/strict" + remedy(STRICT)),
                left.lines().toList());
        take(instance(storage, LIMITS), SNOWFLAKE, 1);
        Sequences owner = instance(storage, LIMITS);
        for (SequenceName name : counted) {
            owner.lifecycle().suspend(name, ChangeNote.NONE);
            Sequence resumed = owner.lifecycle().resume(name, ChangeNote.NONE);
            assertEquals(Optional.of(Suspension.RESTORED), owner.lifecycle().whyStillSuspended(resumed));
            assertThrows(ProblemException.class, () -> next(instance(storage, LIMITS), name, today));
        }

        maintain(storage, "advance", "1000");
        maintain(storage, "resume", "--all");
        for (Sequences sequences : List.of(running, instance(storage, LIMITS))) {
            counted.forEach(name -> takeMany(sequences, name));
            take(sequences, DAILY, today.minusDays(1), SEEN_BY_ALL);
        }
    }

    @Test
    void anOperatorsWordResumesASequenceAsItIsAndIsKeptAmongItsChanges() {
        Path file = folder.resolve("numera.jsonl.gz");
        String storage = SharedAzurite.emptyAccount();
        Sequences running = instance(storage, LIMITS);
        define(running, STRICT);
        take(running, STRICT, SEEN_BY_ALL);
        maintain(storage, "export", file.toString());
        delete(storage, TableNames.COUNTERS, TableNames.BATCHES);
        maintain(storage, restore(file));

        assertEquals(
                "The restored counters of shop/strict are accepted as they are. To resume it, run: resume --all.",
                maintain(storage, "resume", "--accept-restored", "shop/strict"));
        requireNothingIsAllocated(running, RunbookStep.RESTORED);
        maintain(storage, "resume", "--all");

        Sequences fresh = instance(storage, LIMITS);
        assertEquals(SEEN_BY_ALL + 1, nextPatiently(fresh, STRICT, today).first());
        assertTrue(fresh.editor().changes(STRICT, null, 100).items().stream()
                .map(change -> change.orThrow().note().reason())
                .anyMatch("restored counters accepted: nothing was allocated beyond them since the backup"::equals));
    }

    /** A margin larger than the range once used up the range. */
    @Test
    void aCounterWithTooFewNumbersLeftStaysAndItsSequenceSuspended() {
        Path file = folder.resolve("numera.jsonl.gz");
        String storage = SharedAzurite.emptyAccount();
        Sequences owner = instance(storage, LIMITS);
        define(owner, STRICT);
        define(owner, GAPLESS);
        DefinitionEditor editor = owner.editor();
        editor.patch(
                STRICT,
                DefinitionDraft.EMPTY.with(DefinitionField.MAX_VALUE, 1_000L),
                Precondition.PRESENT,
                ChangeNote.NONE);
        List.of(STRICT, GAPLESS).forEach(name -> take(owner, name, SEEN_BY_ALL));
        maintain(storage, "export", file.toString());
        delete(storage, TableNames.COUNTERS, TableNames.BATCHES);
        maintain(storage, restore(file));

        for (int i = 0; i < 2; i++) {
            String left = assertThrows(LeftToDecide.class, () -> maintain(storage, "advance", "500"))
                    .getMessage();
            assertTrue(left.contains("shop/strict stays at 4. Either widen its range"), left);
        }
        assertThrows(LeftToDecide.class, () -> maintain(storage, "resume", "--all"));
        take(instance(storage, LIMITS), GAPLESS, 1);
        assertThrows(ProblemException.class, () -> next(instance(storage, LIMITS), STRICT, today));

        owner.moves().advance(STRICT, 600, null, ChangeNote.NONE);
        maintain(storage, "resume", "--all");
        assertEquals(
                600, nextPatiently(instance(storage, LIMITS), STRICT, today).first());
    }

    @Test
    void aReindexThatLeavesASequenceSuspendedStillReportsItsRows() {
        Path file = folder.resolve("numera.jsonl.gz");
        String storage = SharedAzurite.emptyAccount();
        Sequences running = instance(storage, LIMITS);
        List.of(STRICT, GAPLESS).forEach(name -> define(running, name));
        take(running, STRICT, SEEN_BY_ALL);
        maintain(storage, "export", file.toString());
        delete(storage, TableNames.COUNTERS, TableNames.BATCHES);
        maintain(storage, restore(file));
        assertThrows(LeftToDecide.class, () -> maintain(storage, "resume", "--all"));
        delete(storage, TableNames.SEQUENCES);
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, UTF_8));
        try {
            LeftToDecide left = assertThrows(LeftToDecide.class, () -> maintain(storage, "reindex"));
            assertTrue(left.getMessage().contains("resume --accept-restored shop/strict"), left::getMessage);
        } finally {
            System.setOut(before);
        }

        assertEquals(
                List.of("2 missing rows of the index were written.", GAPLESS.toString(), STRICT.toString()),
                printed.toString(UTF_8).lines().limit(3).toList());
    }

    /** Instances with open counters work without the index, and an empty index looks healthy. */
    @Test
    void theIndexIsMadeAgainOfTheDefinitions() {
        String storage = SharedAzurite.emptyAccount();
        Sequences running = instance(storage, LIMITS);
        SequenceName template = new SequenceName(SequenceName.TEMPLATES, "strict");
        SequenceName unused = new SequenceName("shop", "unused");
        List.of(STRICT, DAILY, template, unused).forEach(name -> define(running, name));
        List.of(STRICT, DAILY).forEach(name -> take(running, name, SEEN_BY_ALL));
        running.lifecycle().retire(unused, Precondition.PRESENT, ChangeNote.NONE);
        List<String> listed = listed(storage);
        maintain(storage, "close-creation");
        delete(storage, TableNames.SEQUENCES);
        clock.pass(Duration.ofSeconds(30));
        take(running, STRICT, 1);
        ProblemException unopened = assertThrows(ProblemException.class, () -> next(running, DAILY, today.plusDays(9)));
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, unopened.type());

        assertEquals(
                "4 missing rows of the index were written.",
                maintain(storage, "reindex").lines().findFirst().orElseThrow());
        assertEquals(
                List.of(
                        "0 missing rows of the index were written.",
                        "A sequence whose definition was lost too is unknown: define it by PUT with a start beyond its last"
                                + " number.",
                        "The service is resumed."),
                maintain(storage, "reindex").lines().toList());
        maintain(storage, "suspend", "--all");
        assertTrue(maintain(storage, "reindex").endsWith("stays so until you run: resume --all"));
        assertThrows(ProblemException.class, () -> next(instance(storage, LIMITS), STRICT, today));
        maintain(storage, "resume", "--all");

        assertEquals(listed, listed(storage));
        requireNoCallCreates(storage);
        delete(storage, TableNames.COUNTERS, TableNames.BATCHES);
        requireNoCallCreates(storage);
    }

    private List<String> listed(String storage) {
        return instance(storage, LIMITS)
                .list()
                .list(new SequenceList.Wanted(null, List.of(), false, Set.of()), 100, null)
                .items()
                .stream()
                .map(entry -> entry.scope() + "/" + entry.name())
                .toList();
    }

    /** Writes the rows that instances write without a call: a lease and a peer request. */
    private void leave(String storage) {
        SequenceStores stores = TestAccount.at(storage).stores();
        stores.workers().get().write(new WorkerRow(5, "another", 1, 1, null));
        stores.peers().post(new CounterId(STRICT, ""), new PeerRequest("process", "none", List.of()).closed());
    }

    private static void delete(String storage, String... tables) {
        TableServiceClient client =
                new TableServiceClientBuilder().connectionString(storage).buildClient();
        Stream.of(tables).forEach(client::deleteTable);
    }

    private static Map<String, String> environment(String storage) {
        return Map.of("NumeraStorage", storage);
    }

    private static String[] restore(Path file) {
        return new String[] {"restore", file.toString()};
    }

    /** Returns an account that lost its tables after a backup, and with them a sequence that the backup lacks. */
    private String withoutTables(Path file) {
        String storage = SharedAzurite.emptyAccount();
        Sequences running = instance(storage, LIMITS);
        define(running, STRICT);
        maintain(storage, "export", earlier(file).toString());
        take(running, STRICT, SEEN_BY_ALL);
        maintain(storage, "export", file.toString());
        take(running, CREATED_SINCE, TAKEN_SINCE);
        TableServiceClient tables =
                new TableServiceClientBuilder().connectionString(storage).buildClient();
        TableNames.ALL.forEach(tables::deleteTable);
        return storage;
    }

    /** Returns the path of an earlier backup of the same account. */
    private static Path earlier(Path file) {
        return file.resolveSibling("earlier.jsonl.gz");
    }

    private void restoreOnceMore(String storage, Path file) {
        maintain(storage, "restore", file.toString(), "--over-rows");
        maintain(storage, "advance", "1000");
        maintain(storage, "resume", "--all");
    }

    private void requireNoCallCreates(String storage) {
        ProblemException refused =
                assertThrows(ProblemException.class, () -> next(instance(storage, LIMITS), CREATED_SINCE, today));
        assertEquals(ProblemType.UNKNOWN_SEQUENCE, refused.type());
    }
}
