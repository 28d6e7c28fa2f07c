package dev.numera.maintain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import dev.numera.azure.TableNames;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.retry.Clock;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.AutoCreate;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.catalog.SequenceList;
import dev.numera.sequences.definition.Precondition;
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
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows the runbook of docs/operations.md with a backup that lacks rows: an index row, the counters of a day that
 * started after it, a counter that was opened during it, and the first numbers of a sequence. Such a restore once
 * allocated numbers twice.
 */
class RunbookIT {
    private static final TestLimits LIMITS = TestLimits.DEFAULT.withDeadline(Duration.ofMinutes(1));
    private static final SequenceName UNLISTED = new SequenceName("shop", "unlisted");
    private static final SequenceName DAILY = new SequenceName("shop", "daily");
    private static final SequenceName UNUSED = new SequenceName("shop", "unused");
    private static final SequenceName OPENED = new SequenceName("shop", "opened");
    private static final SequenceName OPENED_DAILY = new SequenceName("shop", "opened-daily");
    private static final List<SequenceName> ALL = List.of(UNLISTED, DAILY, UNUSED, OPENED, OPENED_DAILY);
    private static final long MARGIN = 1_000;

    private final Set<String> allocated = new HashSet<>();
    private final LocalDate today = LocalDate.now(ZoneOffset.UTC);

    @TempDir
    Path folder;

    private static Sequences sequences(String storage, Clock clock) {
        return TestSequences.over(storage)
                .with(AutoCreate.NEVER)
                .with(LIMITS)
                .with(clock)
                .start();
    }

    private void define(Sequences sequences, SequenceName name) {
        ResetEvery reset = name == DAILY || name == OPENED_DAILY ? ResetEvery.DAY : null;
        sequences
                .editor()
                .put(
                        name,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.RESET_EVERY, reset)
                                .with(DefinitionField.TIME_ZONE, "UTC"),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
    }

    /**
     * Allocates numbers.
     *
     * @throws AssertionError if a number was allocated before
     */
    private void take(Sequences sequences, SequenceName name, LocalDate date, int count) {
        PrintedAllocation printed = sequences
                .allocator()
                .next(name, List.of(new NumberRequest(null, count, date)))
                .results()
                .get(0)
                .orThrow();
        String period = name == DAILY || name == OPENED_DAILY ? date.toString() : "";
        LongStream.rangeClosed(printed.first(), printed.last())
                .forEach(number -> assertTrue(
                        allocated.add(name + " " + period + " " + number),
                        () -> name + " allocated " + number + " twice"));
    }

    @Test
    void numbersMissingFromTheBackupAreNotAllocatedTwice() throws Exception {
        Path file = folder.resolve("numera.jsonl.gz");
        String lost = SharedAzurite.emptyAccount();
        Sequences before = sequences(lost, TestClock.system().ahead(Duration.ofDays(-1)));
        ALL.forEach(name -> define(before, name));
        take(before, UNLISTED, today.minusDays(1), 3);
        take(before, DAILY, today.minusDays(1), 2);
        table(lost, TableNames.SEQUENCES).deleteEntity(UNLISTED.scope(), UNLISTED.name());

        Sequences now = sequences(lost, Clock.SYSTEM);
        take(now, OPENED, today, 5);
        take(now, OPENED_DAILY, today, 5);
        exportWithoutCounters(lost, file);
        requireOpenedWithoutCounter(file);

        ALL.forEach(name -> take(now, name, today, 7));
        take(now, DAILY, today.minusDays(1), 7);
        String fresh = SharedAzurite.emptyAccount();
        assertTrue(
                String.join("\n", maintain(fresh, "restore", file.toString())).contains("Run advance MARGIN "));
        maintain(fresh, "advance", "" + MARGIN);
        maintain(fresh, "resume", "--all");
        Sequences after = sequences(fresh, Clock.SYSTEM);

        ALL.forEach(name -> take(after, name, today, 20));
        take(after, DAILY, today.minusDays(1), 20);
        assertEquals(
                Set.copyOf(ALL),
                after
                        .list()
                        .list(new SequenceList.Wanted("shop", List.of(), false, Set.of()), 100, null)
                        .items()
                        .stream()
                        .map(entry -> new SequenceName(entry.scope(), entry.name()))
                        .collect(Collectors.toSet()));
    }

    /** Exports a backup that passed the counters before they existed. */
    private static void exportWithoutCounters(String storage, Path file) {
        TableClient counters = table(storage, TableNames.COUNTERS);
        List<TableEntity> opened = Stream.of(OPENED, OPENED_DAILY)
                .flatMap(name -> counters
                        .listEntities(
                                new ListEntitiesOptions()
                                        .setFilter("PartitionKey eq '" + name.scope() + ":" + name.name()
                                                + "' and RowKey ge 'counter' and RowKey lt 'counter;'"),
                                null,
                                null)
                        .stream())
                .toList();
        assertEquals(2, opened.size());
        opened.forEach(counters::deleteEntity);
        maintain(storage, "export", file.toString());
        opened.forEach(counters::createEntity);
    }

    private static TableClient table(String storage, String name) {
        return new TableClientBuilder()
                .connectionString(storage)
                .tableName(name)
                .buildClient();
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
            return Maintain.run(Map.of("NumeraStorage", connection), TestClock.alone(Instant.now()), arguments);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
