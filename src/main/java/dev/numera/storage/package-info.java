/**
 * Azure Tables and queues behind the seams of the rooms below: the only room that may call storage.
 *
 * <p>Come in by {@link dev.numera.storage.StorageAccount}. {@link dev.numera.storage.Table} closes the traps of the
 * tables client: every write is conditional, and won, lost or unknown. How rows are written stands in {@code RowKeys},
 * {@code DefinitionRows}, {@code LedgerRows} and {@code UploadAnswers}, and in {@code docs/tables.md}.
 *
 * <p>Implements what {@code counter}, {@code sequence} and {@code batch} ask for; knows nothing of HTTP.
 */
package dev.numera.storage;
