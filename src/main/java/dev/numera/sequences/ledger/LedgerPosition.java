package dev.numera.sequences.ledger;

/**
 * Where a page begins: in this period with this number, or with the next one that there is.
 *
 * @param period empty where the sequence is never reset
 */
public record LedgerPosition(String period, long number) {}
