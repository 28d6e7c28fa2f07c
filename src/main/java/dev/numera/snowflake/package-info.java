/**
 * Ids without a write: distinct, roughly in the order of time, from a clock and a leased worker number.
 *
 * <p>Come in by {@link dev.numera.snowflake.Snowflakes}. How an id is put together stands at {@code IdLayout}; why no
 * id is given twice at {@code Lease}; how a worker number is taken, renewed and lost at {@code Leaseholder}, and with
 * its proof in {@code docs/decisions/ids-from-a-leased-number.md}.
 *
 * <p>Storage is behind {@link dev.numera.snowflake.WorkerStore}. Of {@code counter} it takes what is the same for both:
 * the clock, deadlines, names, and the outcomes and failures of conditional writes. Depends on that and on
 * {@code problem}; knows neither definitions nor Azure nor HTTP.
 */
@NullMarked
package dev.numera.snowflake;

import org.jspecify.annotations.NullMarked;
