/**
 * The bindings of the ledger: reading and checking it, changing the status of a number, and parsing a text.
 *
 * <p>Start at {@link dev.numera.functions.ledger.LedgerFunctions}. Depends on {@code functions}, {@code sequence},
 * {@code model}, {@code execution}, {@code format}, {@code json} and {@code problem}; nothing depends on it.
 */
@NullMarked
package dev.numera.functions.ledger;

import org.jspecify.annotations.NullMarked;
