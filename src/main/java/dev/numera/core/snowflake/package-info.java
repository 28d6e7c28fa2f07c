/**
 * Generates ids from a clock and a leased worker number, without a write for each id. The ids are distinct and roughly
 * in the order of time.
 *
 * <pre>{@code
 * ExecutorService threads = Executors.newCachedThreadPool();
 * Snowflakes snowflakes = new Snowflakes(new MemoryWorkerStore(), Clock.SYSTEM, () -> 0.5, threads);
 * SequenceName event = new SequenceName("shop", "event");
 * Deadline deadline = Deadline.in(Duration.ofSeconds(10), Clock.SYSTEM);
 * long first = snowflakes.take(event, 1, deadline, new LeaseCost(Clock.SYSTEM));
 * long second = snowflakes.take(event, 1, deadline, new LeaseCost(Clock.SYSTEM));
 * boolean isOrdered = first < second; // true
 * threads.shutdownNow();
 * }</pre>
 *
 * <p>Start with {@link dev.numera.core.snowflake.Snowflakes}. {@code IdLayout} explains the parts of an id,
 * {@code Lease} why no id is allocated twice, and {@code Leaseholder} how a worker number is taken, renewed and lost.
 * The proof is in {@code docs/decisions/snowflake-ids-use-leased-worker-numbers.md}.
 *
 * <p>Storage is behind {@link dev.numera.core.snowflake.WorkerStore}. The package knows nothing of counters, Azure or
 * HTTP.
 */
@NullMarked
package dev.numera.core.snowflake;

import org.jspecify.annotations.NullMarked;
