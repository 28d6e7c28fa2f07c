package dev.numera.functions.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.argThat;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.numera.azure.MessageQueue;
import dev.numera.azure.StorageAccount;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.CharacterBudget;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.StoreFailure;
import dev.numera.functions.App;
import dev.numera.functions.Queues;
import dev.numera.sequences.lists.ListWork;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PoisonQueueTest {
    private static final Instant INSERTED = Instant.parse("2026-11-21T10:00:00Z");

    private final App app = mock(App.class);
    private final ListWork batches = mock(ListWork.class);
    private final StorageAccount storage = mock(StorageAccount.class);
    private final MessageQueue queue = mock(MessageQueue.class);
    private final Clock time = mock(Clock.class);
    private final PoisonQueue poison = new PoisonQueue(app, time);
    private Duration passed = Duration.ZERO;

    @BeforeEach
    void wire() {
        when(app.batches()).thenReturn(batches);
        when(app.storage()).thenReturn(storage);
        when(storage.queue(Queues.POISON)).thenReturn(queue);
        when(time.nanoTime()).thenAnswer(call -> passed.toNanos());
        when(batches.foreseen(any(), any(), any())).thenReturn(Optional.empty());
    }

    private void lying(Stream<String> texts) {
        List<MessageQueue.Message> messages = texts.map(
                        text -> new MessageQueue.Message("id", null, text, INSERTED, INSERTED))
                .toList();
        when(queue.peek()).thenReturn(messages);
    }

    private static String batch(String name) {
        return "{\"scope\": \"App1\", \"name\": \"" + name + "\", \"keys\": [\"a\"]}";
    }

    private List<PoisonQueue.Look> look() {
        try (CharacterBudget.Share share = CharacterBudget.OF_THE_PROCESS.open()) {
            return poison.look(share);
        }
    }

    private List<Optional<ProblemType>> problems() {
        return look().stream()
                .map(look -> look.problem().map(problem -> problem.type()))
                .toList();
    }

    /**
     * One failing sequence once hid the messages of all other sequences, and their ids, which an operator needs to drop
     * them.
     */
    @Test
    void failingSequenceHidesNoMessages() {
        when(batches.foreseen(argThat(sequence -> isCalled(sequence, "broken")), any(), any()))
                .thenThrow(new StoreFailure("The row was written by another program.", false, null));
        lying(Stream.of(batch("invoice"), batch("broken"), "no JSON"));

        assertEquals(
                List.of(
                        Optional.empty(),
                        Optional.of(ProblemType.STORAGE_UNAVAILABLE),
                        Optional.of(ProblemType.INVALID_REQUEST)),
                problems());
    }

    /** One message with such a number once hid all other messages, and each of its deliveries failed. */
    @ParameterizedTest
    @MethodSource("dev.numera.json.JsonTest#exponentsOutOfRange")
    void numberOutOfRangeHidesNoMessages(String number) {
        lying(Stream.of(batch("invoice"), "{\"count\": " + number + "}", batch("order")));

        assertEquals(List.of(Optional.empty(), Optional.of(ProblemType.INVALID_REQUEST), Optional.empty()), problems());
    }

    @Test
    void onlyUnderstoodMessagesCanBeRequeued() {
        lying(Stream.of(batch("invoice"), "no JSON", "{\"scope\": \"App1\", \"name\": \"invoice\", \"keys\": 7}"));

        assertEquals(
                List.of(true, false, false),
                look().stream().map(PoisonQueue.Look::canRequeue).toList());
    }

    /** A message with a date does not need the first line, which the app leaves out of it. */
    @Test
    void messageWithAnImpossibleFirstLineCannotBeRequeuedUnlessItHasADate() {
        String line = "{\"insertedAt\": \"2036-11-21T12:40:00Z\"}\n";
        lying(Stream.of(line + batch("invoice"), line + batch("invoice").replace("{", "{\"date\": \"2026-11-21\", ")));

        assertEquals(
                List.of(false, true),
                look().stream().map(PoisonQueue.Look::canRequeue).toList());
    }

    private static boolean isCalled(SequenceName sequence, String name) {
        return sequence != null && sequence.name().equals(name);
    }

    @Test
    void unreadableQueueIsReported() {
        when(queue.peek()).thenThrow(new StoreFailure("The queue is down.", true, null));

        assertThrows(StoreFailure.class, this::look);
    }

    @Test
    void listIsReturnedBeforeItsCallersGiveUpOnSlowStorage() {
        when(batches.foreseen(any(), any(), any())).thenAnswer(call -> {
            passed = passed.plusSeconds(10);
            return Optional.empty();
        });
        lying(Stream.concat(IntStream.range(0, 31).mapToObj(i -> batch("order")), Stream.of("no JSON")));

        List<Optional<ProblemType>> problems = problems();

        assertEquals(32, problems.size());
        assertEquals(List.of(Optional.empty(), Optional.empty()), problems.subList(0, 2));
        assertEquals(
                List.of(Optional.of(ProblemType.STORAGE_UNAVAILABLE)),
                problems.subList(2, 31).stream().distinct().toList());
        assertEquals(Optional.of(ProblemType.INVALID_REQUEST), problems.get(31));
        verify(batches, times(2)).foreseen(any(), any(), any());
    }

    /** The next day starts at 06:00 UTC in the zone that is furthest ahead, +18:00. */
    @Test
    void theDateOfAMessageIsThatOfAnyTimeZone() {
        MessageQueue requests = mock(MessageQueue.class);
        when(storage.queue(Queues.REQUESTS)).thenReturn(requests);
        when(queue.take("id"))
                .thenReturn(Optional.of(new MessageQueue.Message(
                        "id", "receipt", batch("order"), Instant.parse("2026-11-21T06:00:00Z"), INSERTED)));

        poison.putBack("id", LocalDate.parse("2026-11-22"));

        verify(requests).send("{\"date\": \"2026-11-22\", " + batch("order").substring(1));
        assertThrows(ProblemException.class, () -> poison.putBack("id", LocalDate.parse("2026-11-23")));
    }

    @Test
    void aLongIdIsShortened() {
        when(queue.take(any())).thenReturn(Optional.empty());

        ProblemException refused = assertThrows(ProblemException.class, () -> poison.putBack("x".repeat(8_000), null));

        assertTrue(refused.getMessage().length() < 500, refused::getMessage);
    }

    /** The host moves a copy unchanged to the poison queue if the app's process ends during the last delivery. */
    @Test
    void aCopyIsLookedAtAndPutBackAsItsOriginal() {
        Instant sent = Instant.parse("2026-11-01T23:59:59Z");
        String part =
                "{\"upload\":\"0123456789abcdef0123456789abcdef\",\"scope\":\"App1\",\"name\":\"order\",\"part\":2}";
        lying(Stream.of(batch("order"), part)
                .map(text -> Envelope.open(text).copy(sent).orElseThrow()));
        when(app.uploads()).thenReturn(mock());
        MessageQueue requests = mock();
        when(storage.queue(Queues.REQUESTS)).thenReturn(requests);
        when(queue.take("id"))
                .thenReturn(Optional.of(new MessageQueue.Message(
                        "id", "receipt", Envelope.open(part).copy(sent).orElseThrow(), INSERTED, INSERTED)));

        assertEquals(
                List.of(batch("order"), part),
                look().stream().map(PoisonQueue.Look::content).toList());
        poison.putBack("id", null);

        verify(batches).foreseen(any(), any(), eq(sent));
        verify(requests).send(part);
    }
}
