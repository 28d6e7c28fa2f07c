package dev.numera.functions.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.azure.functions.ExecutionContext;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.SequenceName;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.SharedQueues;
import dev.numera.fixtures.SharedQueues.AnswerPart;
import dev.numera.fixtures.proxy.ErrorBody;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.Nth;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.functions.App;
import dev.numera.sequences.definition.Precondition;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Deliveries with an insertion time of the test's choice, and with failures of storage in between, on a real Azurite.
 */
class NumberBatchIT {
    private static final App APP = new App(Map.of("NumeraStorage", SharedAzurite.connectionString()));

    private final ExecutionContext context = mock(ExecutionContext.class);

    @BeforeEach
    void logging() {
        Logger silent = Logger.getAnonymousLogger();
        silent.setLevel(Level.OFF);
        when(context.getLogger()).thenReturn(silent);
    }

    @Test
    void theDayIsThatOfTheInsertionInTheSequencesTimeZone() {
        daily("tokyo", ZoneId.of("Asia/Tokyo"));

        deliver(APP, keys("day-1", "tokyo", List.of("a", "b")), "\"2026-11-21T14:59:59+00:00\"");
        deliver(APP, keys("day-2", "tokyo", List.of("c")), "\"2026-11-21T15:00:00+00:00\"");

        assertEquals(3, nextOn("tokyo", LocalDate.of(2026, 11, 21)));
        assertEquals(2, nextOn("tokyo", LocalDate.of(2026, 11, 22)));
    }

    @Test
    void aCopyThatIsSentOnAnotherDayGetsTheNumbersOfTheFirst() {
        daily("copies", ZoneId.of("UTC"));
        deliver(APP, keys("before", "copies", List.of("x")), "\"2026-11-21T12:00:00+00:00\"");
        deliver(APP, keys("copy", "copies", List.of("a", "b")), "\"2026-11-21T23:59:59+00:00\"");
        deliver(APP, keys("copy", "copies", List.of("a", "b")), "\"2026-11-22T00:00:00+00:00\"");

        List<AnswerPart> answers = SharedQueues.awaitParts("copy", 2);
        assertEquals(List.of(2L, 3L), firsts(answers.get(0)));
        assertEquals(List.of(2L, 3L), firsts(answers.get(1)));
        assertTrue(answers.get(1).allocations().stream()
                .allMatch(allocation -> allocation.get("replayed").booleanValue()));
        assertEquals(1, nextOn("copies", LocalDate.of(2026, 11, 22)));
    }

    /** The copy waited for a slot past midnight. */
    @Test
    void aCopyThatWaitedMeansTheDayOnWhichTheOriginalWasSent() {
        daily("waited", ZoneId.of("Asia/Tokyo"));
        Instant sent = Instant.parse("2026-11-21T14:59:59Z");
        String original = keys("waited", "waited", List.of("a", "b"));

        deliver(APP, Envelope.open(original).copy(sent).orElseThrow(), "\"2026-11-24T08:00:00+00:00\"");

        assertEquals("numbered", SharedQueues.awaitAnswer("waited").status());
        assertEquals(3, nextOn("waited", LocalDate.of(2026, 11, 21)));
    }

    @Test
    void explicitDateBindsTheKeyToItsPeriod() {
        daily("dated", ZoneId.of("UTC"));
        String batch =
                "{\"id\": \"%s\", \"scope\": \"Batches\", \"name\": \"dated\", \"keys\": [\"a\"], \"date\": \"%s\"}";

        deliver(APP, batch.formatted("dated-1", "2020-02-29"), "\"2026-11-21T12:00:00+00:00\"");
        deliver(APP, batch.formatted("dated-2", "2020-03-01"), "\"2026-11-21T12:00:00+00:00\"");

        assertEquals("numbered", SharedQueues.awaitAnswer("dated-1").status());
        assertEquals(2, nextOn("dated", LocalDate.of(2020, 2, 29)));
        assertEquals("key-reused", SharedQueues.awaitAnswer("dated-2").problem());
        SharedQueues.awaitPoison(batch.formatted("dated-2", "2020-03-01"));
    }

    /** Storage fails between the first and the second write of a batch, around midnight. */
    @Test
    void interruptedBatchContinuesInOrderAndInItsPeriod() {
        daily("broken-off", ZoneId.of("UTC"));
        List<String> orders =
                IntStream.range(0, 200).mapToObj(i -> "order-" + i).toList();
        String batch = keys("broken-off", "broken-off", orders);
        try (FaultProxy proxy = FaultProxy.before(SharedAzurite.ports())) {
            App app = new App(Map.of("NumeraStorage", proxy.connectionString(), "Numera_DeadlineMillis", "3000"));
            // The first transaction creates the counter; the second one allocates numbers to 98 keys.
            proxy.inject(
                    Fault.status(503, ErrorBody.JSON), new Nth(Set.of(RequestKind.TRANSACTION), "", 3, Long.MAX_VALUE));

            assertThrows(NumberBatchFunction.NotNow.class, () -> deliver(app, batch, "\"2026-11-21T23:59:59+00:00\""));
            assertEquals(99, nextOn("broken-off", LocalDate.of(2026, 11, 21)));
            assertEquals(List.of(), SharedQueues.unexpectedAnswers("broken-off"));
            proxy.heal();

            deliver(app, batch, "\"2026-11-21T23:59:59+00:00\"");
        }
        AnswerPart answer = SharedQueues.awaitAnswer("broken-off");
        assertEquals("numbered", answer.status());
        assertEquals(
                orders,
                answer.allocations().stream()
                        .map(allocation -> allocation.get("key").textValue())
                        .toList());
        assertEquals(LongStream.rangeClosed(1, 200).boxed().toList(), firsts(answer));
        assertEquals(201, nextOn("broken-off", LocalDate.of(2026, 11, 21)));
    }

    /** Every write is committed, and no answer arrives. */
    @Test
    void lostRepliesNumberNothingTwice() {
        List<String> orders =
                IntStream.range(0, 250).mapToObj(i -> "order-" + i).toList();
        String batch = keys("lost-replies", "lost-replies", orders);
        try (FaultProxy proxy = FaultProxy.before(SharedAzurite.ports())) {
            App app = new App(Map.of("NumeraStorage", proxy.connectionString()));
            proxy.inject(Fault.replyLost(), Nth.every(RequestKind.TRANSACTION));

            deliver(app, batch, "\"2026-11-21T12:00:00+00:00\"");
        }
        assertEquals(LongStream.rangeClosed(1, 250).boxed().toList(), firsts(SharedQueues.awaitAnswer("lost-replies")));
    }

    @Test
    void aStorageAccountThatIsDownIsThrownAndNotRejected() {
        String noServerListens = SharedAzurite.connectionString().replaceAll("127\\.0\\.0\\.1:\\d+", "127.0.0.1:9");
        App app = new App(Map.of("NumeraStorage", noServerListens, "Numera_DeadlineMillis", "200"));

        assertThrows(
                NumberBatchFunction.NotNow.class,
                () -> deliver(app, keys("down", "down", List.of("a")), "\"2026-11-21T12:00:00Z\""));
    }

    private void deliver(App app, String message, String insertionTime) {
        new NumberBatchFunction(app).numberBatch(message, UUID.randomUUID().toString(), "1", insertionTime, context);
    }

    private static void daily(String name, ZoneId timeZone) {
        DefinitionDraft daily = DefinitionDraft.EMPTY
                .with(DefinitionField.RESET_EVERY, ResetEvery.DAY)
                .with(DefinitionField.TIME_ZONE, timeZone.getId());
        APP.sequences().editor().put(new SequenceName("Batches", name), daily, Precondition.ABSENT, ChangeNote.NONE);
    }

    private static long nextOn(String name, LocalDate date) {
        return APP.sequences()
                .states()
                .state(new SequenceName("Batches", name), date)
                .next();
    }

    private static String keys(String id, String name, List<String> keys) {
        return "{\"id\": \"" + id + "\", \"scope\": \"Batches\", \"name\": \"" + name + "\", \"keys\": "
                + keys.stream().collect(Collectors.joining("\", \"", "[\"", "\"]")) + "}";
    }

    private static List<Long> firsts(AnswerPart part) {
        List<Long> firsts = new ArrayList<>();
        for (JsonNode allocation : part.allocations()) {
            firsts.add(allocation.get("first").longValue());
        }
        return firsts;
    }
}
