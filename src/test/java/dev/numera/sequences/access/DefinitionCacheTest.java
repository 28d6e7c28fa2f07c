package dev.numera.sequences.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.Defined;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.format.Revision;
import dev.numera.core.model.Definition;
import dev.numera.core.model.FormatHistory;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Series;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.TestClock;
import java.time.Duration;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The definition that an instance uses while other instances write it. */
class DefinitionCacheTest {
    private static final SequenceName NAME = new SequenceName("App1", "invoice");
    private static final Definition DEFINITION =
            Defined.definition(Guarantee.STRICT, new Series(1, 1, 1, 1_000, false), ResetEvery.NEVER);

    private final MemoryCounterStore table = new MemoryCounterStore();
    /** Replaces the next answer to each request. */
    private final Map<String, UnaryOperator<Object>> next = new HashMap<>();

    private final TestClock clock = TestClock.alone();
    private final DefinitionStore store = scripted();
    private final DefinitionCache definitions = new DefinitionCache(store, 10, clock, Duration.ofSeconds(2));
    private final DefinitionCreation creation = new DefinitionCreation(definitions, store, AutoCreate.ALWAYS, clock);

    private DefinitionStore scripted() {
        return ForwardingStore.over(DefinitionStore.class, table, request -> {
            Object answer = request.forward();
            UnaryOperator<Object> step = next.remove(request.name());
            return step == null ? answer : step.apply(answer);
        });
    }

    /** The two reads of a definition that is created between them look the same as for a lost one. */
    @Test
    void aSequenceThatIsCreatedBetweenTwoReadsIsNotTakenForALostOne() {
        next.put("find", answer -> {
            assertEquals(Optional.empty(), answer);
            Sequence created = Defined.stored(NAME, DEFINITION, false, null, null);
            table.put(created);
            assertTrue(table.index(NAME, created.id()).isWon());
            return answer;
        });
        assertEquals(DEFINITION, definitions.get(NAME).definition());
    }

    @Test
    void whoCreatedASequenceIsToldSoAlthoughTheAnswerWasLost() {
        next.put("insert", answer -> {
            assertTrue(((WriteResult) answer).isWon());
            return new WriteResult.Unknown(new StoreFailure("No answer.", true, null));
        });
        assertTrue(creation.getOrCreate(NAME, new HashSet<>(), created -> {}).isNew());
        assertFalse(creation.getOrCreate(NAME, new HashSet<>(), created -> {}).isNew());
    }

    private boolean isNewAfterATry(String failing) {
        Set<String> own = new HashSet<>();
        assertThrows(StoreFailure.class, () -> creation.getOrCreate(NAME, own, created -> {}), failing);
        return creation.getOrCreate(NAME, own, created -> {}).isNew();
    }

    /** The retry once reported an existing sequence. */
    @Test
    void whoCreatedASequenceIsToldSoAlthoughTheAnswerToItsIndexRowWasLost() {
        next.put("index", answer -> {
            assertTrue(((WriteResult) answer).isWon());
            return new WriteResult.Unknown(new StoreFailure("No answer.", true, null));
        });
        assertTrue(isNewAfterATry("index"));
    }

    @Test
    void whoCreatedASequenceIsToldSoAlthoughItWasWrittenLate() {
        next.put("insert", answer -> {
            next.put("find", found -> Optional.empty());
            return new WriteResult.Unknown(new StoreFailure("No answer.", true, null));
        });
        assertTrue(isNewAfterATry("insert"));
    }

    @Test
    void whoFindsTheSequenceOfAnotherCallerHasNotCreatedIt() {
        next.put("find", answer -> {
            Sequence created = Defined.stored(NAME, DEFINITION, false, null, null);
            table.put(created);
            assertTrue(table.index(NAME, created.id()).isWon());
            return Optional.empty();
        });
        next.put("indexed", answer -> Optional.empty());
        assertFalse(creation.getOrCreate(NAME, new HashSet<>(), created -> {}).isNew());
    }

    /**
     * The creator once waited for the read of another call that had not found the sequence, and was answered that it
     * does not exist.
     */
    @Test
    void creatorDoesNotTakeTheAnswerOfAnEarlierRead() throws InterruptedException {
        CountDownLatch hasRead = new CountDownLatch(1);
        CountDownLatch isCreated = new CountDownLatch(1);
        Thread[] reader = new Thread[1];
        next.put("insert", answer -> {
            assertTrue(((WriteResult) answer).isWon());
            next.put("find", found -> {
                hasRead.countDown();
                uninterrupted(isCreated);
                return Optional.empty();
            });
            reader[0] = new Thread(() -> assertThrows(ProblemException.class, () -> definitions.get(NAME)));
            reader[0].start();
            uninterrupted(hasRead);
            return new WriteResult.Won(null);
        });
        try {
            assertEquals(
                    Definition.DEFAULT,
                    creation.getOrCreate(NAME, new HashSet<>(), created -> {})
                            .definition()
                            .definition());
        } finally {
            isCreated.countDown();
            reader[0].join();
        }
    }

    /**
     * Earlier versions stored only the numbers since the change. A plan from an old state is lost, but must not fail.
     */
    @Test
    void aNumberFromBeforeTheFormatChangedHasATextByThePresentOne() {
        Revision later = new Revision("A{r:16}", 100, 1_000, 1_000);
        Definition reversed = new Definition(
                DEFINITION.fixed(), DEFINITION.minValue(), DEFINITION.maxValue(), DEFINITION.cacheSize(), "A{r:16}");
        Sequence known =
                Defined.stored(NAME, "an id", reversed, new FormatHistory(List.of(later), 1), true, null, "version");
        assertFalse(known.texts().context(later).contains(99));
        assertEquals(17, known.texts().text(1, LocalDate.EPOCH, 99).length());
    }

    private static void uninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
