package dev.numera.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.model.SequenceName;
import dev.numera.core.retry.Clock;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.TestAccount;
import dev.numera.fixtures.TestLimits;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.Nth;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.maintain.history.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A write that lands at the worst moment: its instance has given up on it, has read the counter without it, and is
 * about to write again. More callers have arrived meanwhile. If they joined the second write, the instance would take
 * the first write for proof that the second one was won.
 */
class LateWriteIT {
    /** The request timeout, long enough for the requests without a fault on a busy machine. */
    private static final Duration GIVEN_UP_AFTER = Duration.ofSeconds(3);

    private static final TestLimits LIMITS =
            Instance.LIMITS.withRequestTimeout(GIVEN_UP_AFTER).withDeadline(Duration.ofMinutes(1));
    private static final long LOOKS_EVERY_NANOS = 1_000_000;
    private static final int CALLERS = 4;
    private static final Set<RequestKind> WRITES = Set.of(RequestKind.CONDITIONAL_WRITE, RequestKind.TRANSACTION);

    private final RawTables tables = new RawTables(SharedAzurite.connectionString());
    private final FaultProxy proxy = FaultProxy.before(SharedAzurite.ports());
    private final Instance instance =
            Instance.over("a", TestAccount.at(proxy.connectionString(), GIVEN_UP_AFTER), LIMITS, Clock.SYSTEM);
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
        proxy.traffic().forget();
        CountDownLatch isRead = new CountDownLatch(1);
        AtomicBoolean hasLanded = new AtomicBoolean();
        proxy.inject(Fault.beatenBy(() -> await(isRead)), new Nth(WRITES, "", 1, 1));
        Fault landsMeanwhile = Fault.answeredAfter(() -> {
            isRead.countDown();
            hasLanded.set(writeLandsInTime());
        });
        proxy.inject(landsMeanwhile, Nth.of(RequestKind.READ, 1).onPath("RowKey='counter'"));

        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int number = 0; number < CALLERS; number++) {
            String key = "caller-" + number;
            callers.add(CompletableFuture.runAsync(() -> requireNumbers(instance, promise, sequence, key)));
            // The first caller's write is in progress before the other callers arrive.
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
        assertTrue(hasLanded.get(), "the late write must land before the read is answered");
        promise.requireKept(history.calls(), sequence, tables);
    }

    /**
     * Requires two numbers at once, because two numbers never come from a block of one: they need a write of their own.
     */
    private void requireNumbers(Instance requested, Promise promise, SequenceName sequence, String key) {
        requested.requireNumbers(history, key, sequence, promise.hasKeys() ? key : null, 2);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(1, TimeUnit.MINUTES), "the counter is read after the write was given up");
        } catch (InterruptedException e) {
            throw new IllegalStateException("The proxy was closed.", e);
        }
    }

    /** Waits until the write lands, for half of the timeout; the other half is for its answer. */
    private boolean writeLandsInTime() {
        long end = System.nanoTime() + GIVEN_UP_AFTER.toNanos() / 2;
        while (isNoWriteForwarded() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(LOOKS_EVERY_NANOS);
        }
        return !isNoWriteForwarded();
    }

    private boolean isNoWriteForwarded() {
        return proxy.traffic().forwarded().stream().noneMatch(request -> WRITES.contains(request.kind()));
    }
}
