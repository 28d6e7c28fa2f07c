package dev.numera.sequences.numbering;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.core.model.CallResult;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.access.PrintedAllocation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The reports to an operator about problems that only the operator can end. */
class AlarmsTest {
    private static final SequenceName TICKET = new SequenceName("App1", "ticket");
    private static final SequenceName INVOICE = new SequenceName("App1", "invoice");
    private static final Logger LOGGER = Logger.getLogger(Alarms.class.getName());

    private final TestClock time = TestClock.alone(Instant.EPOCH);
    private final Alarms alarms = new Alarms(time);
    private final List<String> log = new ArrayList<>();
    private final Handler listening = new Handler() {
        @Override
        public void publish(LogRecord record) {
            log.add(record.getLevel() + " " + new SimpleFormatter().formatMessage(record));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        LOGGER.addHandler(listening);
    }

    @AfterEach
    void listenNoMore() {
        LOGGER.removeHandler(listening);
    }

    private static CallResult<PrintedAllocation> refused(ProblemType type) {
        return new CallResult<>(
                List.of(Result.refused(new ProblemException(type, "detail", Map.of("left", 0L)))), false, 0, 0);
    }

    private void meet(SequenceName name, ProblemType type) {
        assertEquals(
                type,
                alarms.watch(name, () -> refused(type))
                        .results()
                        .get(0)
                        .refusal()
                        .type());
    }

    @Test
    void problemsOfOneAnswerAndOfTheWholeCallAreReportedAndPassedOn() {
        ProblemException rolledBack = new ProblemException(ProblemType.ROLLED_BACK, "detail");

        meet(TICKET, ProblemType.EXHAUSTED);
        assertSame(
                rolledBack,
                assertThrows(
                        ProblemException.class,
                        () -> alarms.watch(INVOICE, () -> {
                            throw rolledBack;
                        })));

        assertEquals(
                List.of(
                        "WARNING All numbers are used up: scope App1, name ticket",
                        "SEVERE The counter was rolled back: scope App1, name invoice"),
                log);
    }

    @Test
    void aLineAMinuteForEachSequenceAsLongAsCallersMeetIt() {
        meet(TICKET, ProblemType.EXHAUSTED);
        meet(TICKET, ProblemType.EXHAUSTED);
        assertEquals(1, log.size());

        meet(INVOICE, ProblemType.EXHAUSTED);
        assertEquals(2, log.size());

        time.pass(Duration.ofSeconds(59));
        meet(TICKET, ProblemType.EXHAUSTED);
        assertEquals(2, log.size());

        time.pass(Duration.ofSeconds(1));
        meet(TICKET, ProblemType.EXHAUSTED);
        assertEquals(3, log.size());
    }

    @Test
    void problemsThatCallersCanFixRaiseNoAlarm() {
        meet(TICKET, ProblemType.KEY_REUSED);
        alarms.watch(TICKET, () -> new CallResult<>(List.of(), false, 0, 0));
        ProblemException tooMany = new ProblemException(ProblemType.EXHAUSTED, "detail", Map.of("left", 99L));
        alarms.watch(TICKET, () -> new CallResult<>(List.of(Result.refused(tooMany)), false, 0, 0));

        assertEquals(List.of(), log);
    }
}
