/**
 * Answers the HTTP calls that read and check a ledger, change the status of a number, find it, or parse a text.
 *
 * <pre>{@code
 * // Given: App app, HttpRequestMessage<Optional<String>> request
 * LedgerFunctions functions = new LedgerFunctions(app);
 * HttpResponseMessage answer = functions.readLedger(request, "shop", "invoice");
 * }</pre>
 *
 * <p>Start with {@link dev.numera.functions.http.ledger.LedgerFunctions}.
 */
@NullMarked
package dev.numera.functions.http.ledger;

import org.jspecify.annotations.NullMarked;
