/**
 * From a request to printed numbers.
 *
 * <p>Start at {@link dev.numera.sequences.numbering.Allocator}: it finds the definition and the period of a call
 * ({@link dev.numera.core.model.DateLimits} has those that it may be in), calls the counter, and returns a
 * {@link dev.numera.sequences.access.PrintedAllocation} for each request. Metrics and warnings are here, too.
 */
@NullMarked
package dev.numera.sequences.numbering;

import org.jspecify.annotations.NullMarked;
