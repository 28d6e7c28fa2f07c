package dev.numera.core.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.Defined;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Definition;
import dev.numera.core.model.FixedFields;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Series;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.Unwatched;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** High-water marks outlive a counter's cached state and the definition under which the process observed them. */
class HighWaterMarksTest extends CounterFixture {
    private final CounterEnvironment process = surroundings(store);

    /**
     * The table was emptied, and auto-creation recreated the sequence. The numbers 1, 2 and 3 were once allocated
     * again.
     */
    @Test
    void anEmptiedTableIsNoticedThoughTheDefinitionIsAnother() {
        for (Guarantee guarantee : List.of(Guarantee.GAPLESS, Guarantee.CACHED, Guarantee.STRICT)) {
            define(guarantee, new Series(10, -1, 1, 10, false));
            CounterId observed = id(guarantee);
            Counter before = counter(observed);
            before.call(List.of(take(guarantee == Guarantee.GAPLESS ? "key" : null, 3)), deadline());
            store.table.remove(observed);
            empty(StaleDefinition.definition(Guarantee.STRICT, new Series(1, 1, 1, 1_000, false)));
            assertRolledBack(counter(observed));
        }
    }

    @Test
    void recreatedSequenceBeyondTheObservedNumbersIsAccepted() {
        counter(ID).call(List.of(take(null, 3)), deadline());
        store.table.remove(ID);
        time.pass(Duration.ofSeconds(1));
        empty(StaleDefinition.definition(Guarantee.GAPLESS, new Series(4, 1, 1, 1_000, false)));
        assertEquals(4, first(counter(ID)));
    }

    /** A yearly sequence was recreated as a sequence that never resets. */
    @Test
    void anEmptiedTableIsNoticedThoughThePeriodsAreOthers() {
        CounterId year = new CounterId(SEQUENCE, "2026");
        counter(year).call(List.of(take(null, 3)), deadline());
        store.table.remove(year);
        empty(StaleDefinition.definition(Guarantee.STRICT, NUMBERS));
        assertRolledBack(counter(ID));
        assertEquals(1, first(peer()), "Another process cannot know.");
    }

    /**
     * Two periods are opened at once. The second one read the definition as it was before the first number, and was
     * once taken for lost.
     */
    @Test
    void aPeriodThatIsOpenedBesideAnotherIsNotGone() {
        define(Defined.definition(Guarantee.STRICT, NUMBERS, ResetEvery.YEAR));
        StaleDefinition lagging = new StaleDefinition(store.table, SEQUENCE);
        assertFalse(lagging.current().isInUse());
        assertEquals(1, first(counter(new CounterId(SEQUENCE, "2026"))));
        terms = lagging;
        assertEquals(1, first(counter(new CounterId(SEQUENCE, "2025"))));
    }

    /** The counter was evicted, and its successor once accepted the restored table as the current one. */
    @Test
    void evictedCounterKeepsItsHighWaterMark() {
        Counter before = counter(ID);
        first(before);
        MemoryCounterStore.Backup backup = store.table.backup();
        first(before);
        store.table.restore(backup);
        assertRolledBack(counter(ID));
        peerCall(new CounterRequest.Advance(3, ChangeNote.NONE));
        assertEquals(3, first(counter(ID)));
    }

    /** An advance raised only the epoch. A comparison of next numbers alone once accepted the older table. */
    @Test
    void anOlderTableIsNoticedByItsEpochAlone() {
        next();
        MemoryCounterStore.Backup backup = store.table.backup();
        time.pass(Duration.ofSeconds(1));
        peerCall(new CounterRequest.Skip(0, ChangeNote.NONE));
        assertEquals(2, peerNext());
        store.onRead(request -> request);
        Counter reader = counter(ID);
        assertEquals(3, first(reader));
        store.table.restore(backup);
        peer().call(List.of(take(null, 3)), deadline());
        assertRolledBack(reader);
        peer().call(List.of(new CounterRequest.Advance(6, ChangeNote.NONE)), deadline());
        assertEquals(6, first(reader));
    }

    /**
     * A new round lowers the next number of a cycle. A comparison of next numbers alone once made another instance
     * report a restored table.
     */
    @Test
    void aNewRoundIsNoRollback() {
        define(Guarantee.STRICT, new Series(1, 1, 1, 3, true));
        Counter own = counter(ID);
        assertEquals(1, first(own));
        Counter other = peer();
        assertEquals(2, first(other));
        assertEquals(3, first(own));
        assertEquals(1, first(own));
        assertEquals(2, first(other));
        assertEquals(1, store.table.read(ID).orElseThrow().value().round());
    }

    @Test
    void aRestoredRoundIsRefusedUntilItIsAdvanced() {
        define(Guarantee.STRICT, new Series(1, 1, 1, 3, true));
        Counter own = counter(ID);
        assertEquals(1, first(own));
        MemoryCounterStore.Backup backup = store.table.backup();
        own.call(List.of(take(null, 3)), deadline());
        assertEquals(1, store.table.read(ID).orElseThrow().value().round());
        store.table.restore(backup);
        assertRolledBack(own);
        time.pass(Duration.ofSeconds(1));
        own.call(List.of(new CounterRequest.Skip(1, ChangeNote.NONE)), deadline());
        assertEquals(3, first(own));
    }

    /** The definition may have been retired meanwhile, so the counter reads it before it starts a new round. */
    @Test
    void theDefinitionIsReadBeforeARoundBeginsAgain() {
        define(Guarantee.STRICT, new Series(1, 1, 1, 2, true));
        next();
        next();
        int reads = terms.reads;
        retire(TestClock.START);
        assertRefused(ProblemType.RETIRED);
        assertTrue(terms.reads > reads);
        assertFalse(store.written.stream().anyMatch(write -> write.state().round() > 0));
    }

    private static SequenceName sequence(int ordinal) {
        return new SequenceName("Test", "sequence" + ordinal);
    }

    private void observe(HighWaterMarks highWaterMarks, CounterId counter) {
        highWaterMarks.observe(counter, CounterState.first(ordinal(counter), TestClock.START), fixed());
    }

    private static int ordinal(CounterId counter) {
        return counter.period().isEmpty() ? 1 : Integer.parseInt(counter.period());
    }

    private FixedFields fixed() {
        return definition().definition().fixed();
    }

    /** Each first number of a sequence once searched all high-water marks: 50,000 new names took minutes. */
    @Test
    void lookingForASequenceCostsTheSameHoweverManyAreObserved() {
        int many = 20_000;
        HighWaterMarks highWaterMarks = new HighWaterMarks(many);
        IntStream.range(0, many).forEach(each -> observe(highWaterMarks, new CounterId(sequence(each), "")));
        CounterState first = CounterState.first(1, TestClock.START);
        assertTimeout(Duration.ofSeconds(10), () -> IntStream.range(many, 2 * many)
                .forEach(each -> assertFalse(
                        highWaterMarks.isAny(sequence(each)) || highWaterMarks.isAnyBeyond(sequence(each), first))));
    }

    @Test
    void anyPeriodOfASequenceCounts() {
        HighWaterMarks highWaterMarks = new HighWaterMarks(100);
        for (int period = 2; period < 6; period++) {
            observe(highWaterMarks, new CounterId(SEQUENCE, "" + period));
        }
        assertTrue(highWaterMarks.isAny(SEQUENCE));
        assertTrue(highWaterMarks.isAnyBeyond(SEQUENCE, CounterState.first(4, TestClock.START)));
        assertFalse(highWaterMarks.isAnyBeyond(SEQUENCE, CounterState.first(5, TestClock.START)));
        assertFalse(highWaterMarks.isAny(sequence(1)));
    }

    /** Observes the counters of a sequence one by one, so that each eviction removes one of them. */
    @Test
    void aSequenceIsForgottenWithTheLastOfItsCounters() {
        HighWaterMarks highWaterMarks = new HighWaterMarks(10);
        for (int round = 0; round < 1_000; round++) {
            observe(highWaterMarks, new CounterId(sequence(round / 3), "" + round % 3));
        }
        for (int each = 0; each < 1_000 / 3; each++) {
            SequenceName name = sequence(each);
            boolean isObserved = IntStream.range(0, 3).anyMatch(period -> highWaterMarks
                    .farthest(new CounterId(name, "" + period))
                    .isPresent());
            assertEquals(isObserved, highWaterMarks.isAny(name), name::toString);
        }
    }

    private static CounterId id(Guarantee guarantee) {
        return new CounterId(SEQUENCE, guarantee.name());
    }

    private Counter counter(CounterId id) {
        return new Counter(id, definition().definition().fixed(), terms, LIMITS, process, new Unwatched());
    }

    private void empty(Definition definition) {
        store.table.put(Defined.stored(SEQUENCE, definition, false, null, null));
        terms = new StaleDefinition(store.table, SEQUENCE);
    }

    private long first(Counter of) {
        return ((Allocation) of.call(List.of(take(null, 1)), deadline()).only()).first();
    }

    private void assertRolledBack(Counter of) {
        ProblemException problem = assertThrows(ProblemException.class, () -> first(of));
        assertEquals(ProblemType.ROLLED_BACK, problem.type(), problem::getMessage);
    }
}
