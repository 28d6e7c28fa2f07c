package dev.numera.sequences.lists;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DateOrder;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Clock;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.AutoCreate;
import dev.numera.sequences.definition.Precondition;
import dev.numera.sequences.ledger.UnsentStatusChanges;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The forecast of a batch matches the result if the batch is numbered right afterward, and it changes nothing. */
class ForeseenBatchTest {
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 21);
    private static final SequenceName NAME = new SequenceName("shop", "invoice");
    private static final Clock STOPPED = TestClock.standing(NOW);

    private final MemoryCounterStore memory = new MemoryCounterStore();
    private final Sequences sequences = instance(AutoCreate.ALWAYS);
    private final ListWork batches = new ListWork(sequences.allocator(), null);
    private final List<List<NumberRequest>> foreseen = new ArrayList<>();
    private final List<Optional<ProblemType>> problems = new ArrayList<>();

    private Sequences instance(AutoCreate autoCreate) {
        return TestSequences.over(memory).with(autoCreate).with(STOPPED).start();
    }

    private void define(DefinitionDraft draft) {
        sequences.editor().put(NAME, draft, Precondition.ABSENT, ChangeNote.NONE);
    }

    private void take(String key, int count, LocalDate date) {
        sequences
                .allocator()
                .next(NAME, List.of(new NumberRequest(key, count, date)))
                .results()
                .get(0)
                .orThrow();
    }

    private Optional<ProblemType> preview(List<NumberRequest> requests) {
        Optional<ProblemType> problem = batches.foreseen(NAME, requests, NOW).map(ProblemException::type);
        foreseen.add(requests);
        problems.add(problem);
        return problem;
    }

    private static List<NumberRequest> keys(LocalDate date, String... keys) {
        return NumberRequest.ofEach(List.of(keys), 1, date, false);
    }

    private static List<NumberRequest> count(String id, int count) {
        return List.of(new NumberRequest(id, count, null));
    }

    /**
     * Numbers the batches in the order of their forecasts. Refused batches take no numbers, so none affects the next
     * one.
     */
    @AfterEach
    void foreseenProblemsAreThoseOfTheCall() {
        for (int i = 0; i < foreseen.size(); i++) {
            List<NumberRequest> requests = foreseen.get(i);
            if (problems.get(i).isPresent()) {
                ProblemException met = assertThrows(ProblemException.class, () -> batches.number(NAME, requests, NOW));
                assertEquals(problems.get(i).get(), met.type());
            } else {
                batches.number(NAME, requests, NOW);
            }
        }
    }

    @Test
    void foreseesACreationWithoutCreating() {
        assertEquals(Optional.empty(), preview(keys(null, "a")));
        assertEquals(Optional.empty(), memory.find(NAME));
    }

    @Test
    void unknownSequenceIsForeseenWhereNoCallMayCreateIt() {
        ListWork strict = new ListWork(instance(AutoCreate.NEVER).allocator(), null);
        assertEquals(
                Optional.of(ProblemType.UNKNOWN_SEQUENCE),
                strict.foreseen(NAME, keys(null, "a"), NOW).map(ProblemException::type));
    }

    @Test
    void theNumbersLeftDecideUnlessTheKeyIsKnown() {
        define(DefinitionDraft.EMPTY.with(DefinitionField.MAX_VALUE, 2L));
        take("known", 2, null);

        assertEquals(Optional.of(ProblemType.EXHAUSTED), preview(keys(null, "a", "b")));
        assertEquals(Optional.of(ProblemType.EXHAUSTED), preview(count("c", 3)));
        assertEquals(Optional.of(ProblemType.KEY_REUSED), preview(keys(null, "known")));
        assertEquals(Optional.empty(), preview(count("known", 2)));
        assertEquals(2, sequences.states().state(NAME, null).allocated());
    }

    @Test
    void oneKeyThatCanBeNumberedIsEnough() {
        define(DefinitionDraft.EMPTY.with(DefinitionField.MAX_VALUE, 3L));
        take("known", 2, null);

        assertEquals(Optional.empty(), preview(keys(null, "known", "a", "b")));
        assertEquals(3, sequences.states().state(NAME, null).next());
    }

    @Test
    void aRetiredSequenceNumbersKnownKeysOnly() {
        define(DefinitionDraft.EMPTY);
        take("known", 1, null);
        sequences.lifecycle().retire(NAME, Precondition.PRESENT, ChangeNote.NONE);

        assertEquals(Optional.of(ProblemType.RETIRED), preview(keys(null, "a")));
        assertEquals(Optional.empty(), preview(keys(null, "known")));
    }

    @Test
    void aVoidKeyIsRefused() {
        define(DefinitionDraft.EMPTY);
        take("lost", 1, null);
        UnsentStatusChanges.makeVoid(sequences.statusChanges(), NAME, "lost", "spoilt", null);

        assertEquals(Optional.of(ProblemType.KEY_VOID), preview(keys(null, "lost")));
    }

    @Test
    void theDateDecides() {
        define(DefinitionDraft.EMPTY
                .with(DefinitionField.RESET_EVERY, ResetEvery.YEAR)
                .with(DefinitionField.TIME_ZONE, "UTC")
                .with(DefinitionField.DATE_ORDER, DateOrder.ASCENDING));
        take("known", 1, TODAY);

        assertEquals(Optional.of(ProblemType.DATE_ORDER), preview(keys(TODAY.minusDays(1), "a")));
        assertEquals(Optional.of(ProblemType.INVALID_REQUEST), preview(keys(TODAY.plusYears(2), "a")));
        assertEquals(Optional.of(ProblemType.KEY_REUSED), preview(keys(TODAY.minusYears(1), "known")));
        assertEquals(Optional.empty(), preview(keys(TODAY.minusYears(1), "a")));
    }

    @Test
    void aSequenceThatTakesNoKeysRefusesAll() {
        define(DefinitionDraft.EMPTY.with(DefinitionField.GUARANTEE, Guarantee.CACHED));

        assertEquals(Optional.of(ProblemType.KEY_REFUSED), preview(keys(null, "a")));
    }

    @Test
    void templateIsForeseenAsInvalid() {
        SequenceName template = new SequenceName("~", "invoice");
        ProblemException problem =
                batches.foreseen(template, keys(null, "a"), NOW).orElseThrow();
        assertEquals(ProblemType.INVALID_REQUEST, problem.type());
    }

    @Test
    void moreKeysThanOneWriteTakesAreJudgedByTheFirst() {
        define(DefinitionDraft.EMPTY);
        List<String> many = IntStream.range(0, 500).mapToObj(i -> "key-" + i).toList();

        assertEquals(Optional.empty(), preview(NumberRequest.ofEach(many, 1, null, false)));
        assertEquals(Optional.empty(), preview(NumberRequest.ofEach(many, 1, null, true)));
    }
}
