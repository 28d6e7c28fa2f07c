package dev.numera.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.fixtures.TestClock;
import dev.numera.model.ChangeNote;
import dev.numera.model.DefinitionDraft;
import dev.numera.model.DefinitionField;
import dev.numera.model.SequenceName;
import dev.numera.model.Take;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When an operator reads that a range is nearly used. */
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
    private final Sequences sequences =
            TestSequences.over(new MemoryCounterStore()).with(TestClock.alone()).start();

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
                    .numbering()
                    .next(NAME, List.of(new Take(null, 1, null)))
                    .answers()
                    .get(0)
                    .orThrow();
        }
    }

    @Test
    void comesAtThePercentageAndAgainWhenAWidenedRangeIsNearlyUsed() {
        sequences
                .administration()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.MAX_VALUE, 10L)
                                .with(DefinitionField.WARN_AT_PERCENT, 20),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
        take(1);
        assertEquals(List.of(), log);
        take(1);
        String first = "20 % of the range is used: scope App1, name range, 8 numbers left";
        assertEquals(List.of(first), log);

        sequences
                .administration()
                .patch(
                        NAME,
                        DefinitionDraft.EMPTY.with(DefinitionField.MAX_VALUE, 20L),
                        Precondition.PRESENT,
                        ChangeNote.NONE);
        take(3);
        assertEquals(List.of(first, "20 % of the range is used: scope App1, name range, 16 numbers left"), log);
    }
}
