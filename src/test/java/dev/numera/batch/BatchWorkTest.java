package dev.numera.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.numera.counter.KeyedWrite;
import dev.numera.fixtures.PlainNumbers;
import dev.numera.model.Ask;
import dev.numera.model.SequenceName;
import dev.numera.problem.Answer;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.sequence.Numbered;
import dev.numera.sequence.Numbering;
import dev.numera.sequence.Numbers;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BatchWorkTest {
    private static final SequenceName ORDER = new SequenceName("App1", "order");
    private static final Instant SENT = Instant.parse("2026-11-21T23:30:00Z");

    private final Numbering numbering = mock(Numbering.class);
    private final BatchWork batches = new BatchWork(numbering, null);
    private final List<List<String>> asked = new ArrayList<>();
    private long next = 1;

    @Test
    void keysAreRequestedInTheirOrderOneWriteAfterTheOther() {
        answering(this::number);
        List<String> keys = keys(200);

        List<Answered<Ask>> items = batches.number(batch(keys), SENT);

        assertEquals(List.of(keys.subList(0, 98), keys.subList(98, 196), keys.subList(196, 200)), asked);
        assertEquals(keys, items.stream().map(item -> item.asked().key()).toList());
        assertEquals(
                IntStream.rangeClosed(1, 200).mapToObj(Long::valueOf).toList(),
                items.stream().map(item -> item.answer().value().first()).toList());
    }

    @Test
    void longKeysAreRequestedInSmallerWrites() {
        answering(this::number);

        List<String> keys =
                IntStream.range(100, 200).mapToObj(i -> "k".repeat(252) + i).toList();

        batches.number(batch(keys), SENT);

        int reach = KeyedWrite.reach(keys);
        assertTrue(reach < 98);
        assertEquals(List.of(keys.subList(0, reach), keys.subList(reach, 100)), asked);
    }

    @Test
    void differentDatesAreRequestedSeparately() {
        answering(this::number);
        LocalDate first = LocalDate.of(2026, 11, 21);
        LocalDate second = LocalDate.of(2026, 11, 22);

        batches.number(
                new Batch(
                        ORDER,
                        List.of(
                                new Ask("a", 1, first),
                                new Ask("b", 1, first),
                                new Ask("c", 1, second),
                                new Ask("d", 1, null),
                                new Ask("e", 1, first))),
                SENT);

        assertEquals(List.of(List.of("a", "b"), List.of("c"), List.of("d"), List.of("e")), asked);
    }

    @ParameterizedTest
    @EnumSource(
            value = ProblemType.class,
            names = {
                "CONTENTION",
                "OUTCOME_UNKNOWN",
                "OVERLOADED",
                "ROLLED_BACK",
                "STORAGE_UNAVAILABLE",
                "MISCONFIGURED"
            })
    void troubleWithOneKeyBreaksOffBeforeTheNextWrite(ProblemType trouble) {
        answering(ask -> ask.key().equals("key-150") ? problem(trouble) : number(ask));

        ProblemException problem = assertThrows(ProblemException.class, () -> batches.number(batch(keys(300)), SENT));

        assertEquals(trouble, problem.type());
        assertEquals(2, asked.size());
    }

    @Test
    void troubleWithAWholeCallBreaksOffToo() {
        ProblemException overloaded = new ProblemException(ProblemType.OVERLOADED, "later");
        when(numbering.next(any(), any(), any())).thenThrow(overloaded);

        assertSame(overloaded, assertThrows(ProblemException.class, () -> batches.number(batch(keys(1)), SENT)));
    }

    @Test
    void aProblemOfSomeKeysIsTheirsAlone() {
        answering(ask -> ask.key().equals("key-1") ? problem(ProblemType.KEY_REUSED) : number(ask));

        List<Answered<Ask>> items = batches.number(batch(keys(3)), SENT);

        assertEquals(
                List.of(false, true, false),
                items.stream().map(Answered::isRefused).toList());
        assertEquals(ProblemType.KEY_REUSED, items.get(1).answer().problem().type());
    }

    @Test
    void aProblemOfALaterWriteLeavesTheEarlierOnesNumbered() {
        List<Answer<Numbers>> numbered = IntStream.range(0, 98)
                .mapToObj(i -> number(new Ask("key-" + i, 1, null)))
                .toList();
        when(numbering.next(any(), any(), any()))
                .thenReturn(new Numbered(numbered, false, 1, 1))
                .thenThrow(new ProblemException(ProblemType.RETIRED, "gone"));

        List<Answered<Ask>> items = batches.number(batch(keys(100)), SENT);

        assertEquals(98, items.stream().filter(item -> !item.isRefused()).count());
        assertEquals(ProblemType.RETIRED, items.get(99).answer().problem().type());
    }

    @Test
    void aProblemOfEveryKeyIsTheBatchs() {
        answering(ask -> problem(ProblemType.EXHAUSTED));

        ProblemException problem = assertThrows(ProblemException.class, () -> batches.number(batch(keys(100)), SENT));

        assertEquals(ProblemType.EXHAUSTED, problem.type());
        assertEquals(2, asked.size(), "a key of a later write may have its number from an earlier batch");
    }

    private void answering(Function<Ask, Answer<Numbers>> answer) {
        when(numbering.next(eq(ORDER), any(), eq(SENT))).thenAnswer(call -> {
            List<Ask> asks = call.getArgument(1);
            asked.add(asks.stream().map(Ask::key).toList());
            return new Numbered(asks.stream().map(answer).toList(), false, 1, 1);
        });
    }

    private Answer<Numbers> number(Ask ask) {
        return Answer.of(PlainNumbers.of(ask.key(), next, next++, 1, 1, null, false));
    }

    private static Answer<Numbers> problem(ProblemType type) {
        return Answer.refused(new ProblemException(type, "because"));
    }

    private static Batch batch(List<String> keys) {
        return Batch.of(ORDER, keys, 1, null, false);
    }

    private static List<String> keys(int count) {
        return IntStream.range(0, count).mapToObj(i -> "key-" + i).toList();
    }
}
