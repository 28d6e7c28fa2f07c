/**
 * Stores everything in Azure Tables, queues and blobs, behind the interfaces of {@code core} and {@code sequences}. No
 * other package calls Azure's storage.
 *
 * <pre>{@code
 * // Given: Map<String, String> environment
 * StorageConnection connection = StorageConnection.of(environment);
 * StorageAccount account = new StorageAccount(connection, Duration.ofSeconds(2));
 * account.createTables();
 * SequenceStores stores = account.stores();
 * }</pre>
 *
 * <p>Start with {@link dev.numera.azure.StorageAccount}, which a {@link dev.numera.azure.StorageConnection} says how to
 * reach. {@link dev.numera.azure.Table} closes the traps of the tables client: every write but the removal of old
 * uploads is conditional, and won, lost or unknown; which failures leave it unknown is in {@code RequestFailure}. How
 * rows are written is in {@code RowKeys}, {@code CounterRows}, {@code DefinitionRows}, {@code ChangeRows},
 * {@code LedgerRows}, {@code TablePeerRequests}, {@code UploadRows}, {@code UploadAnswers} and
 * {@code TableWorkerStore}, and in {@code docs/tables.md}.
 *
 * <p>{@link dev.numera.azure.backup.TableExport} reads whole tables for backups, and a restore fills them, both by
 * {@code BackupTables}: past {@code Table} and without conditions. {@code RestoredRows} says what a row of a backup
 * becomes; {@code BackupBlobs} has the container that backups go to, and {@code MarkBlobs} the marks of the service in
 * it.
 */
@NullMarked
package dev.numera.azure;

import org.jspecify.annotations.NullMarked;
