/**
 * The bindings of what was given: reading and checking ledgers, saying what became of a number, and finding a text's.
 *
 * <p>Come in by {@link dev.numera.functions.ledger.LedgerFunctions}. Depends on {@code functions}, {@code sequence},
 * {@code model}, {@code execution}, {@code format} and {@code problem}; nothing depends on it.
 */
@NullMarked
package dev.numera.functions.ledger;

import org.jspecify.annotations.NullMarked;
