package dev.numera.sequences.lists;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.numera.core.counter.Transaction;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.fixtures.PlainNumbers;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.numbering.Allocator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ListWorkTest {
    private static final SequenceName ORDER = new SequenceName("App1", "order");
    private static final Instant SENT = Instant.parse("2026-11-21T23:30:00Z");

    private final Allocator allocator = mock(Allocator.class);
    private final ListWork batches = new ListWork(allocator, null);
    private final List<List<String>> requested = new ArrayList<>();
    private long next = 1;

    @Test
    void keysAreRequestedInTheirOrderOneWriteAfterTheOther() {
        answering(this::number);
        List<String> keys = keys(200);

        List<RowResult<NumberRequest>> items = batches.number(ORDER, batch(keys), SENT);

        assertEquals(List.of(keys.subList(0, 98), keys.subList(98, 196), keys.subList(196, 200)), requested);
        assertEquals(keys, items.stream().map(item -> item.requested().key()).toList());
        assertEquals(
                IntStream.rangeClosed(1, 200).mapToObj(Long::valueOf).toList(),
                items.stream().map(item -> item.result().value().first()).toList());
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
        answering(request -> request.key().equals("key-150") ? problem(failure) : number(request));

        ProblemException problem =
                assertThrows(ProblemException.class, () -> batches.number(ORDER, batch(keys(300)), SENT));

        assertEquals(failure, problem.type());
        assertEquals(2, requested.size());
    }

    @Test
    void failureOfAWholeCallEndsTheBatch() {
        ProblemException overloaded = new ProblemException(ProblemType.OVERLOADED, "later");
        when(allocator.next(any(), any(), any())).thenThrow(overloaded);

        assertSame(overloaded, assertThrows(ProblemException.class, () -> batches.number(ORDER, batch(keys(1)), SENT)));
    }

    @Test
    void problemOfSomeKeysLeavesTheOthersNumbered() {
        answering(request -> request.key().equals("key-1") ? problem(ProblemType.KEY_REUSED) : number(request));

        List<RowResult<NumberRequest>> items = batches.number(ORDER, batch(keys(3)), SENT);

        assertEquals(
                List.of(false, true, false),
                items.stream().map(RowResult::isRefused).toList());
        assertEquals(ProblemType.KEY_REUSED, items.get(1).result().problem().type());
    }

    @Test
    void aProblemOfALaterWriteLeavesTheEarlierOnesNumbered() {
        List<Result<PrintedAllocation>> numbered = IntStream.range(0, 98)
                .mapToObj(i -> number(new NumberRequest("key-" + i, 1, null)))
                .toList();
        when(allocator.next(any(), any(), any()))
                .thenReturn(new CallResult<>(numbered, false, 1, 1))
                .thenThrow(new ProblemException(ProblemType.RETIRED, "gone"));

        List<RowResult<NumberRequest>> items = batches.number(ORDER, batch(keys(100)), SENT);

        assertEquals(98, items.stream().filter(item -> !item.isRefused()).count());
        assertEquals(ProblemType.RETIRED, items.get(99).result().problem().type());
    }

    @Test
    void problemOfEveryKeyIsThatOfTheBatch() {
        answering(request -> problem(ProblemType.EXHAUSTED));

        ProblemException problem =
                assertThrows(ProblemException.class, () -> batches.number(ORDER, batch(keys(100)), SENT));

        assertEquals(ProblemType.EXHAUSTED, problem.type());
        assertEquals(2, requested.size(), "a key of a later write may have its number from an earlier batch");
    }

    private void answering(Function<NumberRequest, Result<PrintedAllocation>> answer) {
        when(allocator.next(eq(ORDER), any(), eq(SENT))).thenAnswer(call -> {
            List<NumberRequest> open = call.getArgument(1);
            List<NumberRequest> requests = open.subList(0, Transaction.countThatFits(open));
            requested.add(requests.stream().map(NumberRequest::key).toList());
            return new CallResult<>(requests.stream().map(answer).toList(), false, 1, 1);
        });
    }

    private Result<PrintedAllocation> number(NumberRequest request) {
        return Result.of(PlainNumbers.of(request.key(), next, next++, 1, 1, null, false));
    }

    private static Result<PrintedAllocation> problem(ProblemType type) {
        return Result.refused(new ProblemException(type, "because"));
    }

    private static List<NumberRequest> batch(List<String> keys) {
        return NumberRequest.ofEach(keys, 1, null, false);
    }

    private static List<String> keys(int count) {
        return IntStream.range(0, count).mapToObj(i -> "key-" + i).toList();
    }
}
