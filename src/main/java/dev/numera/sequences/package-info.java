/**
 * Serves every request for a sequence, from each interface. Start with {@link dev.numera.sequences.Sequences}, which
 * wires the components of one process.
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
 * <p>Each call goes through {@code sequences.access}, which finds the definition and bounds the call. The other
 * packages do the work, one for each subject. A request for numbers is a {@link dev.numera.core.model.NumberRequest}.
 * This package does not depend on Azure. It mentions HTTP only in the texts of refusals.
 */
@NullMarked
package dev.numera.sequences;

import org.jspecify.annotations.NullMarked;
