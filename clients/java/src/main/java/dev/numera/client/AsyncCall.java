package dev.numera.client;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A call in a thread of its own, which the cancellation of this future interrupts. */
final class AsyncCall<T> extends CompletableFuture<T> {
    private volatile Thread thread;

    void start(Supplier<? extends T> call) {
        Thread started = new Thread(() -> run(call), "numera-call");
        started.setDaemon(true);
        thread = started;
        started.start();
    }

    private void run(Supplier<? extends T> call) {
        try {
            complete(call.get());
        } catch (RuntimeException | Error e) {
            completeExceptionally(e);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean isCancelled = super.cancel(mayInterruptIfRunning);
        Thread running = thread;
        if (isCancelled && running != null) {
            running.interrupt();
        }
        return isCancelled;
    }
}
