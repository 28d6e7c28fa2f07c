package dev.numera.core.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.fixtures.TestClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class SingleFlightTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final TestClock time = TestClock.alone();
    private final SingleFlight<String> flight = new SingleFlight<>(time);

    @Test
    void aResultIsKept() throws TimeoutException {
        assertEquals("first", flight.get(() -> "first", LONG));
        assertEquals("first", flight.get(SingleFlightTest::unwanted, LONG));
    }

    @Test
    void aForgottenResultIsComputedAnew() throws TimeoutException {
        flight.get(() -> "first", LONG);
        flight.forget();
        assertEquals("second", flight.get(() -> "second", LONG));
    }

    @Test
    void failureIsReportedAndForgotten() throws TimeoutException {
        IllegalStateException failure = new IllegalStateException("no luck");
        assertSame(failure, assertThrows(IllegalStateException.class, () -> flight.get(throwing(failure), LONG)));
        assertEquals("second", flight.get(() -> "second", LONG));
    }

    @Test
    void errorIsReportedAndForgottenToo() throws TimeoutException {
        LinkageError error = new LinkageError("no luck");
        assertSame(
                error,
                assertThrows(
                        LinkageError.class,
                        () -> flight.get(
                                () -> {
                                    throw error;
                                },
                                LONG)));
        assertEquals("second", flight.get(() -> "second", LONG));
    }

    @Test
    void callDuringTheWorkGivesUpInTime() throws TimeoutException {
        flight.get(
                () -> {
                    assertThrows(TimeoutException.class, () -> flight.get(SingleFlightTest::unwanted, LONG));
                    return "first";
                },
                LONG);
        assertEquals(LONG, Duration.ofNanos(time.nanoTime()));
    }

    @Test
    void aCallerDuringTheWorkGetsItsResult() throws Exception {
        assertEquals("first", joinDuring(() -> "first").get());
    }

    @Test
    void callDuringTheWorkGetsItsFailure() throws Exception {
        IllegalStateException failure = new IllegalStateException("no luck");
        assertSame(
                failure,
                assertThrows(ExecutionException.class, joinDuring(throwing(failure))::get)
                        .getCause());
        Supplier<String> broken = () -> {
            throw new LinkageError("no luck");
        };
        assertSame(
                IllegalStateException.class,
                assertThrows(ExecutionException.class, joinDuring(broken)::get)
                        .getCause()
                        .getClass());
    }

    /** Returns the result of a second thread that arrives while the work is in progress. */
    private static CompletableFuture<String> joinDuring(Supplier<String> work) throws InterruptedException {
        CountDownLatch isUnderWay = new CountDownLatch(1);
        CountDownLatch waits = new CountDownLatch(1);
        TestClock clock = TestClock.standing(TestClock.START);
        clock.duringNextWait(waits::countDown);
        SingleFlight<String> shared = new SingleFlight<>(clock);
        Thread worker = new Thread(() -> {
            try {
                shared.get(
                        () -> {
                            isUnderWay.countDown();
                            awaitUninterrupted(waits);
                            return work.get();
                        },
                        LONG);
            } catch (TimeoutException | RuntimeException | Error e) {
                // The second thread gets the same failure.
            }
        });
        worker.start();
        isUnderWay.await();
        CompletableFuture<String> second = CompletableFuture.supplyAsync(() -> {
            try {
                return shared.get(SingleFlightTest::unwanted, LONG);
            } catch (TimeoutException e) {
                throw new IllegalStateException(e);
            }
        });
        worker.join();
        return second;
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Supplier<String> throwing(RuntimeException failure) {
        return () -> {
            throw failure;
        };
    }

    private static String unwanted() {
        throw new AssertionError("The work was done twice.");
    }
}
