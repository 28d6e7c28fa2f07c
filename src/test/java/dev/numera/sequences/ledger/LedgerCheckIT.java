package dev.numera.sequences.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import dev.numera.azure.TableNames;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.Definition;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.Result;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.TestLimits;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.definition.Precondition;
import dev.numera.sequences.ledger.LedgerGap.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks of a ledger while callers allocate, and after rows were removed. */
class LedgerCheckIT {
    private static final long LEAST = -Definition.LARGEST_EXACT;
    private static final long GREATEST = Definition.LARGEST_EXACT;
    /** The calls of each caller, for one, two and three numbers in turn. */
    private static final int CALLS = 75;

    private final SequenceName name =
            new SequenceName("checks", UUID.randomUUID().toString());
    private final Sequences sequences = instance();

    private static Sequences instance() {
        return TestSequences.over(SharedAzurite.connectionString())
                .with(TestLimits.DEFAULT.withRequestTimeout(Duration.ofMillis(30)))
                .start();
    }

    private void define(Guarantee guarantee, long start, long increment) {
        sequences
                .editor()
                .put(
                        name,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.GUARANTEE, guarantee)
                                .with(DefinitionField.START, start)
                                .with(DefinitionField.INCREMENT, increment),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
    }

    private long take(Sequences instance, String key, int count) {
        return instance.allocator()
                .next(name, List.of(new NumberRequest(key, count, null)))
                .results()
                .get(0)
                .orThrow()
                .last();
    }

    private List<CheckedPage<LedgerPosition>> check() {
        List<CheckedPage<LedgerPosition>> pages = new ArrayList<>();
        LedgerPosition position = null;
        do {
            CheckedPage<LedgerPosition> page =
                    sequences.ledgerCheck().check(name, LEAST, GREATEST, null, null, position);
            pages.add(page);
            position = page.next();
        } while (position != null);
        return pages;
    }

    @ParameterizedTest
    @Tag("long")
    @CsvSource({"1", "-3"})
    void numberAllocatedDuringTheCheckIsNeverAGap(long increment) {
        define(Guarantee.GAPLESS, 0, increment);
        take(sequences, "first", 1);
        List<Sequences> instances = List.of(sequences, instance());
        List<CompletableFuture<Void>> callers = IntStream.range(0, 8)
                .mapToObj(caller -> CompletableFuture.runAsync(
                        () -> IntStream.range(0, CALLS)
                                .forEach(i -> take(instances.get(caller % 2), caller + "-" + i, 1 + i % 3)),
                        task -> new Thread(task).start()))
                .toList();
        int checks = 0;
        while (!callers.stream().allMatch(CompletableFuture::isDone)) {
            check().forEach(page -> assertEquals(List.of(), page.gaps()));
            checks++;
        }
        callers.forEach(CompletableFuture::join);

        assertTrue(checks > 10, "only " + checks + " checks beside the callers");
        assertEquals(
                1 + 8 * 2 * CALLS,
                check().stream().mapToLong(CheckedPage::allocated).sum());
        check().forEach(page -> assertEquals(List.of(), page.gaps()));
    }

    @ParameterizedTest
    @CsvSource({"GAPLESS,1,1", "GAPLESS,40,-1", "GAPLESS,-9,7", "GAPLESS,0,-5", "STRICT,1,1"})
    void exactlyTheRowsThatWereTakenAwayAreHoles(Guarantee guarantee, long start, long increment) {
        define(guarantee, start, increment);
        Random random = new Random(start);
        TableClient table = new TableClientBuilder()
                .connectionString(SharedAzurite.connectionString())
                .tableName(TableNames.COUNTERS)
                .buildClient();
        TreeSet<Long> removed = new TreeSet<>();
        long next = start;
        for (int group = 0; group < 40; group++) {
            List<NumberRequest> requests = new ArrayList<>();
            for (int member = random.nextInt(3); member >= 0; member--) {
                requests.add(new NumberRequest(group + "-" + member, 1 + random.nextInt(4), null));
            }
            sequences.allocator().next(name, requests).results().forEach(Result::orThrow);
            int count = requests.stream().mapToInt(NumberRequest::count).sum();
            long last = next + (count - 1) * increment;
            if (random.nextInt(3) == 0) {
                long highest = Math.max(next, last);
                table.deleteEntity(
                        name.scope() + ":" + name.name(), "number::" + (highest + 5_000_000_000_000_000_000L));
                for (long number = next; number != last + increment; number += increment) {
                    removed.add(number);
                }
            }
            next = last + increment;
        }
        TreeSet<Long> answered = new TreeSet<>();
        for (LedgerGap gap : check().get(0).gaps()) {
            assertEquals(guarantee == Guarantee.GAPLESS ? Kind.MISSING : Kind.UNRECORDED, gap.kind());
            for (long number = gap.first(); number != gap.last() + increment; number += increment) {
                assertTrue(answered.add(number), () -> "returned twice: " + gap);
            }
        }
        assertEquals(removed, answered);
    }

    @Test
    void numberSkippedByAnAdvanceIsNoGapInAGaplessLedger() {
        define(Guarantee.GAPLESS, 1, 1);
        sequences.moves().advance(name, 10, null, ChangeNote.NONE);
        take(sequences, "a", 1);

        LedgerGap advanced = check().get(0).gaps().get(0);
        assertEquals(
                List.of(1L, 9L, Kind.ADVANCED, "a"),
                List.of(
                        advanced.first(),
                        advanced.last(),
                        advanced.kind(),
                        advanced.after().key()));
        assertEquals(1, check().get(0).allocated());
    }
}
