package dev.numera.sequence;

import dev.numera.counter.Timekeeper;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** For one thread: what is not there when it is waited for will never come. */
abstract class SequentialTime implements Timekeeper {
    @Override
    public final <T> T await(CompletableFuture<T> result, Duration atMost)
            throws ExecutionException, TimeoutException, InterruptedException {
        if (!result.isDone()) {
            throw new TimeoutException();
        }
        return result.get();
    }
}
