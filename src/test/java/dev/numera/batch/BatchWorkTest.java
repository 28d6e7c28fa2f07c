package dev.numera.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.numera.counter.Transaction;
import dev.numera.fixtures.PlainNumbers;
import dev.numera.model.Answers;
import dev.numera.model.SequenceName;
import dev.numera.model.Take;
import dev.numera.problem.Answer;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.sequence.Numbering;
import dev.numera.sequence.Numbers;
import java.time.Instant;
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
    private final List<List<String>> requested = new ArrayList<>();
    private long next = 1;

    @Test
    void keysAreRequestedInTheirOrderOneWriteAfterTheOther() {
        answering(this::number);
        List<String> keys = keys(200);

        List<Answered<Take>> items = batches.number(ORDER, batch(keys), SENT);

        assertEquals(List.of(keys.subList(0, 98), keys.subList(98, 196), keys.subList(196, 200)), requested);
        assertEquals(keys, items.stream().map(item -> item.requested().key()).toList());
        assertEquals(
                IntStream.rangeClosed(1, 200).mapToObj(Long::valueOf).toList(),
                items.stream().map(item -> item.answer().value().first()).toList());
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
    void failureOfOneKeyEndsTheBatchBeforeTheNextWrite(ProblemType failure) {
        answering(take -> take.key().equals("key-150") ? problem(failure) : number(take));

        ProblemException problem =
                assertThrows(ProblemException.class, () -> batches.number(ORDER, batch(keys(300)), SENT));

        assertEquals(failure, problem.type());
        assertEquals(2, requested.size());
    }

    @Test
    void failureOfAWholeCallEndsTheBatch() {
        ProblemException overloaded = new ProblemException(ProblemType.OVERLOADED, "later");
        when(numbering.next(any(), any(), any())).thenThrow(overloaded);

        assertSame(overloaded, assertThrows(ProblemException.class, () -> batches.number(ORDER, batch(keys(1)), SENT)));
    }

    @Test
    void problemOfSomeKeysLeavesTheOthersNumbered() {
        answering(take -> take.key().equals("key-1") ? problem(ProblemType.KEY_REUSED) : number(take));

        List<Answered<Take>> items = batches.number(ORDER, batch(keys(3)), SENT);

        assertEquals(
                List.of(false, true, false),
                items.stream().map(Answered::isRefused).toList());
        assertEquals(ProblemType.KEY_REUSED, items.get(1).answer().problem().type());
    }

    @Test
    void aProblemOfALaterWriteLeavesTheEarlierOnesNumbered() {
        List<Answer<Numbers>> numbered = IntStream.range(0, 98)
                .mapToObj(i -> number(new Take("key-" + i, 1, null)))
                .toList();
        when(numbering.next(any(), any(), any()))
                .thenReturn(new Answers<>(numbered, false, 1, 1))
                .thenThrow(new ProblemException(ProblemType.RETIRED, "gone"));

        List<Answered<Take>> items = batches.number(ORDER, batch(keys(100)), SENT);

        assertEquals(98, items.stream().filter(item -> !item.isRefused()).count());
        assertEquals(ProblemType.RETIRED, items.get(99).answer().problem().type());
    }

    @Test
    void problemOfEveryKeyIsThatOfTheBatch() {
        answering(take -> problem(ProblemType.EXHAUSTED));

        ProblemException problem =
                assertThrows(ProblemException.class, () -> batches.number(ORDER, batch(keys(100)), SENT));

        assertEquals(ProblemType.EXHAUSTED, problem.type());
        assertEquals(2, requested.size(), "a key of a later write may have its number from an earlier batch");
    }

    private void answering(Function<Take, Answer<Numbers>> answer) {
        when(numbering.next(eq(ORDER), any(), eq(SENT))).thenAnswer(call -> {
            List<Take> open = call.getArgument(1);
            List<Take> takes = open.subList(0, Transaction.reach(open));
            requested.add(takes.stream().map(Take::key).toList());
            return new Answers<>(takes.stream().map(answer).toList(), false, 1, 1);
        });
    }

    private Answer<Numbers> number(Take take) {
        return Answer.of(PlainNumbers.of(take.key(), next, next++, 1, 1, null, false));
    }

    private static Answer<Numbers> problem(ProblemType type) {
        return Answer.refused(new ProblemException(type, "because"));
    }

    private static List<Take> batch(List<String> keys) {
        return Take.ofEach(keys, 1, null, false);
    }

    private static List<String> keys(int count) {
        return IntStream.range(0, count).mapToObj(i -> "key-" + i).toList();
    }
}
