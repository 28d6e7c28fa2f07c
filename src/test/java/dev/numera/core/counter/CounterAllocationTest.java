package dev.numera.core.counter;

import static dev.numera.core.counter.ScriptedStore.after;
import static dev.numera.core.counter.ScriptedStore.swallowed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.Series;
import dev.numera.core.retry.WriteResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Allocation without failures, with and without peers. */
class CounterAllocationTest extends CounterFixture {
    @Test
    void theFirstNumberOpensTheCounterAndTheNextIsOneRoundTrip() {
        assertEquals(1, next());
        assertEquals(List.of("read", "write"), store.log);
        store.log.clear();
        assertEquals(2, next());
        assertEquals(List.of("write"), store.log);
        assertEquals(1, terms.reads);
    }

    @Test
    void aCallGetsItsNumbersInOrder() {
        assertEquals(List.of(1L, 4L, 6L), firsts(call(take(null, 3), take("a", 2), take(null, 1))));
        assertEquals(7, next());
    }

    @Test
    void callDuringAWriteSharesTheNextOne() {
        next();
        List<CompletableFuture<CallResult<CounterOutcome>>> waiting = new ArrayList<>();
        store.onWrite(after(() -> IntStream.range(0, 5).forEach(caller -> waiting.add(submit(take(null, 2))))));
        store.log.clear();

        assertEquals(2, next());
        assertEquals(List.of("write", "write"), store.log);
        assertEquals(
                List.of(3L, 5L, 7L, 9L, 11L),
                waiting.stream().map(CounterFixture::first).toList());
    }

    @Test
    void aTransactionHoldsAtMost98Keys() {
        next();
        List<CompletableFuture<CallResult<CounterOutcome>>> waiting = new ArrayList<>();
        store.onWrite(
                after(() -> IntStream.range(0, 120).forEach(caller -> waiting.add(submit(take("key " + caller, 1))))));
        assertEquals(2, first(submit(take(null, 1))));
        assertEquals(
                IntStream.range(0, 120).mapToObj(caller -> caller + 3L).toList(),
                waiting.stream().map(CounterFixture::first).toList());
        assertEquals(98, store.table.rowsFrom(ID, 1, 10).get(0).allocations().size());
    }

    @Test
    void missingVersionIsRead() {
        next();
        store.onWrite(request -> () -> {
            request.get();
            return new WriteResult.Won(null);
        });
        assertEquals(2, next());
        store.log.clear();
        assertEquals(3, next());
        assertEquals(List.of("read", "write"), store.log);
    }

    @Test
    void aCycleBeginsAgain() {
        Series cycle = new Series(8, 1, 1, 10, true);
        define(Guarantee.STRICT, cycle);
        assertEquals(8, next());
        assertEquals(1, allocation(submit(take(null, 5))).first());
        assertEquals(6, next());
    }

    @Test
    void afterALostWriteTheNextAttemptReads() {
        next();
        peerNext();
        store.log.clear();
        CallResult<CounterOutcome> result = call(take(null, 1));
        assertEquals(3, ((Allocation) result.only()).first());
        assertEquals(2, result.attempts());
        assertEquals(List.of("write", "read", "write"), store.log);
    }

    @Test
    void aGroupKeepsItsIdUntilNoWriteOfItCanWinAnyMore() {
        next();
        store.onWrite(swallowed());
        store.onWrite(after(this::peerNext));
        assertEquals(3, next());
        List<String> ids = store.operationIds().subList(1, 4);
        assertEquals(ids.get(0), ids.get(1));
        assertNotEquals(ids.get(1), ids.get(2));
    }

    @Test
    void callAfterALossJoinsUnderTheNewId() {
        next();
        List<CompletableFuture<CallResult<CounterOutcome>>> newcomers = new ArrayList<>();
        store.onWrite(after(() -> {
            peerNext();
            newcomers.add(submit(take(null, 1)));
        }));
        store.log.clear();
        assertEquals(3, next());
        assertEquals(4, first(newcomers.get(0)));
        assertEquals(List.of("write", "read", "write"), store.log);
    }
}
