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
 * Runs real threads in virtual time. One thread runs at a time, until it waits. The clock moves only when all threads
 * wait, directly to the next event. Work therefore takes no time, and a run is repeatable.
 *
 * <p>A thread whose result arrives runs before the thread that produced the result continues, as if it had its own
 * core. So callers that one write answers call again before the next write is planned.
 *
 * <p>Only the running thread touches the state, except the volatile fields.
 */
final class VirtualTime implements Clock, Executor {
    private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");
    private static final int STUCK_SECONDS = 60;
    private static final Executor THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "virtual time");
        thread.setDaemon(true);
        return thread;
    });

    /** Ends a thread after the run has failed. */
    private static final class Stopped extends Error {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super("stopped", null, false, false);
        }
    }

    private static final class Task {
        private volatile boolean isRunning;
        private volatile Thread thread;
        /** The number of ended waits. A wake-up carries the count of its wait, so that it cannot end a later one. */
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
    /** The number of scheduled events. Only the running thread writes it. */
    private volatile long ordinals;

    private volatile Throwable failure;

    /** Adds a thread. It runs when the threads before it wait. */
    @Override
    public void execute(Runnable work) {
        Task task = new Task();
        alive.add(task);
        ready.add(task);
        THREADS.execute(() -> run(task, work));
    }

    /** Schedules an event, which runs in no thread of the run and must not wait. An event in the past runs at once. */
    void at(long whenNanos, Runnable what) {
        ordinals++;
        events.add(new Event(Math.max(whenNanos, nanos), ordinals, what));
    }

    /**
     * Runs all threads until they have ended. Blocks.
     *
     * @throws IllegalStateException a thread failed, or waits for an event that never happens
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

    /** Returns a task that ends the next wait of the running thread, unless this wait has ended already. */
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

    /** Makes the running thread wait until it is woken. */
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
            // Another thread has failed.
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

    /** Returns the task that runs next; null when the run is over. */
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
