package dev.numera.core.snowflake;

import dev.numera.contract.MemoryWorkerStore;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Several processes that issue ids of one sequence while everything fails, on one thread and from a seed. Clocks differ
 * by up to two minutes and jump, processes pause while they issue or renew, answers and writes are lost or late,
 * storage is down for longer than a lease, rows are lost or set back, and processes are killed and restarted. No id may
 * be issued twice.
 */
final class LeaseSimulation {
    private static final int STEPS = 1_500;
    private static final int PROCESSES = 4;
    private static final int DEEPEST = 3;
    /** The number of workers, small enough that processes compete for them. */
    private static final int NUMBERS = 6;
    /** The most that a clock is ahead of the true time or behind it. */
    private static final int CLOCKS_OFF_MILLIS = 59_900;

    private static final Instant BEGIN = Instant.parse("2026-11-22T12:00:00Z");
    private static final StoreFailure NO_ANSWER = new StoreFailure("No answer.", true, null);

    /** Mistakes that a program could make. */
    enum Defect {
        NOTHING,
        /** Issues ids beyond the bound of the lease. */
        NO_BOUND,
        /** Starts the first id of an owner at its clock. */
        START_AT_CLOCK,
        /** Starts the first id of an owner one lease beyond its clock. */
        START_WITHOUT_MARGIN,
        /** Counts a renewal without an answer as won. */
        UNKNOWN_IS_WON,
        /** Writes a row without a condition. */
        UNCONDITIONAL,
        /** Drops the assumption that rows are lost or set back only when their owners are settled. */
        ROWS_LOST_AT_ANY_TIME
    }

    private final Random random;
    private final Defect wrong;
    private final MemoryWorkerStore rows = new MemoryWorkerStore();
    private final List<Process> processes = new ArrayList<>();
    private final Deque<Runnable> late = new ArrayDeque<>();
    private final Map<Integer, List<WorkerRow>> old = new HashMap<>();
    private final Map<Integer, Long> highest = new HashMap<>();
    private final TreeMap<Long, Long> allocated = new TreeMap<>();
    private long millis;
    private long downUntil;
    private int depth;

    LeaseSimulation(long seed, Defect wrong) {
        this.random = new Random(seed);
        this.wrong = wrong;
    }

    /** Runs all steps and returns how many times ids were issued. */
    int run() {
        for (int number = 0; number < PROCESSES; number++) {
            processes.add(new Process());
        }
        for (int step = 0; step < STEPS; step++) {
            step();
        }
        return allocated.size();
    }

    private void step() {
        pass();
        int number = random.nextInt(PROCESSES);
        Process process = processes.get(number);
        switch (random.nextInt(40)) {
            case 0 -> processes.set(number, new Process());
            case 1 -> process.setClock();
            case 2 -> loseOrSetBack();
            case 3 -> downUntil = random.nextInt(6) == 0 ? millis + random.nextInt(60_000) : downUntil;
            case 4, 5 -> arrive();
            case 6, 7, 8, 9 -> process.stopInTheMiddle();
            case 10, 11, 12, 13 -> process.goOn();
            case 14, 15, 16, 17, 18, 19, 20, 21, 22 -> process.renew();
            default -> process.allocate();
        }
    }

    private void pass() {
        int kind = random.nextInt(150);
        millis += kind >= 100
                ? 0
                : kind == 0 ? random.nextInt(400_000) : kind < 6 ? random.nextInt(40_000) : random.nextInt(1_500);
    }

    private void arrive() {
        if (!late.isEmpty()) {
            late.removeFirst().run();
        }
    }

    private void loseOrSetBack() {
        Lease held = processes.get(random.nextInt(PROCESSES)).holder.held();
        int worker = held == null ? random.nextInt(NUMBERS) : held.worker();
        if (!isSettled(worker) && wrong != Defect.ROWS_LOST_AT_ANY_TIME) {
            return;
        }
        List<WorkerRow> earlier = old.getOrDefault(worker, List.of());
        if (earlier.isEmpty() || random.nextBoolean()) {
            rows.remove(worker);
        } else {
            rows.put(earlier.get(random.nextInt(earlier.size())));
        }
        // Another process starts at once and may take the same number.
        int number = random.nextInt(PROCESSES);
        processes.set(number, new Process());
        processes.get(number).allocate();
    }

    /**
     * Whether the clocks of the worker's owners have caught up with their ids, with the latest clock that is allowed.
     */
    private boolean isSettled(int worker) {
        long latest = IdLayout.tick(BEGIN.plusMillis(millis)) + Lease.CLOCKS_DIFFER / 2 + Lease.TICKS;
        return highest.getOrDefault(worker, -1L) <= latest;
    }

    private void noted(long first, int count) {
        Map.Entry<Long, Long> before = allocated.floorEntry(first + count - 1);
        if (before != null && before.getValue() >= first) {
            throw new AssertionError("Allocated twice: " + first + " to " + (first + count - 1) + ", and "
                    + before.getKey() + " to " + before.getValue());
        }
        allocated.put(first, first + count - 1);
    }

    /** Lets the other processes continue while a request is in progress. */
    private void meanwhile() {
        if (depth < DEEPEST && random.nextInt(12) == 0) {
            depth++;
            for (int steps = random.nextInt(12); steps > 0; steps--) {
                step();
            }
            depth--;
        }
    }

    private final class Process implements Clock, WorkerStore {
        private record Stopped(Lease lease, int count, long now) {}

        private final Generator generator = new Generator();
        private final Leaseholder holder =
                new Leaseholder(this, this, this::fewNumbers, task -> {}, generator::lastTick);
        private final List<Stopped> stopped = new ArrayList<>();
        private long offMillis;
        private boolean isBusy;

        Process() {
            setClock();
        }

        private double fewNumbers() {
            return random.nextInt(NUMBERS) / 128.0;
        }

        void setClock() {
            offMillis = random.nextInt(3) == 0 ? 0 : random.nextInt(2 * CLOCKS_OFF_MILLIS + 1) - CLOCKS_OFF_MILLIS;
        }

        private long tick() {
            return IdLayout.tick(now());
        }

        void renew() {
            if (!isBusy && holder.held() != null) {
                isBusy = true;
                try {
                    holder.renew();
                } catch (ProblemException e) {
                    // The process retries later, as it does in a thread of its own.
                } finally {
                    isBusy = false;
                }
            }
        }

        void allocate() {
            Lease lease = lease(null);
            for (int calls = random.nextInt(random.nextInt(30) == 0 ? 3_000 : 20);
                    calls > 0 && lease != null;
                    calls--) {
                long first = allocated(lease, 1 + random.nextInt(IdLayout.PLACES), tick());
                if (first == Generator.BEYOND_BOUND) {
                    lease = lease(lease);
                } else if (first < 0) {
                    return;
                }
            }
        }

        /** Returns the lease, or null if the process has none now. */
        private Lease lease(Lease useless) {
            Lease held = holder.held();
            if (held != null && held != useless) {
                return held;
            }
            if (isBusy) {
                return null;
            }
            isBusy = true;
            try {
                return holder.another(useless, Deadline.in(Duration.ofSeconds(1), this), new LeaseCost(this));
            } catch (ProblemException e) {
                return null;
            } finally {
                isBusy = false;
            }
        }

        private long allocated(Lease lease, int count, long now) {
            long first = generator.next(misread().apply(lease), count, now);
            if (first >= 0) {
                noted(first, count);
            }
            return first;
        }

        private UnaryOperator<Lease> misread() {
            return switch (wrong) {
                case NO_BOUND -> lease -> with(lease, lease.start(), IdLayout.LAST_TICK);
                case START_AT_CLOCK -> lease -> with(lease, lease.takenAt(), lease.bound());
                case START_WITHOUT_MARGIN -> lease -> with(lease, lease.takenAt() + Lease.TICKS + 1, lease.bound());
                default -> lease -> lease;
            };
        }

        private static Lease with(Lease lease, long start, long bound) {
            return new Lease(
                    lease.worker(), lease.owner(), start, lease.takenAt(), lease.renewedAt(), bound, lease.version());
        }

        /** Stops a thread that has read the lease and the clock. */
        void stopInTheMiddle() {
            Lease held = holder.held();
            if (held != null) {
                stopped.add(new Stopped(held, 1 + random.nextInt(IdLayout.PLACES), tick()));
            }
        }

        void goOn() {
            if (!stopped.isEmpty()) {
                Stopped thread = stopped.remove(random.nextInt(stopped.size()));
                // The thread may have read only the lease when it stopped.
                allocated(thread.lease(), thread.count(), random.nextBoolean() ? thread.now() : tick());
            }
        }

        @Override
        public List<WorkerRow> all() {
            return read(rows::all);
        }

        @Override
        public Optional<WorkerRow> find(int worker) {
            return read(() -> rows.find(worker));
        }

        private <T> T read(Supplier<T> request) {
            meanwhile();
            if (isDown() || random.nextInt(20) == 0) {
                throw NO_ANSWER;
            }
            T answer = request.get();
            meanwhile();
            return answer;
        }

        private boolean isDown() {
            return millis < downUntil;
        }

        @Override
        public WriteResult write(WorkerRow row) {
            meanwhile();
            WriteResult result = isDown() ? new WriteResult.Unknown(NO_ANSWER) : answered(row);
            meanwhile();
            return result instanceof WriteResult.Unknown && wrong == Defect.UNKNOWN_IS_WON
                    ? new WriteResult.Won(null)
                    : result;
        }

        private WriteResult answered(WorkerRow row) {
            switch (random.nextInt(12)) {
                case 0 -> {}
                case 1 -> arrived(row);
                case 2, 3 -> late.add(() -> arrived(row));
                case 4 -> throw NO_ANSWER;
                default -> {
                    return arrived(row);
                }
            }
            return new WriteResult.Unknown(NO_ANSWER);
        }

        private WriteResult arrived(WorkerRow row) {
            WriteResult result = wrong == Defect.UNCONDITIONAL ? new WriteResult.Won(rows.put(row)) : rows.write(row);
            if (result instanceof WriteResult.Won) {
                old.computeIfAbsent(row.worker(), any -> new ArrayList<>()).add(row);
                highest.merge(row.worker(), row.bound(), Math::max);
            }
            return result;
        }

        @Override
        public long nanoTime() {
            return millis * 1_000_000;
        }

        @Override
        public Instant now() {
            return BEGIN.plusMillis(millis + offMillis);
        }

        @Override
        public void sleep(Duration duration) {
            throw new AssertionError("The simulation does not sleep.");
        }

        @Override
        public <T> T await(CompletableFuture<T> result, Duration atMost) {
            throw new AssertionError("The simulation does not wait.");
        }
    }
}
