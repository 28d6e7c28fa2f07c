package dev.numera.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.execution.Clock;
import dev.numera.fixtures.TestClock;
import dev.numera.format.ResetEvery;
import dev.numera.model.ChangeNote;
import dev.numera.model.DateOrder;
import dev.numera.model.DefinitionDraft;
import dev.numera.model.DefinitionField;
import dev.numera.model.Guarantee;
import dev.numera.model.SequenceName;
import dev.numera.model.Take;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.sequence.AutoCreate;
import dev.numera.sequence.Precondition;
import dev.numera.sequence.Sequences;
import dev.numera.sequence.StatusChanges;
import dev.numera.sequence.TestSequences;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is foreseen of a batch is what it meets when it is numbered right after; and to foresee changes nothing. */
class ForeseenBatchTest {
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 21);
    private static final SequenceName NAME = new SequenceName("shop", "invoice");
    private static final Clock STOPPED = TestClock.standing(NOW);

    private final MemoryCounterStore memory = new MemoryCounterStore();
    private final Sequences sequences = instance(AutoCreate.ALWAYS);
    private final BatchWork batches = new BatchWork(sequences.numbering(), null);
    private final List<List<Take>> foreseen = new ArrayList<>();
    private final List<Optional<ProblemType>> problems = new ArrayList<>();

    private Sequences instance(AutoCreate autoCreate) {
        return TestSequences.over(memory).with(autoCreate).with(STOPPED).start();
    }

    private void define(DefinitionDraft draft) {
        sequences.administration().put(NAME, draft, Precondition.ABSENT, ChangeNote.NONE);
    }

    private void take(String key, int count, LocalDate date) {
        sequences
                .numbering()
                .next(NAME, List.of(new Take(key, count, date)))
                .answers()
                .get(0)
                .orThrow();
    }

    private Optional<ProblemType> foresee(List<Take> takes) {
        Optional<ProblemType> problem = batches.foreseen(NAME, takes, NOW).map(ProblemException::type);
        foreseen.add(takes);
        problems.add(problem);
        return problem;
    }

    private static List<Take> keys(LocalDate date, String... keys) {
        return Take.ofEach(List.of(keys), 1, date, false);
    }

    private static List<Take> count(String id, int count) {
        return List.of(new Take(id, count, null));
    }

    /** In the order in which they were foreseen, so that none spoils the next: those that are refused take nothing. */
    @AfterEach
    void foreseenProblemsAreThoseOfTheCall() {
        for (int i = 0; i < foreseen.size(); i++) {
            List<Take> takes = foreseen.get(i);
            if (problems.get(i).isPresent()) {
                ProblemException met = assertThrows(ProblemException.class, () -> batches.number(NAME, takes, NOW));
                assertEquals(problems.get(i).get(), met.type());
            } else {
                batches.number(NAME, takes, NOW);
            }
        }
    }

    @Test
    void foreseesACreationWithoutCreating() {
        assertEquals(Optional.empty(), foresee(keys(null, "a")));
        assertEquals(Optional.empty(), memory.find(NAME));
    }

    @Test
    void unknownSequenceIsForeseenWhereNoCallMayCreateIt() {
        BatchWork strict = new BatchWork(instance(AutoCreate.NEVER).numbering(), null);
        assertEquals(
                Optional.of(ProblemType.UNKNOWN_SEQUENCE),
                strict.foreseen(NAME, keys(null, "a"), NOW).map(ProblemException::type));
    }

    @Test
    void theNumbersLeftDecideUnlessTheKeyIsKnown() {
        define(DefinitionDraft.EMPTY.with(DefinitionField.MAX_VALUE, 2L));
        take("known", 2, null);

        assertEquals(Optional.of(ProblemType.EXHAUSTED), foresee(keys(null, "a", "b")));
        assertEquals(Optional.of(ProblemType.EXHAUSTED), foresee(count("c", 3)));
        assertEquals(Optional.of(ProblemType.KEY_REUSED), foresee(keys(null, "known")));
        assertEquals(Optional.empty(), foresee(count("known", 2)));
        assertEquals(2, sequences.states().state(NAME, null).allocated());
    }

    @Test
    void oneKeyThatCanBeNumberedIsEnough() {
        define(DefinitionDraft.EMPTY.with(DefinitionField.MAX_VALUE, 3L));
        take("known", 2, null);

        assertEquals(Optional.empty(), foresee(keys(null, "known", "a", "b")));
        assertEquals(3, sequences.states().state(NAME, null).next());
    }

    @Test
    void aRetiredSequenceNumbersKnownKeysOnly() {
        define(DefinitionDraft.EMPTY);
        take("known", 1, null);
        sequences.lifecycle().retire(NAME, Precondition.PRESENT, ChangeNote.NONE);

        assertEquals(Optional.of(ProblemType.RETIRED), foresee(keys(null, "a")));
        assertEquals(Optional.empty(), foresee(keys(null, "known")));
    }

    @Test
    void aVoidKeyIsRefused() {
        define(DefinitionDraft.EMPTY);
        take("lost", 1, null);
        StatusChanges.makeVoid(sequences.statuses(), NAME, "lost", "spoilt", null);

        assertEquals(Optional.of(ProblemType.KEY_VOID), foresee(keys(null, "lost")));
    }

    @Test
    void theDateDecides() {
        define(DefinitionDraft.EMPTY
                .with(DefinitionField.RESET_EVERY, ResetEvery.YEAR)
                .with(DefinitionField.TIME_ZONE, "UTC")
                .with(DefinitionField.DATE_ORDER, DateOrder.ASCENDING));
        take("known", 1, TODAY);

        assertEquals(Optional.of(ProblemType.DATE_ORDER), foresee(keys(TODAY.minusDays(1), "a")));
        assertEquals(Optional.of(ProblemType.INVALID_REQUEST), foresee(keys(TODAY.plusYears(2), "a")));
        assertEquals(Optional.of(ProblemType.KEY_REUSED), foresee(keys(TODAY.minusYears(1), "known")));
        assertEquals(Optional.empty(), foresee(keys(TODAY.minusYears(1), "a")));
    }

    @Test
    void aSequenceThatTakesNoKeysRefusesAll() {
        define(DefinitionDraft.EMPTY.with(DefinitionField.GUARANTEE, Guarantee.CACHED));

        assertEquals(Optional.of(ProblemType.KEY_REFUSED), foresee(keys(null, "a")));
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

        assertEquals(Optional.empty(), foresee(Take.ofEach(many, 1, null, false)));
        assertEquals(Optional.empty(), foresee(Take.ofEach(many, 1, null, true)));
    }
}
