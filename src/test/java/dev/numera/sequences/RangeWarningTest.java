package dev.numera.sequences;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.definition.Precondition;
import dev.numera.sequences.numbering.Telemetry;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The warnings to an operator that a range is nearly used. */
class RangeWarningTest {
    private static final SequenceName NAME = new SequenceName("App1", "range");
    private static final Logger LOGGER = Logger.getLogger(Telemetry.class.getName());

    private final List<String> log = new ArrayList<>();
    private final Handler listening = new Handler() {
        @Override
        public void publish(LogRecord record) {
            log.add(new SimpleFormatter().formatMessage(record));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private final MemoryCounterStore table = new MemoryCounterStore();
    private final Sequences sequences =
            TestSequences.over(table).with(TestClock.alone()).start();

    @BeforeEach
    void listen() {
        LOGGER.addHandler(listening);
    }

    @AfterEach
    void listenNoMore() {
        LOGGER.removeHandler(listening);
    }

    private void take(int times) {
        for (int i = 0; i < times; i++) {
            sequences
                    .allocator()
                    .next(NAME, List.of(new NumberRequest(null, 1, null)))
                    .results()
                    .get(0)
                    .orThrow();
        }
    }

    private void define(long maxValue, int warnAtPercent) {
        sequences
                .editor()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.MAX_VALUE, maxValue)
                                .with(DefinitionField.WARN_AT_PERCENT, warnAtPercent),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
    }

    private void widen(long maxValue) {
        sequences
                .editor()
                .patch(
                        NAME,
                        DefinitionDraft.EMPTY.with(DefinitionField.MAX_VALUE, maxValue),
                        Precondition.PRESENT,
                        ChangeNote.NONE);
    }

    @Test
    void comesAtThePercentageAndAgainWhenThePartThatWasAddedLastIsNearlyUsed() {
        define(10, 20);
        take(1);
        assertEquals(List.of(), log);
        take(1);
        String first = "20 % of the range is used: scope App1, name range, 8 numbers left";
        assertEquals(List.of(first), log);

        widen(20);
        take(9);
        assertEquals(List.of(first), log);
        take(2);
        assertEquals(
                List.of(
                        first,
                        "20 % of the last extension of the range is used: scope App1, name range, 8 numbers left"),
                log);
    }

    /** Measured against the whole range, the share would be reached already at the tenth extension. */
    @Test
    void comesOnceForEachOfManyWidenings() {
        define(10, 90);
        take(9);
        for (int widenings = 1; widenings < 15; widenings++) {
            assertEquals(widenings, log.size());
            widen(10L * widenings + 10);
            take(9);
            assertEquals(widenings, log.size(), "two numbers of ten are left");
            take(1);
        }
        assertEquals(15, log.size());
        take(1);
        assertEquals(15, log.size());
    }

    /** The last extension is stored, because the instance that widened the range may have ended. */
    @Test
    void comesFromAnInstanceThatStartedLater() {
        define(10, 90);
        take(9);
        widen(20);
        log.clear();
        Sequences later = TestSequences.over(table).with(TestClock.alone()).start();
        later.allocator().next(NAME, List.of(new NumberRequest(null, 9, null)));
        assertEquals(List.of(), log);
        later.allocator().next(NAME, List.of(new NumberRequest(null, 1, null)));
        assertEquals(
                List.of("90 % of the last extension of the range is used: scope App1, name range, 1 numbers left"),
                log);
    }
}
