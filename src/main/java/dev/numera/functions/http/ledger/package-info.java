/**
 * The bindings of the ledger: reading and checking it, changing the status of a number, and parsing a text.
 *
 * <pre>{@code
 * // Given: App app, HttpRequestMessage<Optional<String>> request
 * LedgerFunctions functions = new LedgerFunctions(app);
 * HttpResponseMessage answer = functions.readLedger(request, "shop", "invoice");
 * }</pre>
 *
 * <p>Start at {@link dev.numera.functions.http.ledger.LedgerFunctions}. Depends on {@code functions},
 * {@code sequences}, {@code core.model}, {@code core.retry}, {@code core.format}, {@code json} and
 * {@code core.problem}; nothing depends on it.
 */
@NullMarked
package dev.numera.functions.http.ledger;

import org.jspecify.annotations.NullMarked;
