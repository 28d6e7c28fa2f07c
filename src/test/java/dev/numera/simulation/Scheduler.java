package dev.numera.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Real threads that take turns. One thread runs at a time, and at each step the seed alone decides which one runs next,
 * so that the same seed repeats the same run. The clock is virtual: it moves a little with every step, and jumps to the
 * next wake-up when the seed says so or when all tasks sleep. An event without a certain time, such as a request that
 * arrives late, happens at any step.
 *
 * <p>A process is named by a string. A killed process runs no further tasks. A paused process stops for minutes between
 * any two of its steps, while the other processes run and the clock moves.
 *
 * <p>Only the running task touches the state, except for the tokens.
 */
final class Scheduler {
    /** Ends a task whose process is dead. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("killed", null, false, false);
        }
    }

    private static final int STEPS_MAX = 200_000;
    private static final int STEP_NANOS_MAX = 1_000_000;
    private static final int STUCK_SECONDS = 60;
    private static final int READY_WEIGHT = 12;
    private static final int EVENT_WEIGHT = 3;
    private static final int PAUSE_STEPS_MAX = 300;

    /** A thread of a process. */
    private static final class Task {
        private final String process;
        private final String name;
        private volatile boolean isRunning;
        private volatile Thread thread;
        private long wakeNanos;
        private int waits;

        Task(String process, String name) {
            this.process = process;
            this.name = name;
        }
    }

    /** An action without a task, which happens once the clock has reached a time. */
    private record Event(long notBeforeNanos, Runnable what) {}

    private final Executor threads;
    private final SplittableRandom random;
    private final Trace trace;
    private final List<Task> ready = new ArrayList<>();
    private final List<Task> asleep = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private final Set<String> killed = new HashSet<>();
    /** The tasks of each paused process that could run. */
    private final Map<String, List<Task>> paused = new HashMap<>();
    /** The actions for certain steps. */
    private final TreeMap<Integer, List<Runnable>> planned = new TreeMap<>();

    private CountDownLatch over;
    private Task running;
    private int steps;
    private long nanos;
    private long ticks;
    private double pauseRate;
    private long longestLeapNanos = Long.MAX_VALUE;
    private volatile Throwable failure;

    /** @param trace records the events; null for no records */
    Scheduler(long seed, Executor threads, Trace trace) {
        this.random = new SplittableRandom(seed);
        this.threads = threads;
        this.trace = trace;
    }

    SplittableRandom random() {
        return random;
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** Returns a number that grows with each call and so orders the records. */
    long tick() {
        ticks++;
        return ticks;
    }

    /** Returns the true time, in nanoseconds since the start of the run. */
    long nanos() {
        return nanos;
    }

    void trace(Supplier<String> what) {
        if (trace != null && failure == null) {
            trace.all().add(line(what));
        }
    }

    /** Records a request to a store, or its answer. */
    void traceRequest(Supplier<String> what) {
        if (trace != null && failure == null) {
            String line = line(what);
            trace.all().add(line);
            trace.requests().add(line);
        }
    }

    private String line(Supplier<String> what) {
        return String.format(
                Locale.ROOT,
                "%6d %12.3f ms  %-14s %s",
                steps,
                nanos / 1e6,
                running == null ? "-" : running.name,
                what.get());
    }

    /** Adds a task of a process. */
    void spawn(String process, String name, Runnable work) {
        Task task = new Task(process, name);
        addReady(task);
        threads.execute(() -> run(task, work));
    }

    /** Schedules an action for any later step. */
    void later(Runnable event) {
        later(Duration.ZERO, event);
    }

    /** Schedules an action for any step after the duration. */
    void later(Duration atLeast, Runnable event) {
        events.add(new Event(nanos + atLeast.toNanos(), event));
    }

    /** Schedules an action for a certain step. */
    void at(int step, Runnable event) {
        planned.computeIfAbsent(step, missing -> new ArrayList<>()).add(event);
    }

    /** Makes all processes idle for the duration, at a certain step. */
    void leapAt(int step, Duration duration) {
        at(step, () -> {
            trace(() -> "nothing runs for " + duration);
            nanos += duration.toNanos();
        });
    }

    /** Sets the probability that a process pauses for minutes at one of its steps. */
    void pauseAtSteps(double rate) {
        pauseRate = rate;
    }

    /** Limits how far the clock may move in one step while a task could run, that is, how long tasks are delayed. */
    void delayTasksAtMost(Duration longest) {
        longestLeapNanos = longest.toNanos();
    }

    /** Kills the process: none of its tasks runs from now on. */
    void kill(String process) {
        killed.add(process);
        resume(process);
        asleep.stream().filter(task -> task.process.equals(process)).toList().forEach(this::wake);
    }

    boolean isKilled(String process) {
        return killed.contains(process);
    }

    /** Stops all tasks of a process for a period of true time, while the other processes run. */
    private void pause(String process, Duration duration) {
        if (paused.containsKey(process) || isKilled(process)) {
            return;
        }
        trace(() -> process + " pauses for " + duration);
        List<Task> waiting = new ArrayList<>(
                ready.stream().filter(task -> task.process.equals(process)).toList());
        ready.removeAll(waiting);
        paused.put(process, waiting);
        int leap = steps + 1 + random.nextInt(PAUSE_STEPS_MAX);
        long until = nanos + duration.toNanos();
        at(leap, () -> nanos = Math.max(nanos, until));
        at(leap + random.nextInt(PAUSE_STEPS_MAX), () -> resume(process));
    }

    private void resume(String process) {
        List<Task> waiting = paused.remove(process);
        if (waiting != null) {
            trace(() -> process + " goes on");
            ready.addAll(waiting);
        }
    }

    /**
     * Runs until all tasks have ended and no event is left. Throws the failure of a task, or an error that names the
     * tasks that hang.
     */
    void run() {
        over = new CountDownLatch(1);
        Task first = next();
        if (first != null) {
            turnTo(first);
            awaitEnd();
        }
        if (failure != null) {
            throw new AssertionError(failure.getMessage(), failure);
        }
    }

    /** Ends a step of the caller; other tasks may run before it continues. */
    void step() {
        addReady(running);
        if (pauseRate > 0 && chance(pauseRate)) {
            pause(running.process, Duration.ofMillis(500 + random.nextInt(180_000)));
        }
        yieldTurn();
    }

    void sleep(Duration duration) {
        fallAsleep(duration);
        yieldTurn();
    }

    /** Waits for a result. Throws TimeoutException if the result does not arrive in time. */
    <T> void await(CompletableFuture<T> result, Duration atMost) throws TimeoutException {
        if (!result.isDone()) {
            Task waiter = running;
            int wait = fallAsleep(atMost);
            result.whenComplete((value, problem) -> {
                if (waiter.waits == wait) {
                    wake(waiter);
                }
            });
            yieldTurn();
        }
        if (!result.isDone()) {
            throw new TimeoutException();
        }
    }

    private int fallAsleep(Duration duration) {
        running.wakeNanos = nanos + duration.toNanos();
        asleep.add(running);
        running.waits++;
        return running.waits;
    }

    private void wake(Task sleeper) {
        if (asleep.remove(sleeper)) {
            addReady(sleeper);
        }
    }

    private void addReady(Task task) {
        paused.getOrDefault(task.process, ready).add(task);
    }

    private void run(Task task, Runnable work) {
        task.thread = Thread.currentThread();
        try {
            awaitTurn(task);
            work.run();
        } catch (Killed e) {
            // The task ends because its process is dead.
        } catch (Throwable e) {
            fail(e);
        }
        Task next = failure == null ? next() : null;
        if (next != null) {
            turnTo(next);
        }
    }

    private void yieldTurn() {
        if (failure != null) {
            throw new Killed();
        }
        Task me = running;
        Task next = next();
        if (next != me) {
            if (next != null) {
                turnTo(next);
            }
            awaitTurn(me);
        } else {
            running = me;
            requireAlive(me);
        }
    }

    private void turnTo(Task next) {
        running = next;
        next.isRunning = true;
        LockSupport.unpark(next.thread);
    }

    private void awaitTurn(Task me) {
        while (!me.isRunning && failure == null) {
            LockSupport.park(this);
        }
        me.isRunning = false;
        requireAlive(me);
    }

    private void requireAlive(Task me) {
        if (failure != null || isKilled(me.process)) {
            throw new Killed();
        }
    }

    /** Chooses the task that runs next; returns null when the run is over. */
    private Task next() {
        while (true) {
            steps++;
            nanos += random.nextInt(STEP_NANOS_MAX);
            while (!planned.isEmpty() && planned.firstKey() <= steps) {
                planned.pollFirstEntry().getValue().forEach(Runnable::run);
            }
            wakeUntil(nanos);
            if (steps > STEPS_MAX) {
                return fail(new AssertionError("It does not come to an end. " + remaining()));
            }
            List<Event> due = events.stream()
                    .filter(event -> event.notBeforeNanos <= nanos)
                    .toList();
            int readyWeight = ready.size() * READY_WEIGHT;
            int eventWeight = due.size() * EVENT_WEIGHT;
            boolean mayLeap = !asleep.isEmpty() && (ready.isEmpty() || nextWaking() - nanos <= longestLeapNanos);
            int all = readyWeight + eventWeight + (mayLeap ? 1 : 0);
            if (all > 0) {
                int chosen = random.nextInt(all);
                if (chosen < readyWeight) {
                    return ready.remove(chosen / READY_WEIGHT);
                }
                if (chosen < readyWeight + eventWeight) {
                    Event event = due.get((chosen - readyWeight) / EVENT_WEIGHT);
                    events.remove(event);
                    event.what.run();
                } else {
                    wakeUntil(nextWaking());
                }
            } else if (!paused.isEmpty()) {
                steps = Math.max(steps, planned.firstKey() - 1);
            } else if (!events.isEmpty()) {
                nanos = events.stream().mapToLong(Event::notBeforeNanos).min().orElseThrow();
            } else {
                planned.clear();
                over.countDown();
                return null;
            }
        }
    }

    private long nextWaking() {
        return asleep.stream().mapToLong(task -> task.wakeNanos).min().orElseThrow();
    }

    private void wakeUntil(long until) {
        for (int sleeper = asleep.size() - 1; sleeper >= 0; sleeper--) {
            if (asleep.get(sleeper).wakeNanos <= until) {
                nanos = Math.max(nanos, asleep.get(sleeper).wakeNanos);
                addReady(asleep.remove(sleeper));
            }
        }
    }

    private Task fail(Throwable what) {
        if (failure != null) {
            // The task that ran has informed the other tasks, which end.
            return null;
        }
        failure = what;
        Stream.of(ready.stream(), asleep.stream(), paused.values().stream().flatMap(List::stream))
                .flatMap(tasks -> tasks)
                .toList()
                .forEach(task -> LockSupport.unpark(task.thread));
        over.countDown();
        return null;
    }

    private String remaining() {
        return "Ready: " + ready.stream().map(task -> task.name).toList() + ", asleep: "
                + asleep.stream().map(task -> task.name).toList() + ", paused: " + paused.keySet();
    }

    private void awaitEnd() {
        try {
            if (!over.await(STUCK_SECONDS, TimeUnit.SECONDS)) {
                fail(new AssertionError(
                        running.name + " waits for something that the scheduler does not know. " + remaining()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
