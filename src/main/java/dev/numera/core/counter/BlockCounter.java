package dev.numera.core.counter;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.DefinitionChangedException;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Series;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.SingleFlight;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Allocates numbers from memory, in blocks that a {@link Counter} reserves by one write each.
 *
 * <p>A number is taken by one atomic addition, without a lock. The caller that takes the middle number of a block
 * starts reserving the next one in the background, so that it is usually ready when the present one is used up; if that
 * fails, the first caller that needs the next block tries again. A block becomes current only after its write has won.
 * Numbers of one block are allocated in order; numbers that a discarded block had left are skipped, never reused.
 *
 * <p>Thread-safe. Blocks only when the next block is not ready yet, when the present one is due for a check, or for a
 * count that does not fit the rest of the block, which takes a write of its own.
 *
 * <p>Decision: {@code docs/decisions/a-cached-number-is-one-addition.md}.
 */
public final class BlockCounter {
    /**
     * The age from which a block is used only after a read has shown that the counter is still in the block's epoch.
     */
    static final Duration UNCHECKED = Duration.ofSeconds(30);
    /** A marker for "no number". Real numbers are within {@link Series#LARGEST_VALUE}, positive or negative. */
    private static final long NO_NUMBER = Long.MIN_VALUE;

    private static final long UNCHECKED_NANOS = UNCHECKED.toNanos();

    /** The reserved numbers of one block, and the reservation of the block after it. */
    private static final class Block {
        private final long first;
        private final long increment;
        private final int count;
        private final int middle;
        private final CounterState written;
        /** The count of taken numbers. It exceeds {@link #count} while callers wait for the next block. */
        private final AtomicLong taken = new AtomicLong();

        private final SingleFlight<Optional<Block>> successor;
        private final SingleFlight<Boolean> check;
        private volatile long checkedNanos;

        Block(CounterOutcome.Block numbers, long checkedNanos, Clock time) {
            this.first = numbers.first();
            this.increment = numbers.increment();
            this.count = numbers.count();
            this.middle = count / 2;
            this.written = numbers.after();
            this.checkedNanos = checkedNanos;
            this.successor = new SingleFlight<>(time);
            this.check = new SingleFlight<>(time);
        }

        /**
         * Takes numbers; returns how many were taken before. If that plus {@code wanted} exceeds the count, nothing was
         * taken. Does not check before taking a single number, because that costs a fifth of the speed.
         */
        long take(int wanted) {
            if (wanted == 1) {
                return taken.getAndIncrement();
            }
            return taken.getAndUpdate(before -> before + wanted <= count ? before + wanted : before);
        }

        boolean isUsedUp() {
            return taken.get() >= count;
        }

        long left() {
            return Math.max(0, count - taken.get());
        }

        long number(long index) {
            return first + index * increment;
        }
    }

    /** The storage cost of one call, which is zero if all its numbers came from memory. Not thread-safe. */
    public static final class Cost {
        private int attempts;
        private long storageNanos;

        /**
         * The write attempts of this call. If another call reserved the block for both, its attempts do not count here.
         */
        public int attempts() {
            return attempts;
        }

        /**
         * The time that the call waited for storage, in nanoseconds, whether this call or another one sent the
         * requests.
         */
        public long storageNanos() {
            return storageNanos;
        }
    }

    private final Counter counter;
    private final Executor background;
    private volatile Block current;

    public BlockCounter(Counter counter, Executor background) {
        this.counter = counter;
        this.background = background;
        this.current = noBlock();
    }

    /** The counter that reserves the blocks. */
    public Counter counter() {
        return counter;
    }

    /**
     * Returns the first of {@code count} consecutive numbers. A count that does not fit the rest of the block takes a
     * write of its own.
     *
     * @param size how many numbers to reserve at once, at least 1
     * @param cost grows by the storage requests of this call
     * @throws DefinitionChangedException no number was taken
     * @throws ProblemException the problems of {@link Counter#call}, or {@code overloaded} if no block was ready by the
     *     deadline
     */
    public long take(int count, int size, Deadline deadline, Cost cost) {
        Block block = current;
        while (true) {
            long first = isDue(block) ? NO_NUMBER : takeFrom(block, count, size);
            if (first != NO_NUMBER) {
                return first;
            }
            if (!block.isUsedUp() && isDue(block)) {
                block = check(block, deadline, cost);
            } else if (!block.isUsedUp() || count > size) {
                return allocate(block, count, size, deadline, cost);
            } else {
                Optional<Block> next = await(block.successor, () -> takeBlock(size, deadline, cost), deadline, cost);
                if (next.isEmpty()) {
                    block.successor.forget();
                    throw new DefinitionChangedException();
                }
                block = replace(block, next.get());
            }
        }
    }

    /**
     * Discards the reserved numbers, because the counter was moved and the following numbers must come after the move.
     */
    public synchronized void discard() {
        current = noBlock();
    }

    private long takeFrom(Block block, int count, int size) {
        long before = block.take(count);
        long after = before + count;
        if (after > block.count) {
            return NO_NUMBER;
        }
        if (before <= block.middle && after > block.middle) {
            fetchAhead(block, size);
        }
        return block.number(before);
    }

    private void fetchAhead(Block block, int size) {
        try {
            background.execute(() -> prefetch(block, size));
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // No thread is available. The caller has its number, and the first caller that needs the next block
            // reserves it.
        }
    }

    private boolean isDue(Block block) {
        return counter.time().nanoTime() - block.checkedNanos >= UNCHECKED_NANOS;
    }

    private Block check(Block block, Deadline deadline, Cost cost) {
        boolean isKept = await(
                block.check,
                () -> {
                    long startNanos = counter.time().nanoTime();
                    boolean kept = counter.isNotRolledBack(block.written);
                    if (kept) {
                        block.checkedNanos = startNanos;
                    }
                    return kept;
                },
                deadline,
                cost);
        block.check.forget();
        return isKept ? block : replace(block, noBlock());
    }

    private void prefetch(Block block, int size) {
        Deadline deadline = counter.newDeadline();
        Cost cost = new Cost();
        try {
            if (await(block.successor, () -> takeBlock(size, deadline, cost), deadline, cost)
                    .isEmpty()) {
                block.successor.forget();
            }
        } catch (ProblemException e) {
            // No caller waits for this block yet. The first caller that needs it tries again, and gets the problem if
            // that fails too.
        }
    }

    /** Replaces the current block, unless another thread has done so already; returns the block that is current now. */
    private synchronized Block replace(Block old, Block replacement) {
        if (current == old) {
            current = replacement;
        }
        return current;
    }

    /**
     * Reserves a block; empty if the definition has changed. All callers that wait for the block then get that result.
     */
    private Optional<Block> takeBlock(int size, Deadline deadline, Cost cost) {
        long startNanos = counter.time().nanoTime();
        try {
            CallResult<CounterOutcome> taken = counter.call(List.of(NumberRequest.block(size)), deadline);
            cost.attempts += taken.attempts();
            return Optional.of(new Block((CounterOutcome.Block) taken.only(), startNanos, counter.time()));
        } catch (DefinitionChangedException e) {
            return Optional.empty();
        }
    }

    private long allocate(Block block, int count, int size, Deadline deadline, Cost cost) {
        NumberRequest request = new NumberRequest(null, count, null).on(NumberRequest.UNDATED);
        try {
            CallResult<CounterOutcome> allocated = counter.call(List.of(request), deadline);
            cost.attempts += allocated.attempts();
            cost.storageNanos += allocated.storageNanos();
            return ((Allocation) allocated.only()).first();
        } catch (ProblemException e) {
            if (e.type() != ProblemType.EXHAUSTED) {
                throw e;
            }
            return lastNumbers(block, count, size, e);
        }
    }

    /**
     * Tries the next block after the counter refused a call because it has too few numbers left: this instance may
     * still have reserved ones. If the next block is too small as well, the refusal states the largest count that one
     * reserved block can still serve.
     */
    private long lastNumbers(Block block, int count, int size, ProblemException exhausted) {
        Optional<Block> next =
                block.successor.result().flatMap(Function.identity()).filter(reserved -> !isDue(reserved));
        long first = next.map(reserved -> takeFrom(reserved, count, size)).orElse(NO_NUMBER);
        if (first != NO_NUMBER) {
            return first;
        }
        long reserved = Math.max(block.left(), next.map(Block::left).orElse(0L));
        if (!(exhausted.members().get("left") instanceof Long left) || reserved <= left) {
            throw exhausted;
        }
        throw new ProblemException(
                ProblemType.EXHAUSTED,
                "Request at most " + reserved
                        + " numbers at once: this instance still has that many consecutive numbers"
                        + " in reserve. Apart from these: " + exhausted.getMessage(),
                Map.of("left", reserved));
    }

    /**
     * Returns the result of a task that one caller runs while the others wait. If the task fails temporarily, for
     * example because the running caller's deadline has passed, each caller tries again until its own deadline.
     */
    private <T> T await(SingleFlight<T> flight, Supplier<T> work, Deadline deadline, Cost cost) {
        long beganNanos = counter.time().nanoTime();
        try {
            return counter.retries().call(deadline, () -> awaitOnce(flight, work, deadline));
        } finally {
            cost.storageNanos += counter.time().nanoTime() - beganNanos;
        }
    }

    private static <T> T awaitOnce(SingleFlight<T> flight, Supplier<T> work, Deadline deadline) {
        Duration left = deadline.left();
        try {
            return flight.get(work, left);
        } catch (TimeoutException e) {
            throw new ProblemException(
                    ProblemType.OVERLOADED,
                    "The next block of numbers was not reserved within " + left.toMillis()
                            + " ms. Try again later; if this happens often, increase cacheSize.");
        }
    }

    private Block noBlock() {
        CounterState nothing = CounterState.first(0, Instant.EPOCH);
        return new Block(
                new CounterOutcome.Block(0, 0, 0, nothing), counter.time().nanoTime(), counter.time());
    }
}
