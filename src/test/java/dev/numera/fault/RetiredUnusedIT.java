package dev.numera.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.models.TableEntity;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.fixtures.Effort;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.TestAccount;
import dev.numera.fixtures.TestLimits;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.Nth;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.catalog.ListedSequence;
import dev.numera.sequences.catalog.SequenceList;
import dev.numera.sequences.definition.DefinitionEditor;
import dev.numera.sequences.definition.Precondition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A retired sequence is hidden, and its name free for another definition, only if no instance has allocated a number
 * and no write in progress still can. The list names the interleavings. V0 is the version of the definition at first,
 * V1 its version after the retirement, and V2 after the new definition. Every first write, by any instance, is
 * conditioned on the version that the instance read.
 *
 * <ol>
 *   <li>First write, retirement: the retirement, computed from V0, loses to the mark, reads the mark and leaves the
 *       sequence listed. The same happens if the answer of the first write was lost.
 *   <li>First write sent, retirement, first write lands: the write was conditioned on V0 and loses.
 *   <li>First write sent, retirement, new definition, first write lands: V2 is not V0, so the write loses.
 *   <li>Retirement sent, first write, retirement lands: the retirement was conditioned on V0 and loses to the mark.
 *   <li>New definition sent, another new definition, a first write under the other one, the sent one lands: the sent
 *       definition was conditioned on V1 and loses.
 *   <li>Retirement and new definition, while another instance keeps V0: the first write of that instance loses, and the
 *       instance reads V2.
 *   <li>A restore left a counter next to a definition that is not in use: the name is not free.
 * </ol>
 */
class RetiredUnusedIT {
    private static final int RACES = Effort.times(200);
    private static final long MAX_HEAD_START_NANOS = Duration.ofMillis(10).toNanos();

    private static final DefinitionDraft BEFORE = DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, "A{n}");
    private static final DefinitionDraft AGAIN = DefinitionDraft.EMPTY
            .with(DefinitionField.FORMAT, "B{n}")
            .with(DefinitionField.START, 100L)
            .with(DefinitionField.INCREMENT, 10L);
    private static final DefinitionDraft OTHER =
            DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, "C{n}").with(DefinitionField.START, 7L);

    private final RawTables tables = new RawTables(SharedAzurite.connectionString());
    private final FaultProxy proxy = FaultProxy.before(SharedAzurite.ports());
    private final Instance slow = unhurried(proxy.connectionString());
    private final Instance other = unhurried(SharedAzurite.connectionString());
    private final SequenceName sequence = name();
    /** Opened when the late write is to land. */
    private final CountDownLatch lands = new CountDownLatch(1);

    /** Returns an instance with enough time for all requests that meet no fault. */
    private static Instance unhurried(String connectionString) {
        return new Instance(
                "unhurried",
                TestSequences.over(TestAccount.withTables(connectionString))
                        .with(TestLimits.DEFAULT.withDeadline(Duration.ofSeconds(6)))
                        .start());
    }

    private static SequenceName name() {
        return new SequenceName("unused-" + UUID.randomUUID(), "invoice");
    }

    @AfterEach
    void closeProxy() {
        proxy.close();
    }

    private static void define(Instance instance, SequenceName name, DefinitionDraft draft) {
        owner(instance).put(name, draft, Precondition.ABSENT, ChangeNote.NONE);
    }

    private static void retire(Instance instance, SequenceName name) {
        instance.sequences().lifecycle().retire(name, Precondition.PRESENT, ChangeNote.NONE);
    }

    private static DefinitionEditor owner(Instance instance) {
        return instance.sequences().editor();
    }

    private static List<String> listed(SequenceName name, boolean withUnused) {
        return unhurried(SharedAzurite.connectionString())
                .sequences()
                .list()
                .list(new SequenceList.Wanted(name.scope(), List.of(), withUnused, Set.of()), 10, null)
                .items()
                .stream()
                .map(ListedSequence::name)
                .toList();
    }

    private void assertTaken(DefinitionDraft another) {
        assertEquals(List.of("invoice"), listed(sequence, false));
        ProblemException refused = assertThrows(ProblemException.class, () -> define(other, sequence, another));
        assertEquals(ProblemType.IMMUTABLE_FIELD, refused.type());
    }

    private String text(Instance instance) {
        return instance.next(sequence, null, 1).texts().get(0);
    }

    @Test
    void aFreshOneDisappearsAndItsNameIsFree() {
        define(other, sequence, BEFORE);
        assertEquals("A{n}", owner(slow).get(sequence).definition().format());

        retire(other, sequence);

        assertEquals(List.of(), listed(sequence, false));
        assertEquals(List.of("invoice"), listed(sequence, true));
        ProblemException refused = assertThrows(ProblemException.class, () -> text(other));
        assertEquals(ProblemType.RETIRED, refused.type());
        define(other, sequence, AGAIN);
        assertEquals(List.of("invoice"), listed(sequence, false));
        // The slow instance had kept the first definition.
        assertEquals(List.of("B100", "B110"), List.of(text(slow), text(other)));
        retire(other, sequence);
        assertTaken(OTHER);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFirstNumberWhoseAnswerWasLostIsUse(boolean isRetiredBySame) {
        define(other, sequence, BEFORE);
        proxy.inject(Fault.replyLost(), Nth.of(RequestKind.TRANSACTION, 1));
        assertEquals("A1", text(slow));

        retire(isRetiredBySame ? slow : other, sequence);

        assertTaken(AGAIN);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFirstNumberThatLandsAfterTheRetirementIsRefused(boolean isDefinedAgain) throws Exception {
        define(other, sequence, BEFORE);
        proxy.inject(Fault.closedThenForwarded(lands), Nth.of(RequestKind.TRANSACTION, 1));
        proxy.inject(Fault.closedBeforeForwarding(), Nth.every(RequestKind.TRANSACTION));
        CompletableFuture<ProblemException> first =
                CompletableFuture.supplyAsync(() -> assertThrows(ProblemException.class, () -> text(slow)));
        proxy.traffic().await(Set.of(RequestKind.TRANSACTION), first);
        retire(other, sequence);
        if (isDefinedAgain) {
            define(other, sequence, AGAIN);
        }

        first.get();
        proxy.heal();
        lands.countDown();
        proxy.awaitLateWrites();

        assertEquals(isDefinedAgain ? List.of("invoice") : List.of(), listed(sequence, false));
        if (!isDefinedAgain) {
            define(other, sequence, AGAIN);
        }
        assertEquals(List.of("B100", "B110"), List.of(text(slow), text(other)));
    }

    @Test
    void aRetirementThatLandsAfterTheFirstNumberChangesNothing() throws Exception {
        define(other, sequence, BEFORE);
        proxy.inject(Fault.closedThenForwarded(lands), Nth.of(RequestKind.TRANSACTION, 1));
        ProblemException unknown = assertThrows(ProblemException.class, () -> retire(slow, sequence));
        assertEquals(ProblemType.OUTCOME_UNKNOWN, unknown.type());
        assertEquals("A1", text(other));

        lands.countDown();
        proxy.awaitLateWrites();

        // The index marks the sequence as possibly unused, but lists must include it.
        assertEquals(List.of("invoice"), listed(sequence, false));
        assertEquals("A2", text(slow));
    }

    @Test
    void aDefinitionThatLandsAfterAnotherOneWasUsedChangesNothing() throws Exception {
        define(other, sequence, BEFORE);
        retire(other, sequence);
        proxy.inject(Fault.closedThenForwarded(lands), Nth.of(RequestKind.TRANSACTION, 1));
        ProblemException unknown = assertThrows(ProblemException.class, () -> define(slow, sequence, AGAIN));
        assertEquals(ProblemType.OUTCOME_UNKNOWN, unknown.type());
        define(other, sequence, OTHER);
        assertEquals("C7", text(other));

        lands.countDown();
        proxy.awaitLateWrites();

        assertEquals(List.of("C8", "C9"), List.of(text(other), text(slow)));
    }

    @Test
    void aCounterBesideADefinitionThatSaysUnusedKeepsTheName() {
        define(other, sequence, BEFORE);
        TableEntity unused = tables.definition(sequence);
        assertEquals("A1", text(other));
        tables.putBack(List.of(unused));

        Instance later = unhurried(SharedAzurite.connectionString());
        retire(later, sequence);

        ProblemException refused = assertThrows(ProblemException.class, () -> define(later, sequence, OTHER));
        assertEquals(ProblemType.IMMUTABLE_FIELD, refused.type());
    }

    @Test
    @Tag("long")
    void retirementsAndFirstNumbersAreOneAfterTheOther() throws Exception {
        Instance caller = unhurried(SharedAzurite.connectionString());
        ExecutorService callers = Executors.newSingleThreadExecutor();
        Set<String> winners = new HashSet<>();
        for (int i = 0; i < RACES; i++) {
            SequenceName name = name();
            define(other, name, BEFORE);
            // Makes the calling instance keep the first definition.
            owner(caller).get(name);
            Future<String> first = callers.submit(() -> {
                park();
                return textOrProblem(caller, name);
            });
            park();
            retire(other, name);
            String defined = defineOrProblem(name);
            winners.add(verdict(name, first.get(), defined, caller));
        }
        callers.shutdown();
        assertTrue(winners.containsAll(Set.of("first number", "retirement")), winners::toString);
    }

    private static void park() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(MAX_HEAD_START_NANOS));
    }

    private static String textOrProblem(Instance caller, SequenceName name) {
        try {
            return caller.next(name, null, 1).texts().get(0);
        } catch (ProblemException e) {
            return e.type().name();
        }
    }

    private String defineOrProblem(SequenceName name) {
        try {
            define(other, name, AGAIN);
            return "";
        } catch (ProblemException e) {
            return e.type().name();
        }
    }

    private String verdict(SequenceName name, String first, String defined, Instance caller) {
        String state = name + ": the first call got " + first + ", the definition " + defined;
        assertEquals(List.of("invoice"), listed(name, false), state);
        if (first.equals("A1")) {
            assertEquals(ProblemType.IMMUTABLE_FIELD.name(), defined, state);
            return "first number";
        }
        assertEquals("", defined, state);
        List<String> all = new ArrayList<>(
                List.of(textOrProblem(caller, name), textOrProblem(other, name), textOrProblem(caller, name)));
        if (!first.equals(ProblemType.RETIRED.name())) {
            all.add(0, first);
        }
        assertEquals(List.of("B100", "B110", "B120", "B130").subList(0, all.size()), all, state);
        return "retirement";
    }
}
