package dev.numera.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.azure.StorageAccount;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.TestAccount;
import dev.numera.fixtures.TestLimits;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.Nth;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.functions.App;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.definition.Precondition;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.Uploads;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Holds the requests of one sick sequence so that they never reach storage. Meanwhile calls for another sequence are
 * answered, and calls for the sick one fill no more than its bound. Nothing is measured in time: held requests stay
 * held until the assertions are done.
 */
class BulkheadIT {
    private static final int MAX_WAITING = 20;
    private static final int HEALTHY_CALLS = 40;
    /** Far longer than a test; the storage client and the calls wait longer still. */
    private static final Duration HELD = Duration.ofMinutes(2);

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final long POLLING_NANOS = Duration.ofMillis(5).toNanos();
    private static final TestLimits LIMITS =
            TestLimits.DEFAULT.withDeadline(PATIENCE).withMaxWaitingCalls(MAX_WAITING);

    private final FaultProxy proxy = FaultProxy.before(SharedAzurite.ports());
    private final Sequences sequences = sequences();
    private final ExecutorService callers = Executors.newCachedThreadPool(BulkheadIT::daemon);
    private final SequenceName sick = new SequenceName("sick", UUID.randomUUID().toString());
    private final SequenceName healthy =
            new SequenceName("healthy", UUID.randomUUID().toString());

    private Sequences sequences() {
        StorageAccount account = TestAccount.at(proxy.connectionString(), PATIENCE);
        account.createTables();
        return TestSequences.over(account).with(LIMITS).start();
    }

    private static Thread daemon(Runnable call) {
        Thread thread = new Thread(call, "caller");
        thread.setDaemon(true);
        return thread;
    }

    @BeforeEach
    void openTheHealthyOne() {
        next(healthy, keys("known", 2));
    }

    /** Breaks the connections, and with them the requests that are still held. */
    @AfterEach
    void breakOff() {
        proxy.close();
        callers.shutdownNow();
    }

    private CallResult<PrintedAllocation> next(SequenceName sequence, List<NumberRequest> requests) {
        return sequences.allocator().next(sequence, requests);
    }

    private static List<NumberRequest> keys(String prefix, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new NumberRequest(prefix + "-" + i, 1, null))
                .toList();
    }

    /** @param row the beginning of a row key in the sick sequence's partition */
    private void hold(RequestKind kind, String row) {
        proxy.traffic().forget();
        proxy.inject(Fault.forwardedLate(HELD), Nth.every(kind).onPath(sick.name() + "',RowKey='" + row));
    }

    private void awaitHeld(int requests) {
        while (proxy.traffic().faults().values().stream()
                        .mapToLong(Long::longValue)
                        .sum()
                < requests) {
            LockSupport.parkNanos(POLLING_NANOS);
        }
    }

    private Future<?> call(Runnable call) {
        return callers.submit(call);
    }

    /** Requires that numbers, replays and new sequences are served while each call of the sick sequence still waits. */
    private void requireHealthyWhile(List<Future<?>> held) {
        for (int call = 0; call < HEALTHY_CALLS; call++) {
            next(healthy, List.of(new NumberRequest(null, 1, null)))
                    .results()
                    .get(0)
                    .orThrow();
        }
        next(healthy, keys("known", 2))
                .results()
                .forEach(result -> assertTrue(result.orThrow().replayed()));
        next(new SequenceName("healthy", UUID.randomUUID().toString()), keys("new", 2))
                .results()
                .forEach(Result::orThrow);
        held.forEach(call -> assertFalse(call.isDone(), "a call that was to be held came back: it was no hindrance"));
    }

    /**
     * All lookups once shared sixteen threads: two keys of another sequence waited for the deadline of these lookups.
     */
    @Test
    void keysThatCannotBeLookedUpHinderOnlyTheirSequence() {
        next(sick, keys("known", 98)).results().forEach(Result::orThrow);
        hold(RequestKind.READ, "key");
        List<Future<?>> held = List.of(
                call(() -> next(sick, keys("known", 98))),
                call(() -> sequences.ledger().find(sick, "known-1")));
        awaitHeld(17);

        requireHealthyWhile(held);
    }

    /** A storage request that a call for a sequence may wait for. */
    private enum Waiting {
        DEFINITION(RequestKind.READ, "definition", null),
        COUNTER(RequestKind.READ, "counter", Guarantee.STRICT),
        WRITE(RequestKind.CONDITIONAL_WRITE, "counter", Guarantee.STRICT),
        BLOCK(RequestKind.CONDITIONAL_WRITE, "counter", Guarantee.CACHED);

        private final RequestKind held;
        private final String row;
        private final Guarantee guarantee;

        /**
         * @param guarantee the guarantee of a sequence that is in use already; null if not even its definition is known
         */
        Waiting(RequestKind held, String row, Guarantee guarantee) {
            this.held = held;
            this.row = row;
            this.guarantee = guarantee;
        }
    }

    /**
     * Waiting for an unknown definition or a cached block once counted as no call, so one sequence filled the instance.
     */
    @ParameterizedTest
    @EnumSource
    void callsWaitingForAFailingSequenceAreCounted(Waiting waiting) {
        begin(waiting);
        hold(waiting.held, waiting.row);
        if (waiting == Waiting.BLOCK) {
            // Takes a number from the current block; the next block is requested, and its request is held.
            take(waiting);
        }
        List<Future<?>> calls = IntStream.rangeClosed(0, MAX_WAITING)
                .<Future<?>>mapToObj(i -> call(() -> take(waiting)))
                .toList();
        Future<?> refused = awaitOne(calls);
        List<Future<?>> held = calls.stream().filter(call -> call != refused).toList();

        requireOverloaded(refused);
        requireHealthyWhile(held);
        for (int call = 0; call < HEALTHY_CALLS; call++) {
            requireOverloaded(call(() -> take(waiting)));
            requireOverloaded(call(() -> sequences.ledger().find(sick, "key")));
        }
        requireHealthyWhile(held);
    }

    private void begin(Waiting waiting) {
        if (waiting.guarantee == null) {
            return;
        }
        DefinitionDraft draft = DefinitionDraft.EMPTY
                .with(DefinitionField.GUARANTEE, waiting.guarantee)
                .with(DefinitionField.CACHE_SIZE, 1);
        sequences.editor().put(sick, draft, Precondition.ABSENT, ChangeNote.NONE);
        next(sick, List.of(new NumberRequest(null, 1, null)));
        while (waiting == Waiting.BLOCK && sequences.states().state(sick, null).next() < 3) {
            // The instance fetches the second block in the background.
            LockSupport.parkNanos(POLLING_NANOS);
        }
    }

    private void take(Waiting waiting) {
        if (waiting == Waiting.COUNTER) {
            sequences.states().state(sick, null);
        } else {
            next(sick, List.of(new NumberRequest(null, 1, null)));
        }
    }

    /** The kinds of calls for an upload. Each of them first looks the upload up. */
    private enum UploadCall {
        ACCEPTED {
            @Override
            void call(Uploads uploads, Upload.Id id) {
                uploads.accept(id, "fingerprint", () -> new Upload.Content(LAYOUT, List.of(List.of("a"))), null);
            }
        },
        NUMBERED {
            @Override
            void call(Uploads uploads, Upload.Id id) {
                uploads.work(id, 1);
            }
        },
        FORESEEN {
            @Override
            void call(Uploads uploads, Upload.Id id) {
                uploads.foreseen(id, 1);
            }
        };

        private static final ListColumns LAYOUT = ListColumns.ofKeys(null, 1);

        abstract void call(Uploads uploads, Upload.Id id);
    }

    /**
     * Uploads once counted as no calls: the uploads of one sequence filled the instance, and even a number from memory
     * had to wait.
     */
    @ParameterizedTest
    @EnumSource
    void uploadCallsWaitingForAFailingSequenceAreCounted(UploadCall kind) {
        App app = appOverTheProxy();
        SequenceName cached = new SequenceName("healthy", UUID.randomUUID().toString());
        DefinitionDraft draft = DefinitionDraft.EMPTY.with(DefinitionField.GUARANTEE, Guarantee.CACHED);
        app.sequences().editor().put(cached, draft, Precondition.ABSENT, ChangeNote.NONE);
        proxy.inject(Fault.forwardedLate(HELD), Nth.every(RequestKind.READ).onPath(sick.name()));
        List<Future<?>> calls = IntStream.rangeClosed(0, MAX_WAITING)
                .<Future<?>>mapToObj(i -> call(() -> kind.call(app.uploads(), newUpload(sick))))
                .toList();
        Future<?> refused = awaitOne(calls);

        requireOverloaded(refused);
        requireOverloaded(call(() -> app.sequences()
                .allocator()
                .next(sick, List.of(new NumberRequest("a", 1, null)))
                .results()
                .get(0)
                .orThrow()));
        app.sequences()
                .allocator()
                .next(cached, List.of(new NumberRequest(null, 1, null)))
                .results()
                .get(0)
                .orThrow();
        UploadCall.ACCEPTED.call(app.uploads(), newUpload(cached));
        calls.stream()
                .filter(call -> call != refused)
                .forEach(call -> assertFalse(call.isDone(), "a call that was to be held came back"));
    }

    private App appOverTheProxy() {
        return new App(Map.of(
                "NumeraStorage",
                proxy.connectionString(),
                "Numera_MaxWaitingCalls",
                Integer.toString(MAX_WAITING),
                "Numera_StorageTimeoutMillis",
                "30000",
                "Numera_DeadlineMillis",
                "200000"));
    }

    private static Upload.Id newUpload(SequenceName sequence) {
        return Upload.Id.random(sequence, Upload.Kind.BATCH);
    }

    private static Future<?> awaitOne(List<Future<?>> calls) {
        while (true) {
            for (Future<?> call : calls) {
                if (call.isDone()) {
                    return call;
                }
            }
            LockSupport.parkNanos(POLLING_NANOS);
        }
    }

    private static void requireOverloaded(Future<?> call) {
        Throwable thrown = assertThrows(ExecutionException.class, call::get).getCause();
        assertEquals(
                ProblemType.OVERLOADED,
                assertInstanceOf(ProblemException.class, thrown).type());
    }
}
