package dev.numera.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.Nth;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.history.History;
import dev.numera.history.ObservedOutcome;
import dev.numera.model.SequenceName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A write that lands at the worst moment: the client has given it up, has read the counter without it, and is about to
 * write again. Meanwhile more callers have come. Were they taken into the second write, the first one would be taken
 * for the proof that it was won.
 */
class LateWriteIT {
    private static final Duration LANDS_AFTER =
            Instance.STORAGE_TIMEOUT.multipliedBy(3).dividedBy(2);
    /** The read is answered in time, but only after the late write has landed. */
    private static final Duration READ_TAKES =
            Instance.STORAGE_TIMEOUT.multipliedBy(4).dividedBy(5);

    private static final int CALLERS = 4;
    private static final Set<RequestKind> WRITES = Set.of(RequestKind.CONDITIONAL_WRITE, RequestKind.TRANSACTION);

    private final RawTables tables = new RawTables(SharedAzurite.connectionString());
    private final FaultProxy proxy = FaultProxy.before(SharedAzurite.ports());
    private final Instance instance = Instance.hasty("a", proxy.connectionString());
    private final Instance other = Instance.patient(SharedAzurite.connectionString());
    private final History history = new History();

    @AfterEach
    void closeProxy() {
        proxy.close();
    }

    @ParameterizedTest
    @EnumSource
    void callMeanwhileIsNotTakenForWritten(Promise promise) throws Exception {
        SequenceName template = promise.defineTemplate(other, "late-write", 1);
        SequenceName sequence = new SequenceName("fault", template.name());
        requireNumbers(instance, promise, sequence, "first");
        proxy.inject(Fault.forwardedLate(LANDS_AFTER), new Nth(WRITES, "", 1, 1));
        proxy.inject(Fault.answeredLate(READ_TAKES), Nth.of(RequestKind.READ, 1).onPath("RowKey='counter'"));
        proxy.traffic().forget();

        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int number = 0; number < CALLERS; number++) {
            String key = "caller-" + number;
            callers.add(CompletableFuture.runAsync(() -> requireNumbers(instance, promise, sequence, key)));
            // The first caller's write is under way before the others come.
            proxy.traffic().await(WRITES, callers.get(0));
        }
        for (CompletableFuture<Void> caller : callers) {
            caller.get();
        }
        requireNumbers(other, promise, sequence, "from another instance");

        assertEquals(
                2,
                proxy.traffic().faults().size(),
                () -> "Both faults must have been met: " + proxy.traffic().faults());
        promise.requireKept(history.calls(), sequence, tables);
    }

    /** Two numbers never come from a block of one, but are a write of their own. */
    private void requireNumbers(Instance requested, Promise promise, SequenceName sequence, String key) {
        ObservedOutcome outcome = requested.next(history, key, sequence, promise.hasKeys() ? key : null, 2);
        assertInstanceOf(ObservedOutcome.Allocated.class, outcome, key);
    }
}
