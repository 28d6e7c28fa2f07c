/**
 * Generates ids without a write for each: distinct, roughly in the order of time, from a clock and a leased worker
 * number.
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
 * {@code Lease} why none is allocated twice, {@code Leaseholder} how a worker number is taken, renewed and lost; the
 * proof is in {@code docs/decisions/snowflake-ids-use-leased-worker-numbers.md}.
 *
 * <p>Storage is behind {@link dev.numera.core.snowflake.WorkerStore}. Knows neither counters nor Azure nor HTTP.
 */
@NullMarked
package dev.numera.core.snowflake;

import org.jspecify.annotations.NullMarked;
