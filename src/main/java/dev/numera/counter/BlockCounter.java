package dev.numera.counter;

import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Hands numbers out from memory, in blocks that a {@link Counter} reserves by one write each.
 *
 * <p>A number is taken by one atomic addition, without a lock. Whoever takes the middle number of a block has the next one reserved in the
 * background, so that it is there when this one is used up; if that fails, the first caller who needs it tries again. A block becomes
 * current only after its write has won. Numbers of one block are handed out in order; what a block had left when it was dropped is
 * skipped, never reused.
 *
 * <p>Thread-safe. Blocks only when the next block is not there yet, or when the present one is due for a check.
 */
public final class BlockCounter {
    /** A block older than this is used on only after a read has shown that the counter is still in its epoch. */
    static final Duration UNCHECKED = Duration.ofSeconds(30);
    private static final long UNCHECKED_NANOS = UNCHECKED.toNanos();
    private static final long NO_NUMBER = Long.MIN_VALUE;

    /** Reserved numbers, and the way to the block after them. */
    private static final class Block {
        private final long first;
        private final long increment;
        private final int count;
        private final int middle;
        private final long epoch;
        /** Goes on beyond the count while callers wait for the next block. */
        private final AtomicLong taken = new AtomicLong();
        private final SingleFlight<Block> successor;
        private final SingleFlight<Boolean> check;
        private volatile long checkedNanos;

        Block(Outcome.Reserved numbers, long checkedNanos, Timekeeper time) {
            this.first = numbers.first();
            this.increment = numbers.increment();
            this.count = numbers.count();
            this.middle = count / 2;
            this.epoch = numbers.epoch();
            this.checkedNanos = checkedNanos;
            this.successor = new SingleFlight<>(time);
            this.check = new SingleFlight<>(time);
        }

        /** How many had been taken before, or a number from which on they do not fit. To look before a single one costs a fifth of the speed. */
        long take(int wanted) {
            if (wanted == 1) {
                return taken.getAndIncrement();
            }
            return taken.getAndUpdate(before -> before + wanted <= count ? before + wanted : before);
        }

        boolean isUsedUp() {
            return taken.get() >= count;
        }

        long number(long index) {
            return first + index * increment;
        }
    }

    private final Counter counter;
    private final int size;
    private final Duration deadline;
    private final LongSupplier coarseNanos;
    private final Executor background;
    /** Current for ever once this is closed. */
    private final Block closed;
    private volatile Block current;

    /**
     * @param size how many numbers to reserve at once, at least 1
     * @param deadline how long a caller waits for a block that another thread reserves
     * @param coarseNanos a clock that may lag behind by far less than 30 s, but must be cheap to read
     */
    public BlockCounter(Counter counter, int size, Duration deadline, LongSupplier coarseNanos, Executor background) {
        this.counter = counter;
        this.size = size;
        this.deadline = deadline;
        this.coarseNanos = coarseNanos;
        this.background = background;
        this.closed = noBlock();
        this.current = noBlock();
    }

    /**
     * The first of {@code count} consecutive numbers. A count that does not fit the rest of the block is a write of its own.
     *
     * @throws ProblemException as the answers of {@link Counter#call}
     */
    public long take(int count) {
        Block block = current;
        while (true) {
            long first = isDue(block) ? NO_NUMBER : takeFrom(block, count);
            if (first != NO_NUMBER) {
                return first;
            }
            requireOpen();
            if (!block.isUsedUp() && isDue(block)) {
                block = check(block);
            } else if (!block.isUsedUp() || count > size) {
                return allocate(count);
            } else {
                block = replace(block, successor(block));
            }
        }
    }

    /** Forgets the reserved numbers: the counter was moved, and what comes next shall come after it. */
    public synchronized void discard() {
        if (current != closed) {
            current = noBlock();
        }
    }

    /** Gives no more numbers. */
    public synchronized void close() {
        current = closed;
    }

    private long takeFrom(Block block, int count) {
        long before = block.take(count);
        long after = before + count;
        if (after > block.count) {
            return NO_NUMBER;
        }
        if (before <= block.middle && after > block.middle) {
            fetchAhead(block);
        }
        return block.number(before);
    }

    private void fetchAhead(Block block) {
        try {
            background.execute(() -> prefetch(block));
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // No thread is to be had. The caller has its number; who needs the next block reserves it.
        }
    }

    private boolean isDue(Block block) {
        return coarseNanos.getAsLong() - block.checkedNanos >= UNCHECKED_NANOS;
    }

    private Block check(Block block) {
        boolean isSameEpoch = await(block.check, () -> {
            long askedNanos = coarseNanos.getAsLong();
            boolean same = counter.readEpoch() == block.epoch;
            if (same) {
                block.checkedNanos = askedNanos;
            }
            return same;
        });
        block.check.forget();
        return isSameEpoch ? block : replace(block, noBlock());
    }

    private Block successor(Block block) {
        return await(block.successor, this::reserve);
    }

    private void prefetch(Block block) {
        try {
            successor(block);
        } catch (ProblemException e) {
            // Nobody waits for it yet. The first caller who needs the block tries again, and is told if that fails too.
        }
    }

    /** The block that is current after a change that another thread may have made first. */
    private synchronized Block replace(Block old, Block replacement) {
        if (current == old && old != closed) {
            current = replacement;
        }
        return current;
    }

    private Block reserve() {
        long askedNanos = coarseNanos.getAsLong();
        Outcome.Reserved reserved = (Outcome.Reserved) counter.call(List.of(new Request.Reserve(size))).only();
        return new Block(reserved, askedNanos, counter.time());
    }

    private long allocate(int count) {
        Request.Allocate request = new Request.Allocate(null, count, LocalDate.EPOCH, false);
        return ((Outcome.Allocation) counter.call(List.of(request)).only()).first();
    }

    private <T> T await(SingleFlight<T> flight, Supplier<T> work) {
        try {
            return flight.get(work, deadline);
        } catch (TimeoutException e) {
            throw new ProblemException(ProblemType.OVERLOADED, "The next block of numbers did not come within "
                    + deadline.toMillis() + " ms. Try again later, or make cacheSize larger.");
        }
    }

    private void requireOpen() {
        if (current == closed) {
            throw new ProblemException(ProblemType.OVERLOADED, "The instance is shutting down. Try again.");
        }
    }

    private Block noBlock() {
        return new Block(new Outcome.Reserved(0, 0, 0, 0), coarseNanos.getAsLong(), counter.time());
    }
}
