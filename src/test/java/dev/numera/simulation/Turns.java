package dev.numera.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Real threads that take turns. One thread runs at a time, up to its next request to a store; then a chooser decides
 * which thread continues, and with which outcome of its request. The same choices repeat the same run. Nothing depends
 * on a clock: see {@link ChosenProcess}.
 *
 * <p>Only the running task touches the state, except for the tokens.
 */
final class Turns {
    /** Ends a task whose process is dead, or whose run is over. */
    static final class TaskStopped extends Error {
        private static final long serialVersionUID = 1L;

        TaskStopped() {
            super("stopped", null, false, false);
        }
    }

    /** Decides which of the possible moves is made. */
    interface Chooser {
        /** The choice that ends the run. */
        int NONE = -1;

        /**
         * Chooses a move.
         *
         * @param faultsLeft how many more faults may follow
         * @return an index, or {@link #NONE}
         */
        int choose(List<PossibleMove> moves, int faultsLeft);
    }

    /** A move that may be made next. */
    static final class PossibleMove {
        private final String name;
        private final boolean isFault;
        private final TurnTask task;
        private final Fate fate;
        private final Runnable effect;

        private PossibleMove(String name, boolean isFault, TurnTask task, Fate fate, Runnable effect) {
            this.name = name;
            this.isFault = isFault;
            this.task = task;
            this.fate = fate;
            this.effect = effect;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static final int STEPS_MAX = 5_000;
    private static final int STUCK_SECONDS = 30;
    private static final ThreadLocal<TurnTask> CURRENT = new ThreadLocal<>();

    /** A thread of a process. */
    static final class TurnTask {
        private final ChosenProcess process;
        private final String name;
        private volatile boolean isRunning;
        private volatile boolean isDead;
        private volatile Thread thread;
        /** The possible outcomes of the request that the task is about to send. */
        private List<Fate> fates = Fate.OF_A_DEFINITION;
        /** The result that the task waits for; null if it waits only for its turn. */
        private CompletableFuture<?> awaited;

        private boolean isAtRequest;
        private Fate fate;
        private Runnable onRequest;
        /** Whether the task has not started, and no other task observes its first step. */
        private boolean isLocal;

        TurnTask(ChosenProcess process, String name, boolean isLocal) {
            this.process = process;
            this.name = name;
            this.isLocal = isLocal;
        }

        boolean isBlocked() {
            return awaited != null && !awaited.isDone();
        }

        private PossibleMove move(Fate chosen) {
            return new PossibleMove(
                    chosen.isFault() ? name + " " + chosen : name, chosen.isFault(), this, chosen, null);
        }

        void addPlain(List<PossibleMove> moves) {
            if (!isBlocked()) {
                moves.add(move(Fate.DONE));
            }
        }

        void addFaults(List<PossibleMove> moves) {
            if (isBlocked()) {
                moves.add(new PossibleMove(name + " gives up", true, this, Fate.UNANSWERED, null));
            } else if (awaited == null) {
                fates.stream().filter(Fate::isFault).map(this::move).forEach(moves::add);
            }
        }

        PossibleMove patienceEnds() {
            return new PossibleMove(name + " gives up", false, this, Fate.UNANSWERED, null);
        }
    }

    /** A write that was sent and may still be done. */
    private record Flight(String name, String what, Runnable effect) {}

    private final Chooser chooser;
    private final Executor threads;
    private final List<String> trace;
    private final Runnable atRest;
    private final List<TurnTask> live = new ArrayList<>();
    private final List<Flight> inFlight = new ArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private int faultsLeft;
    private int steps;
    private long ticks;
    private TurnTask last;
    private volatile boolean isOver;
    private volatile Throwable failure;

    /**
     * @param faults the most faults of the run
     * @param trace records the events; null for no records
     * @param atRest runs whenever no task is left; it runs again after each write in flight that is done later
     */
    Turns(Chooser chooser, int faults, Executor threads, List<String> trace, Runnable atRest) {
        this.chooser = chooser;
        this.faultsLeft = faults;
        this.threads = threads;
        this.trace = trace;
        this.atRest = atRest;
    }

    /** Returns a number that grows with each call. */
    long tick() {
        ticks++;
        return ticks;
    }

    /** Runs until no move is left, or until the chooser ends the run. Throws the failure of a task. */
    void run() {
        advance();
        try {
            if (!over.await(STUCK_SECONDS, TimeUnit.SECONDS)) {
                fail(new AssertionError(last.name + " waits for something that the turns do not know."));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        if (failure != null) {
            throw new AssertionError(failure.getMessage(), failure);
        }
    }

    void trace(Supplier<String> what) {
        if (trace != null && !isOver) {
            trace.add(what.get());
        }
    }

    /**
     * Adds a thread of a process.
     *
     * @param isLocal whether no other task observes the thread before its first request; it then starts at once, and
     *     otherwise at any later step
     */
    void spawn(ChosenProcess process, String name, boolean isLocal, Runnable work) {
        requireAlive();
        TurnTask task = new TurnTask(process, name, isLocal);
        live.add(task);
        threads.execute(() -> run(task, work));
    }

    /** Waits for the current task's turn to send a request; returns the outcome that the request will have. */
    Fate request(List<Fate> fates) {
        TurnTask me = requireAlive();
        me.fates = fates;
        me.awaited = null;
        me.isAtRequest = true;
        Fate fate = pass(me);
        me.isAtRequest = false;
        if (me.onRequest != null) {
            me.onRequest.run();
            me.onRequest = null;
        }
        return fate;
    }

    /** Ends a step of the current task; other tasks may run before it continues. */
    void step() {
        TurnTask me = requireAlive();
        me.fates = Fate.OF_A_DEFINITION;
        me.awaited = null;
        pass(me);
    }

    /** Whether the result arrived before the task gave up. */
    boolean await(CompletableFuture<?> result) {
        TurnTask me = requireAlive();
        if (!result.isDone()) {
            me.awaited = result;
            pass(me);
        }
        return result.isDone();
    }

    /**
     * Sets an action that runs when the current task has its turn with its next request, before the request is done.
     */
    void onRequest(Runnable what) {
        requireAlive().onRequest = what;
    }

    /**
     * Whether another thread of the process is about to send a request. Only then does it matter when the answer to the
     * current request arrives: every other step of the process touches only its memory, so it could as well happen
     * before the request was done.
     */
    boolean isRivaled(ChosenProcess process) {
        TurnTask me = requireAlive();
        return live.stream().anyMatch(task -> task != me && task.process == process && task.isAtRequest);
    }

    /** Adds a write that may be done at any later step, or never. */
    void later(String name, String what, Runnable effect) {
        inFlight.add(new Flight(name, what, effect));
    }

    /** Ends all tasks of the process. The current task must be one of them. */
    void kill(ChosenProcess process, Runnable then) {
        List<TurnTask> ended =
                live.stream().filter(task -> task.process == process).toList();
        live.removeAll(ended);
        process.observes("dies");
        then.run();
        ended.forEach(task -> {
            task.isDead = true;
            LockSupport.unpark(task.thread);
        });
        advance();
        throw new TaskStopped();
    }

    /** Returns descriptions of the writes that may still be done. */
    List<String> inFlight() {
        return inFlight.stream().map(Flight::what).sorted().toList();
    }

    private Fate pass(TurnTask me) {
        last = me;
        advance();
        awaitTurn(me);
        return me.fate;
    }

    /** Ends the current task if it must run no further; otherwise returns it. */
    TurnTask requireAlive() {
        TurnTask me = CURRENT.get();
        if (me != null && (isOver || me.isDead)) {
            throw new TaskStopped();
        }
        return me;
    }

    private void run(TurnTask task, Runnable work) {
        task.thread = Thread.currentThread();
        CURRENT.set(task);
        try {
            awaitTurn(task);
            work.run();
        } catch (TaskStopped e) {
            return;
        } catch (Throwable e) {
            if (!task.isDead) {
                fail(e);
            }
            return;
        } finally {
            CURRENT.remove();
        }
        if (!isOver && !task.isDead) {
            live.remove(task);
            advance();
        }
    }

    private void awaitTurn(TurnTask me) {
        while (!me.isRunning && !isOver && !me.isDead) {
            LockSupport.park(this);
        }
        if (!me.isRunning) {
            throw new TaskStopped();
        }
        me.isRunning = false;
    }

    /** Makes moves until one of them is a task's turn. */
    private void advance() {
        try {
            while (true) {
                steps++;
                List<PossibleMove> moves = moves();
                int chosen = moves.isEmpty() ? Chooser.NONE : chooser.choose(moves, faultsLeft);
                if (chosen == Chooser.NONE || steps > STEPS_MAX) {
                    end(chosen == Chooser.NONE ? null : new AssertionError("It does not come to an end."));
                    return;
                }
                PossibleMove move = moves.get(chosen);
                trace(() -> move.name);
                faultsLeft -= move.isFault ? 1 : 0;
                if (move.task != null) {
                    turnTo(move.task, move.fate);
                    return;
                }
                move.effect.run();
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    private List<PossibleMove> moves() {
        if (live.isEmpty()) {
            atRest.run();
        }
        Optional<TurnTask> local = live.stream().filter(task -> task.isLocal).findFirst();
        if (local.isPresent()) {
            return List.of(local.get().move(Fate.DONE));
        }
        List<PossibleMove> moves = new ArrayList<>();
        if (live.contains(last)) {
            last.addPlain(moves);
        }
        live.stream().filter(task -> task != last).forEach(task -> task.addPlain(moves));
        if (moves.isEmpty()) {
            live.stream().map(TurnTask::patienceEnds).forEach(moves::add);
        }
        inFlight.forEach(flight -> moves.add(new PossibleMove(flight.name, false, null, null, () -> {
            inFlight.remove(flight);
            flight.effect.run();
        })));
        if (faultsLeft > 0) {
            live.forEach(task -> task.addFaults(moves));
        }
        return moves;
    }

    private void turnTo(TurnTask task, Fate fate) {
        task.process.observes(task.name);
        task.fate = fate;
        task.isLocal = false;
        task.isRunning = true;
        LockSupport.unpark(task.thread);
    }

    private void fail(Throwable what) {
        end(what);
    }

    private void end(Throwable why) {
        if (isOver) {
            return;
        }
        failure = why;
        isOver = true;
        live.forEach(task -> LockSupport.unpark(task.thread));
        over.countDown();
    }
}
