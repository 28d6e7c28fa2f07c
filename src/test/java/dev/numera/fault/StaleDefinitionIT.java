package dev.numera.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.models.TableEntity;
import dev.numera.azure.TableNames;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.Definition;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.Nth;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.definition.Precondition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Changes a definition that is not in use yet, while another instance still holds the old one. */
class StaleDefinitionIT {
    private static final DefinitionDraft DEFAULTS = draft(null, null, null, null, null, null);

    private final RawTables tables = new RawTables(SharedAzurite.connectionString());
    private final Instance owner = Instance.patient(SharedAzurite.connectionString());
    private final Instance stale = Instance.patient(SharedAzurite.connectionString());
    private final SequenceName sequence =
            new SequenceName("stale", UUID.randomUUID().toString());
    private final List<PrintedAllocation> allocated = new ArrayList<>();

    private static DefinitionDraft draft(
            Guarantee guarantee, Long start, Long increment, Boolean cycle, ResetEvery resetEvery, String timeZone) {
        return DefinitionDraft.EMPTY
                .with(DefinitionField.GUARANTEE, guarantee)
                .with(DefinitionField.START, start)
                .with(DefinitionField.INCREMENT, increment)
                .with(DefinitionField.CYCLE, cycle)
                .with(DefinitionField.CACHE_SIZE, 5)
                .with(DefinitionField.RESET_EVERY, resetEvery)
                .with(DefinitionField.TIME_ZONE, timeZone);
    }

    static Stream<Arguments> changes() {
        DefinitionDraft gapless = draft(Guarantee.GAPLESS, null, null, null, null, null);
        DefinitionDraft cached = draft(Guarantee.CACHED, null, null, null, null, null);
        DefinitionDraft yearly = draft(null, null, null, null, ResetEvery.YEAR, "UTC");
        DefinitionDraft daily = draft(null, null, null, null, ResetEvery.DAY, "UTC");
        DefinitionDraft dailyAtNoon = draft(null, null, null, null, ResetEvery.DAY, "Pacific/Kiritimati");
        return Stream.of(
                Arguments.of("a guarantee that needs keys", DEFAULTS, gapless),
                Arguments.of("a guarantee that needs none", gapless, DEFAULTS),
                Arguments.of("blocks", DEFAULTS, cached),
                Arguments.of("blocks no more", cached, DEFAULTS),
                Arguments.of("gapless instead of blocks", cached, gapless),
                Arguments.of("another start", DEFAULTS, draft(null, 7L, null, null, null, null)),
                Arguments.of("another increment", DEFAULTS, draft(null, null, 10L, null, null, null)),
                Arguments.of("downwards", DEFAULTS, draft(null, 1_000L, -1L, null, null, null)),
                Arguments.of("a cycle", DEFAULTS, draft(null, null, null, true, null, null)),
                Arguments.of("periods", DEFAULTS, yearly),
                Arguments.of("other periods", yearly, daily),
                Arguments.of("periods no more", yearly, DEFAULTS),
                Arguments.of(
                        "periods of blocks", yearly, draft(Guarantee.CACHED, null, null, null, ResetEvery.DAY, "UTC")),
                Arguments.of("days of another time zone", daily, dailyAtNoon));
    }

    @ParameterizedTest(name = "{0}, the stale one first")
    @MethodSource("changes")
    void theStaleOneComesFirst(String what, DefinitionDraft before, DefinitionDraft after) {
        change(before, after);
        take(stale, 7);
        take(owner, 7);
        take(stale, 2);
        requireOneCounter();
    }

    @ParameterizedTest(name = "{0}, the stale one second")
    @MethodSource("changes")
    void theStaleOneComesSecond(String what, DefinitionDraft before, DefinitionDraft after) {
        change(before, after);
        take(owner, 7);
        take(stale, 7);
        take(owner, 2);
        requireOneCounter();
    }

    @ParameterizedTest(name = "{0}, advanced by the stale one")
    @MethodSource("changes")
    void theStaleOneAdvances(String what, DefinitionDraft before, DefinitionDraft after) {
        change(before, after);
        stale.sequences().moves().advance(sequence, 500, null, ChangeNote.NONE);
        take(owner, 7);
        take(stale, 7);
        requireOneCounter();
    }

    /** Returns the changes that leave the sequence with one counter under both definitions. */
    static Stream<Arguments> changesOfOneCounter() {
        return changes().filter(change -> isNeverReset(change, 1) && isNeverReset(change, 2));
    }

    private static boolean isNeverReset(Arguments change, int draft) {
        return ((DefinitionDraft) change.get()[draft]).get(DefinitionField.RESET_EVERY) == null;
    }

    /**
     * The copy is older than the first number. An instance that reads this copy and a counter recognizes the restore.
     */
    @ParameterizedTest(name = "{0}, put back from an old copy")
    @MethodSource("changesOfOneCounter")
    void anOldCopyOfTheDefinitionIsPutBack(String what, DefinitionDraft before, DefinitionDraft after) {
        owner.sequences().editor().put(sequence, before, Precondition.ABSENT, ChangeNote.NONE);
        TableEntity copy = tables.definition(sequence);
        owner.sequences().editor().put(sequence, after, Precondition.PRESENT, ChangeNote.NONE);
        take(owner, 7);
        tables.putBack(List.of(copy));

        requireRolledBack(stale);
        stale.sequences().moves().advance(sequence, 2_000, null, ChangeNote.NONE);

        take(stale, 7);
        take(owner, 7);
        List<Long> numbers = allocated.stream().map(PrintedAllocation::first).toList();
        assertEquals(numbers.size(), new HashSet<>(numbers).size(), numbers::toString);
    }

    private void requireRolledBack(Instance instance) {
        for (String key : new String[] {null, "key"}) {
            ProblemType type = assertThrows(ProblemException.class, () -> instance.next(sequence, key, 1))
                    .type();
            boolean isOfTheKey = type == (key == null ? ProblemType.KEY_REQUIRED : ProblemType.KEY_REFUSED);
            assertTrue(type == ProblemType.ROLLED_BACK || isOfTheKey, type::toString);
        }
    }

    /**
     * An instance creates a sequence from the template that it has read, and the template may change before the
     * sequence exists.
     */
    @Test
    void loserOfTheCreationUsesTheWinnersDefinition() {
        SequenceName template = new SequenceName(SequenceName.TEMPLATES, sequence.name());
        DefinitionDraft gapless = draft(Guarantee.GAPLESS, null, null, null, null, null);
        owner.sequences().editor().put(template, DEFAULTS, Precondition.ABSENT, ChangeNote.NONE);
        try (FaultProxy proxy = FaultProxy.before(SharedAzurite.ports())) {
            Fault overtaken = Fault.answeredAfter(() -> {
                owner.sequences().editor().put(template, gapless, Precondition.PRESENT, ChangeNote.NONE);
                allocated.add(owner.next(sequence, "a", 1));
            });
            proxy.inject(overtaken, Nth.of(RequestKind.READ, 3));
            Instance slow = Instance.patient(proxy.connectionString());

            ProblemException refused = assertThrows(ProblemException.class, () -> slow.next(sequence, null, 1));

            assertEquals(ProblemType.KEY_REQUIRED, refused.type());
            assertEquals(
                    List.of(1L),
                    allocated.stream().map(PrintedAllocation::first).toList(),
                    "the owner was faster");
            assertEquals(1, proxy.traffic().received(RequestKind.TRANSACTION), "the slow one tried to create it too");
            assertEquals(2, slow.next(sequence, "b", 1).first());
        }
    }

    /**
     * The instance reads first the definition and then the index. Another instance creates both in between, which must
     * not look like a lost table.
     */
    @Test
    void readsTheDefinitionAgainAfterANewerIndexRow() {
        try (FaultProxy proxy = FaultProxy.before(SharedAzurite.ports())) {
            Instance slow = Instance.patient(proxy.connectionString());
            beatAtTheIndex(proxy, () -> allocated.add(owner.next(sequence, null, 1)));
            assertEquals(2, slow.next(sequence, null, 1).first());
            assertEquals(
                    List.of(1L),
                    allocated.stream().map(PrintedAllocation::first).toList(),
                    "the owner was faster");

            SequenceName another = new SequenceName("stale", UUID.randomUUID().toString());
            beatAtTheIndex(
                    proxy,
                    () -> owner.sequences().editor().put(another, DEFAULTS, Precondition.ABSENT, ChangeNote.NONE));
            ProblemException refused = assertThrows(
                    ProblemException.class,
                    () -> slow.sequences().editor().put(another, DEFAULTS, Precondition.ABSENT, ChangeNote.NONE));
            assertEquals(ProblemType.PRECONDITION_FAILED, refused.type());
            assertEquals(Map.of("beaten", 2L), proxy.traffic().faults());
        }
    }

    private static void beatAtTheIndex(FaultProxy proxy, Runnable rival) {
        proxy.inject(Fault.beatenBy(rival), Nth.of(RequestKind.READ, 1).onPath(TableNames.SEQUENCES));
    }

    private void change(DefinitionDraft before, DefinitionDraft after) {
        owner.sequences().editor().put(sequence, before, Precondition.ABSENT, ChangeNote.NONE);
        stale.sequences().states().state(sequence, null);
        owner.sequences().editor().put(sequence, after, Precondition.PRESENT, ChangeNote.NONE);
    }

    /**
     * Takes numbers, with keys only if the sequence requires them. An instance with the old definition must find that
     * out from the refusal.
     */
    private void take(Instance instance, int times) {
        for (int time = 0; time < times; time++) {
            try {
                allocated.add(instance.next(sequence, null, 1));
            } catch (ProblemException e) {
                assertEquals(ProblemType.KEY_REQUIRED, e.type(), e.getMessage());
                allocated.add(instance.next(sequence, UUID.randomUUID().toString(), 1));
            }
        }
    }

    private void requireOneCounter() {
        Definition definition = owner.sequences().editor().get(sequence).definition();
        List<String> counters = tables.rows(sequence).stream()
                .map(row -> row.getRowKey())
                .filter(row -> row.startsWith("counter"))
                .toList();
        assertEquals(1, counters.size(), counters::toString);
        assertEquals(
                definition.fixed().resetEvery() == ResetEvery.NEVER,
                counters.get(0).equals("counter"),
                counters::toString);
        List<Long> numbers = allocated.stream().map(PrintedAllocation::first).toList();
        assertEquals(numbers.size(), new HashSet<>(numbers).size(), numbers::toString);
        assertTrue(
                allocated.stream()
                        .allMatch(some -> some.increment() == definition.fixed().increment()),
                allocated::toString);
        if (definition.fixed().guarantee() != Guarantee.CACHED) {
            List<Long> inOrder = LongStream.iterate(
                            numbers.get(0),
                            number -> number + definition.fixed().increment())
                    .limit(numbers.size())
                    .boxed()
                    .toList();
            assertEquals(inOrder, numbers, "one after the other");
        }
        if (definition.fixed().guarantee() == Guarantee.GAPLESS) {
            long keyed = tables.rows(sequence).stream()
                    .filter(row -> row.getRowKey().startsWith("key:"))
                    .count();
            assertEquals(numbers.size(), keyed, "every number is stored in the ledger");
        }
    }
}
