package dev.numera.simulation;

import dev.numera.counter.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Real threads that take turns: one acts at a time, and at each step the seed alone decides who acts next, so that the
 * same seed plays the same piece again. The clock is virtual: it moves a little with every step, and to the next one's
 * waking when the seed says so or when all sleep. What is due at no particular time, like a request that lands late,
 * happens at any step.
 *
 * <p>All state but the tokens is touched only by the one who acts.
 */
final class Stage implements Timekeeper {
    /** The actor's process is dead: whatever it was doing, it does no more. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("killed", null, false, false);
        }
    }

    private static final Instant BEGIN = Instant.parse("2026-11-21T10:00:00Z");
    private static final int STEPS_MAX = 200_000;
    private static final int STEP_NANOS_MAX = 1_000_000;
    private static final int STUCK_SECONDS = 60;
    private static final int READY_WEIGHT = 12;
    private static final int EVENT_WEIGHT = 3;

    /** A thread in a role. */
    private static final class Actor {
        private final Object process;
        private final String name;
        private volatile boolean isOn;
        private volatile Thread thread;
        private long wakeNanos;
        private int waits;

        Actor(Object process, String name) {
            this.process = process;
            this.name = name;
        }
    }

    private final Executor threads;
    private final SplittableRandom random;
    private final List<String> trace;
    private final List<Actor> ready = new ArrayList<>();
    private final List<Actor> asleep = new ArrayList<>();
    private final List<Runnable> events = new ArrayList<>();
    private final List<Object> killed = new ArrayList<>();
    private CountDownLatch over;
    private Actor onStage;
    private int steps;
    private long nanos;
    private long ticks;
    private int interludeStep = Integer.MAX_VALUE;
    private Runnable interlude;
    private volatile Throwable failure;

    /** @param trace what happens is noted there; null for no notes */
    Stage(long seed, Executor threads, List<String> trace) {
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

    /** A number that grows with each call: what is noted before something else has a smaller one. */
    long tick() {
        ticks++;
        return ticks;
    }

    int steps() {
        return steps;
    }

    void note(Supplier<String> what) {
        if (trace != null) {
            trace.add(String.format(
                    "%6d %9.3f ms  %-14s %s", steps, nanos / 1e6, onStage == null ? "-" : onStage.name, what.get()));
        }
    }

    /** Adds somebody who acts for a process. */
    void enter(Object process, String name, Runnable part) {
        Actor actor = new Actor(process, name);
        ready.add(actor);
        threads.execute(() -> act(actor, part));
    }

    /** Something that happens by itself at any later step. */
    void later(Runnable event) {
        events.add(event);
    }

    /** Something that happens once, at a certain step. */
    void at(int step, Runnable event) {
        interludeStep = step;
        interlude = event;
    }

    /** From now on no actor of this process does anything more. */
    void kill(Object process) {
        killed.add(process);
        asleep.stream().filter(actor -> actor.process == process).toList().forEach(this::wake);
    }

    boolean isKilled(Object process) {
        return killed.contains(process);
    }

    /**
     * Plays until all actors have left and nothing is left to happen; throws what one of them threw, or tells who
     * hangs.
     */
    void play() {
        over = new CountDownLatch(1);
        Actor first = next();
        if (first != null) {
            turnTo(first);
            awaitEnd();
        }
        if (failure != null) {
            throw new AssertionError(failure.getMessage(), failure);
        }
    }

    /** Anybody may act before the caller goes on. */
    void step() {
        ready.add(onStage);
        yieldStage();
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public Instant now() {
        return BEGIN.plusNanos(nanos);
    }

    @Override
    public void sleep(Duration duration) {
        fallAsleep(duration);
        yieldStage();
    }

    @Override
    public <T> T await(CompletableFuture<T> result, Duration atMost)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (!result.isDone()) {
            Actor waiter = onStage;
            int wait = fallAsleep(atMost);
            result.whenComplete((value, problem) -> {
                if (waiter.waits == wait) {
                    wake(waiter);
                }
            });
            yieldStage();
        }
        if (!result.isDone()) {
            throw new TimeoutException();
        }
        return result.get();
    }

    private int fallAsleep(Duration duration) {
        onStage.wakeNanos = nanos + duration.toNanos();
        asleep.add(onStage);
        onStage.waits++;
        return onStage.waits;
    }

    private void wake(Actor sleeper) {
        if (asleep.remove(sleeper)) {
            ready.add(sleeper);
        }
    }

    private void act(Actor actor, Runnable part) {
        actor.thread = Thread.currentThread();
        try {
            awaitTurn(actor);
            part.run();
        } catch (Killed e) {
            // Its process is dead.
        } catch (Throwable e) {
            fail(e);
        }
        Actor next = failure == null ? next() : null;
        if (next != null) {
            turnTo(next);
        }
    }

    private void yieldStage() {
        if (failure != null) {
            throw new Killed();
        }
        Actor me = onStage;
        Actor next = next();
        if (next != me) {
            if (next != null) {
                turnTo(next);
            }
            awaitTurn(me);
        } else {
            onStage = me;
            requireAlive(me);
        }
    }

    private void turnTo(Actor next) {
        onStage = next;
        next.isOn = true;
        LockSupport.unpark(next.thread);
    }

    private void awaitTurn(Actor me) {
        while (!me.isOn && failure == null) {
            LockSupport.park(this);
        }
        me.isOn = false;
        requireAlive(me);
    }

    private void requireAlive(Actor me) {
        if (failure != null || isKilled(me.process)) {
            throw new Killed();
        }
    }

    /** Chooses who acts next; null when the play is over. */
    private Actor next() {
        while (true) {
            steps++;
            nanos += random.nextInt(STEP_NANOS_MAX);
            if (steps >= interludeStep) {
                interludeStep = Integer.MAX_VALUE;
                interlude.run();
            }
            wakeUntil(nanos);
            if (steps > STEPS_MAX) {
                return fail(new AssertionError("It does not come to an end. " + whoIsLeft()));
            }
            int readyWeight = ready.size() * READY_WEIGHT;
            int eventWeight = events.size() * EVENT_WEIGHT;
            int all = readyWeight + eventWeight + (asleep.isEmpty() ? 0 : 1);
            if (all == 0) {
                over.countDown();
                return null;
            }
            int chosen = random.nextInt(all);
            if (chosen < readyWeight) {
                return ready.remove(chosen / READY_WEIGHT);
            } else if (chosen < readyWeight + eventWeight) {
                events.remove((chosen - readyWeight) / EVENT_WEIGHT).run();
            } else {
                wakeUntil(asleep.stream()
                        .mapToLong(actor -> actor.wakeNanos)
                        .min()
                        .orElseThrow());
            }
        }
    }

    private void wakeUntil(long until) {
        for (int sleeper = asleep.size() - 1; sleeper >= 0; sleeper--) {
            if (asleep.get(sleeper).wakeNanos <= until) {
                nanos = Math.max(nanos, asleep.get(sleeper).wakeNanos);
                ready.add(asleep.remove(sleeper));
            }
        }
    }

    private Actor fail(Throwable what) {
        if (failure != null) {
            // Whoever was on stage has told the others, who end as they may.
            return null;
        }
        failure = what;
        Stream.concat(ready.stream(), asleep.stream()).toList().forEach(actor -> LockSupport.unpark(actor.thread));
        over.countDown();
        return null;
    }

    private String whoIsLeft() {
        return "Ready: " + ready.stream().map(actor -> actor.name).toList() + ", asleep: "
                + asleep.stream().map(actor -> actor.name).toList();
    }

    private void awaitEnd() {
        try {
            if (!over.await(STUCK_SECONDS, TimeUnit.SECONDS)) {
                fail(new AssertionError(
                        onStage.name + " waits for something that is not on the stage. " + whoIsLeft()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
