/**
 * Serves every request for a sequence, whichever interface it arrives by. {@link dev.numera.sequences.Sequences} wires
 * one process and is where each caller starts.
 *
 * <pre>{@code
 * // Given: StorageAccount account, Limits limits
 * account.createTables();
 * Sequences sequences = Sequences.over(account.stores(), AutoCreate.ALWAYS, limits);
 * NumberRequest request = new NumberRequest("order-1", 1, null);
 * CallResult<PrintedAllocation> result =
 *         sequences.allocator().next(new SequenceName("shop", "invoice"), List.of(request));
 * }</pre>
 *
 * <p>Each call goes through {@code sequences.access}, which finds the definition and bounds the call; the package of
 * its subject does the rest. A request for numbers is a {@link dev.numera.core.model.NumberRequest}. Knows neither
 * Azure nor, except for the words of its refusals, HTTP.
 */
@NullMarked
package dev.numera.sequences;

import org.jspecify.annotations.NullMarked;
