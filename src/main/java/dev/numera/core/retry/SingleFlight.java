package dev.numera.core.retry;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a task once for many threads that need its result. The first thread runs the task; the others wait for its
 * result. A result is kept. A failure goes to every waiting thread and is then forgotten, so that the next caller runs
 * the task again. Thread-safe.
 */
public final class SingleFlight<T> {
    private final AtomicReference<@Nullable CompletableFuture<T>> flight = new AtomicReference<>();
    private final Clock time;

    public SingleFlight(Clock time) {
        this.time = time;
    }

    /** Creates an instance whose result is known already. */
    public static <T> SingleFlight<T> landed(T result, Clock time) {
        SingleFlight<T> landed = new SingleFlight<>(time);
        landed.flight.set(CompletableFuture.completedFuture(result));
        return landed;
    }

    /** Returns the result; empty if the task has not succeeded yet. Does not block. */
    public Optional<T> result() {
        CompletableFuture<T> present = flight.get();
        return present != null && present.isDone() && !present.isCompletedExceptionally()
                ? Optional.of(present.join())
                : Optional.empty();
    }

    /**
     * Returns the result. Runs the task unless another thread is running it.
     *
     * @throws RuntimeException the exception of the task, on this thread or another one
     * @throws TimeoutException another thread is running the task and did not finish in time
     */
    public T get(Supplier<T> work, Duration timeout) throws TimeoutException {
        CompletableFuture<T> mine = new CompletableFuture<>();
        CompletableFuture<T> theirs = flight.compareAndExchange(null, mine);
        if (theirs != null) {
            return await(theirs, timeout);
        }
        try {
            T result = work.get();
            mine.complete(result);
            return result;
        } catch (RuntimeException | Error e) {
            flight.set(null);
            mine.completeExceptionally(e);
            throw e;
        }
    }

    /** Forgets the result, so that the next caller computes it again. */
    public void forget() {
        flight.set(null);
    }

    private T await(CompletableFuture<T> theirs, Duration timeout) throws TimeoutException {
        try {
            return time.await(theirs, timeout);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TimeoutException("The thread was interrupted.");
        }
    }
}
