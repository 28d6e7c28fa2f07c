package dev.numera.sequences.ledger;

/**
 * The start of a page: this number of this period, or the next number that the ledger contains.
 *
 * @param period empty if the sequence is never reset
 */
public record LedgerPosition(String period, long number) {}
