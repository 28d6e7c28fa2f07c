package dev.numera.bench.virtual;

import dev.numera.core.retry.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Real threads that take turns in a time of their own: one runs at a time, until it waits. The clock moves only when
 * all threads wait, to the next time at which something happens, so work takes no time, and a run repeats itself.
 *
 * <p>A thread whose result arrives runs before the thread that produced the result goes on, as it would on a core of
 * its own. So the callers that one write answers call again before the next write is planned.
 *
 * <p>All state but the tokens is touched only by the thread that runs.
 */
final class VirtualTime implements Clock, Executor {
    private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");
    private static final int STUCK_SECONDS = 60;
    private static final Executor THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "virtual time");
        thread.setDaemon(true);
        return thread;
    });

    /** Ends a thread of a run that failed. */
    private static final class Stopped extends Error {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super("stopped", null, false, false);
        }
    }

    private static final class Task {
        private volatile boolean isRunning;
        private volatile Thread thread;
        /** How often it has waited: what would end an earlier wait ends no later one. */
        private long waits;
    }

    private record Event(long atNanos, long ordinal, Runnable what) {}

    private final Deque<Task> ready = new ArrayDeque<>();
    private final Queue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::ordinal));
    private final Set<Task> alive = ConcurrentHashMap.newKeySet();
    private final CountDownLatch over = new CountDownLatch(1);
    private Task running;
    private long nanos;
    /** Written by the thread whose turn it is. */
    private volatile long ordinals;

    private volatile Throwable failure;

    /** Adds a thread, which runs when those before it wait. */
    @Override
    public void execute(Runnable work) {
        Task task = new Task();
        alive.add(task);
        ready.add(task);
        THREADS.execute(() -> run(task, work));
    }

    /** Happens at a time, in no thread of the run: it may not wait. What is over happens at once. */
    void at(long whenNanos, Runnable what) {
        ordinals++;
        events.add(new Event(Math.max(whenNanos, nanos), ordinals, what));
    }

    /**
     * Runs all threads until they have ended. Blocks.
     *
     * @throws IllegalStateException one of them failed, or waits for what never happens
     */
    void run() {
        turnTo(next());
        try {
            for (long before = -1; !over.await(STUCK_SECONDS, TimeUnit.SECONDS); before = ordinals) {
                if (ordinals == before) {
                    fail(new IllegalStateException("A thread of the run waits for something outside of it."));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            fail(e);
        }
        if (failure != null) {
            throw new IllegalStateException("The run failed: " + failure, failure);
        }
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public Instant now() {
        return START.plusNanos(nanos);
    }

    @Override
    public void sleep(Duration duration) {
        at(nanos + duration.toNanos(), waking());
        block();
    }

    @Override
    public <T> T await(CompletableFuture<T> result, Duration atMost) throws ExecutionException, TimeoutException {
        if (!result.isDone()) {
            at(nanos + atMost.toNanos(), waking());
            Task waiter = running;
            long wait = waiter.waits;
            result.whenComplete((value, problem) -> arrived(waiter, wait));
            block();
        }
        if (!result.isDone()) {
            throw new TimeoutException();
        }
        try {
            return result.get();
        } catch (InterruptedException e) {
            throw new Stopped();
        }
    }

    /** What ends the next wait of the running thread, unless that has ended before. */
    Runnable waking() {
        Task sleeper = running;
        long wait = sleeper.waits;
        return () -> {
            if (sleeper.waits == wait) {
                sleeper.waits++;
                ready.add(sleeper);
            }
        };
    }

    /** The running thread waits until it is woken. */
    void block() {
        Task me = running;
        turnTo(next());
        awaitTurn(me);
    }

    private void arrived(Task waiter, long wait) {
        if (waiter.waits != wait || failure != null) {
            return;
        }
        waiter.waits++;
        ready.addFirst(running);
        ready.addFirst(waiter);
        block();
    }

    private void run(Task task, Runnable work) {
        task.thread = Thread.currentThread();
        try {
            awaitTurn(task);
            work.run();
        } catch (Stopped e) {
            // Another one has failed.
        } catch (Throwable e) {
            fail(e);
        }
        alive.remove(task);
        if (failure == null) {
            turnTo(next());
        }
    }

    private void turnTo(Task next) {
        if (next == null) {
            return;
        }
        running = next;
        next.isRunning = true;
        LockSupport.unpark(next.thread);
    }

    private void awaitTurn(Task me) {
        while (!me.isRunning && failure == null) {
            LockSupport.park(this);
        }
        me.isRunning = false;
        if (failure != null) {
            throw new Stopped();
        }
    }

    /** Who runs next; null when the run is over. */
    private Task next() {
        while (ready.isEmpty()) {
            Event event = events.poll();
            if (event == null || alive.isEmpty()) {
                end();
                return null;
            }
            nanos = event.atNanos;
            event.what.run();
        }
        return ready.poll();
    }

    private void end() {
        if (!alive.isEmpty()) {
            fail(new IllegalStateException(alive.size() + " threads wait for something that never happens."));
        }
        over.countDown();
    }

    private void fail(Throwable what) {
        failure = failure == null ? what : failure;
        alive.forEach(task -> LockSupport.unpark(task.thread));
        over.countDown();
    }
}
